import { signal } from "@preact/signals";
import type { ToHost } from "../../src/protocol/toHost.ts";
import type { ViewState } from "../../src/protocol/viewState.ts";
import { words } from "./strings.ts";

/** A thread this view deleted, until it is taken back or forgotten. */
export interface GoneThread {
  readonly id: string;
  readonly title: string;
  /** The thread it stood before in the list; null for the end. */
  readonly before: string | null;
  /** It was the one shown: taken back, it is again. */
  readonly shown: boolean;
}

export interface ThreadEnds {
  readonly state: () => ViewState;
  /** Asks the host; true when it was done. */
  readonly asked: (message: ToHost) => Promise<boolean>;
  readonly say: (text: string) => void;
}

/** What a user does to threads. The host decides; here is only what can be undone. */
export class ThreadDesk {
  readonly gone = signal<GoneThread | undefined>(undefined);
  readonly #ends: ThreadEnds;

  constructor(ends: ThreadEnds) {
    this.#ends = ends;
  }

  async remove(thread: string): Promise<void> {
    const { threads, thread: shown } = this.#ends.state();
    const at = threads.findIndex(({ id }) => id === thread);
    const gone = {
      id: thread,
      title: threads[at]?.title ?? "",
      before: threads[at + 1]?.id ?? null,
      shown: shown?.id === thread,
    };
    if (!(await this.#ends.asked({ type: "deleteThread", thread }))) return;
    this.gone.value = gone;
    this.#ends.say(words.say.threadDeleted);
  }

  async undo(gone: GoneThread): Promise<boolean> {
    const { id: thread, shown } = gone;
    if (!(await this.#ends.asked({ type: "restoreThread", thread })))
      return false;
    this.forget(gone);
    this.#ends.say(words.say.restored);
    if (shown) await this.#ends.asked({ type: "openThread", thread });
    return true;
  }

  /** Offers no more to undo it, unless another came since. */
  forget(gone: GoneThread): void {
    if (this.gone.value === gone) this.gone.value = undefined;
  }
}
