import type {
  HomePorts,
  LockEvents,
  OpenedRecord,
  RecordEvents,
  RecordLock,
} from "./homePorts.ts";

/** The places that stand in for a record's own: each with a lock of its own, since several windows may need one. */
export class Rescue {
  readonly #ports: HomePorts;
  readonly #events: LockEvents;
  #lock: RecordLock | undefined;

  constructor(ports: HomePorts, events: LockEvents) {
    this.#ports = ports;
    this.#events = events;
  }

  /** The first that nobody else uses and that takes new threads; undefined when none does. */
  async open(events: RecordEvents): Promise<OpenedRecord | undefined> {
    const { rescue, open, lock, log } = this.#ports;
    for (const folder of rescue) {
      const own = lock(folder, this.#events);
      if ((await own.start()) === "writer") {
        const opened = await open(folder, "write", events);
        if (opened.ok && !opened.readOnly) {
          this.#lock = own;
          return opened;
        }
        log.error("history.noRescue", { folder, ...answerFields(opened) });
        if (opened.ok) await opened.store.close();
      } else
        log.warn("history.noRescue", { folder, detail: own.trouble ?? "held" });
      await own.dispose();
    }
    return undefined;
  }

  async leave(): Promise<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    await lock?.dispose();
  }
}

function answerFields(
  opened: { readonly path: string } & (
    { readonly ok: true } | { readonly ok: false; readonly detail: string }
  ),
): Readonly<Record<string, string>> {
  return {
    path: opened.path,
    detail: opened.ok ? "it can only be read" : opened.detail,
  };
}
