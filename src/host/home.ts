import type { History } from "../core/recordPort.ts";
import { emptyHistory } from "./emptyHistory.ts";
import { HistoryGate } from "./historyGate.ts";
import * as say from "./homeNews.ts";
import type { HomeNews } from "./homeNews.ts";
import type {
  HomePorts,
  LockEvents,
  RecordEvents,
  RecordLock,
  Role,
  Tenant,
} from "./homePorts.ts";
import { Rescue } from "./rescue.ts";
import { moveElsewhere, settle, type Settled } from "./settle.ts";
import { t } from "../util/l10n.ts";

/** A store that dies more often than this within a minute is not opened again. */
const mostDeaths = 3;

type Now = Omit<Settled, "early">;

/**
 * The workspace's record: one window writes, the others read and say so, and take over when they can.
 * A record that cannot be opened is left as it is, and the chat goes on elsewhere.
 */
export class Home {
  readonly #ports: HomePorts;
  readonly #lock: RecordLock;
  readonly #rescue: Rescue;
  readonly #gate: HistoryGate;
  #now: Now;
  #role: Role = "reader";
  #released = false;
  #tenant: Tenant | undefined;
  /** The record changed before anyone lived here. */
  #changed = false;
  /** Counts openings: what an earlier one still has to say is about a store that is gone. */
  #opening = 0;
  #deaths: readonly number[] = [];
  #look: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();

  private constructor(ports: HomePorts) {
    this.#ports = ports;
    const events: LockEvents = {
      isWindowAlive: ports.isWindowAlive,
      onRelease: () => this.#release(),
      onChange: (role) => void this.#inTurn(() => this.#become(role)),
    };
    this.#lock = ports.lock(ports.folder, events);
    this.#rescue = new Rescue(ports, {
      ...events,
      onChange: (role) => {
        if (role === "reader") events.onChange(role);
      },
    });
    const store = emptyHistory(t("The history is not open."));
    this.#now = { store, place: "nowhere", path: "", readOnly: "", news: [] };
    this.#gate = new HistoryGate(store);
  }

  static async open(ports: HomePorts): Promise<Home> {
    const home = new Home(ports);
    home.#role = await home.#lock.start();
    await home.#inTurn(() => home.#settle());
    return home;
  }

  get store(): History {
    return this.#gate.history;
  }

  /** Why nothing can be written; null when it can. */
  get readOnly(): string | null {
    return this.#now.readOnly;
  }

  get news(): readonly HomeNews[] {
    return this.#now.news;
  }

  /** Why the record's files are not this window's to delete; null when they are. */
  get notOurs(): string | null {
    if (this.#now.place === "rescue") return say.notFromElsewhere;
    if (this.#role === "writer" && !this.#released) return null;
    const { trouble } = this.#lock;
    return trouble === undefined ? say.openElsewhere : say.notWritable(trouble);
  }

  /** What happened to the record before its tenant was there is made up for. */
  async moveIn(tenant: Tenant): Promise<void> {
    this.#tenant = tenant;
    if (this.#released) await tenant.windDown();
    else if (this.#changed) await tenant.takeOver();
  }

  /** Tries once more what did not open. */
  openAgain(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#role === "reader" && this.#lock.trouble !== undefined)
        this.#role = await this.#lock.start();
      await this.#reopen();
    });
  }

  /** Leaves a record that can only be read, so that new threads have a place. */
  keepElsewhere(): Promise<void> {
    return this.#inTurn(async () => {
      const ports = { rescue: this.#rescue, events: this.#events() };
      const moved = await moveElsewhere(ports, this.#now.path);
      if (moved === undefined) {
        this.#tell({ news: [say.noOtherPlace(this.#now.readOnly ?? "")] });
        return;
      }
      await this.#gate.close();
      this.#use(moved);
      await this.#announce();
    });
  }

  /** Stops everything, lets `work` delete the record's files while nobody else can come in, and leaves. */
  async erase(work: () => void): Promise<void> {
    await this.#release();
    this.#tell({ readOnly: t("The history is being deleted.") });
    this.#tenant = undefined;
    try {
      work();
    } finally {
      await this.#leave();
    }
  }

  async dispose(): Promise<void> {
    await this.#tenant?.windDown();
    await this.#close();
    await this.#leave();
  }

  async #settle(): Promise<void> {
    clearTimeout(this.#look);
    await this.#rescue.leave();
    const settled = await settle({
      ...this.#ports,
      rescue: this.#rescue,
      role: this.#role,
      trouble: this.#lock.trouble,
      events: this.#events(),
    });
    this.#use(settled);
    if (settled.early === true) this.#lookLater();
  }

  #use(settled: Now): void {
    this.#now = this.#released
      ? { ...settled, readOnly: say.takenOver }
      : settled;
    this.#gate.use(settled.store);
  }

  #lookLater(): void {
    const { lookAgainMs = 1000 } = this.#ports;
    this.#look = setTimeout(() => {
      void this.#inTurn(async () => {
        if (this.#role === "reader") await this.#reopen();
      });
    }, lookAgainMs);
  }

  /** Its window was gone and another asked. What is wound down stays so: a window that comes back is loaded anew. */
  async #release(): Promise<void> {
    await this.#tenant?.windDown();
    await this.#close();
    this.#released = true;
  }

  async #close(): Promise<void> {
    this.#opening += 1;
    clearTimeout(this.#look);
    await this.#gate.close();
  }

  async #leave(): Promise<void> {
    await this.#lock.dispose();
    await this.#rescue.leave();
  }

  #events(): RecordEvents {
    this.#opening += 1;
    const opening = this.#opening;
    const mine = (act: (detail: string) => void) => (detail: string) => {
      if (opening === this.#opening) act(detail);
    };
    return {
      onDamage: mine((detail) => {
        this.#ports.log.error("history.damaged", { detail });
        this.#tell({ news: [say.damagedNews(detail)] });
      }),
      onLost: mine((detail) => {
        this.#ports.log.error("history.lost", { detail });
        void this.#inTurn(() => this.#lost(detail));
      }),
    };
  }

  async #lost(detail: string): Promise<void> {
    if (this.#released) return;
    const now = Date.now();
    this.#deaths = [...this.#deaths.filter((at) => now - at < 60_000), now];
    if (this.#deaths.length <= mostDeaths) await this.#reopen();
    else this.#tell({ readOnly: say.stopped, news: [say.lostNews(detail)] });
  }

  async #become(role: Role): Promise<void> {
    this.#role = role;
    if (role === "writer" && this.#now.place === "rescue") {
      // What is at work elsewhere must not lose its place under its feet.
      this.#tell({ news: [say.backAgain(this.#ports.folder)] });
      return;
    }
    await this.#reopen();
    // What is wound down must not become the writer again.
    if (this.#released) void this.#leave();
  }

  async #reopen(): Promise<void> {
    try {
      await this.#close();
      await this.#settle();
      await this.#announce();
    } catch (error) {
      const detail = String(error);
      this.#ports.log.error("history.notOpened", { error: detail });
      this.#tell({
        readOnly: t("The history could not be opened again: {0}", detail),
      });
    }
  }

  async #announce(): Promise<void> {
    this.#changed = true;
    if (!this.#released) await this.#tenant?.takeOver();
    this.#tenant?.changed();
  }

  #tell(news: Partial<Pick<Now, "readOnly" | "news">>): void {
    this.#now = { ...this.#now, ...news };
    this.#tenant?.changed();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}
