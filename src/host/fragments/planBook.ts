import type { ThreadChange } from "../../core/dispatch/changes.ts";
import type { Message, PlanEntry } from "../../core/message.ts";
import type { Store } from "../../core/ports.ts";

/** Records looked through for the plans of a thread, once. */
const reach = 1000;
const pageSize = 200;

type Plan = readonly PlanEntry[];

interface Plans {
  /** The newest of each session, the newest session's last. */
  readonly bySession: Map<string, Plan>;
  /** Whose turn runs, or ran last. */
  session: string;
}

/** Remembers which session made which plan, so that another can be told of what is still open. */
export class PlanBook {
  readonly #store: Pick<Store, "page">;
  readonly #threads = new Map<string, Promise<Plans>>();

  constructor(store: Pick<Store, "page">) {
    this.#store = store;
  }

  /** The newest plan with something left to do that the session itself did not make. */
  async ofOthers(
    thread: string,
    session: string | null,
  ): Promise<Plan | undefined> {
    const { bySession } = await this.#plans(thread);
    const others = [...bySession].filter(([made]) => made !== session);
    const [, newest] = others.at(-1) ?? [];
    return newest?.some(({ status }) => status !== "completed") === true
      ? newest
      : undefined;
  }

  /** A thread nobody asked about yet is read when somebody does. */
  take(change: ThreadChange): void {
    const known = this.#threads.get(change.thread);
    if (known === undefined || change.kind !== "message") return;
    const { message } = change;
    const { kind } = message.body;
    if (kind !== "plan" && kind !== "turnStart") return;
    known.then(
      (plans) => note(plans, message),
      () => undefined,
    );
  }

  #plans(thread: string): Promise<Plans> {
    const known = this.#threads.get(thread);
    if (known !== undefined) return known;
    const read = this.#read(thread);
    this.#threads.set(thread, read);
    // What could not be read is asked for again the next time.
    read.catch(() => this.#threads.delete(thread));
    return read;
  }

  async #read(thread: string): Promise<Plans> {
    const pages: (readonly Message[])[] = [];
    let before: string | undefined;
    for (let seen = 0; seen < reach; seen += pageSize) {
      const page = await this.#store.page(thread, {
        limit: pageSize,
        ...(before === undefined ? {} : { before }),
      });
      pages.unshift(page.messages);
      before = page.messages[0]?.position ?? undefined;
      if (!page.more || before === undefined) break;
    }
    const plans: Plans = { bySession: new Map(), session: "" };
    for (const message of pages.flat()) note(plans, message);
    return plans;
  }
}

function note(plans: Plans, { body }: Message): void {
  if (body.kind === "turnStart") plans.session = body.session;
  if (body.kind !== "plan") return;
  plans.bySession.delete(plans.session);
  plans.bySession.set(plans.session, body.entries);
}
