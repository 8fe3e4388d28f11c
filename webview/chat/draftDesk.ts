import { computed, signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { NewAttachment } from "../../src/protocol/newAttachment.ts";
import type { ToHost } from "../../src/protocol/toHost.ts";
import type { ViewState } from "../../src/protocol/viewState.ts";
import { isBlank, joined, openingDraft, putBack } from "./drafts.ts";
import type { Hung } from "./hung.ts";
import type { Keeper } from "./keeper.ts";
import type { Draft } from "./saved.ts";
import { words } from "./strings.ts";

export interface DraftEnds {
  readonly thread: () => string;
  readonly keeper: Keeper;
  readonly hung: Pick<Hung, "taking" | "settled">;
  readonly post: (message: ToHost) => void;
  /** Asks the host; true when it was done. */
  readonly asked: (message: ToHost) => Promise<boolean>;
  /** Why the last thing asked for was not done. */
  readonly trouble: Signal<string | undefined>;
  /** A message of the thread that is shown is on its way. */
  readonly sends: () => void;
  readonly later: (run: () => void, ms: number) => void;
  readonly clock: () => number;
  readonly newId: () => string;
}

/** What is being written, in the thread that is shown and in those that were left, until the host has it. */
export class DraftDesk {
  readonly draft = signal<Draft>({ text: "", at: 0 });
  readonly attachments = computed(() => this.draft.value.attachments ?? []);
  /** Threads whose message waits for what is to hang on it. */
  readonly waiting = signal<readonly string[]>([]);
  /** Counts what the user sent: the transcript goes to its end then. */
  readonly sent = signal(0);
  readonly #ends: DraftEnds;
  #telling = false;
  readonly #unanswered = new Map<string, { thread: string; draft: Draft }>();

  constructor(ends: DraftEnds) {
    this.#ends = ends;
  }

  type(text: string): void {
    this.#ends.trouble.value = undefined;
    this.#write(text, this.attachments.value);
  }

  /** Adds a text that comes from elsewhere. */
  insert(text: string): void {
    this.type(joined(this.draft.value.text, text));
  }

  /** Changes what hangs on the draft of a thread. */
  attach(
    thread: string,
    change: (items: readonly NewAttachment[]) => readonly NewAttachment[],
  ): void {
    const { text, attachments = [] } = this.#draftOf(thread);
    this.#write(text, change(attachments), thread);
  }

  /** A message waits for what is to hang on it; what could not be taken leaves it to the user again. */
  async submit(when: "next" | "now"): Promise<void> {
    const { hung } = this.#ends;
    const thread = this.#ends.thread();
    if (!hung.taking.value.includes(thread)) {
      await this.#send(thread, when);
      return;
    }
    if (this.waiting.value.includes(thread)) return;
    this.waiting.value = [...this.waiting.value, thread];
    const taken = await hung.settled(thread);
    this.waiting.value = this.waiting.value.filter((one) => one !== thread);
    if (taken) await this.#send(thread, when);
  }

  /** Takes words that found no place elsewhere back into the composer. */
  takeBack(text: string): void {
    this.#backToComposer(this.#words(text));
  }

  opened(thread: string, state: ViewState): void {
    const kept = this.#ends.keeper.saved.drafts[thread];
    this.draft.value = openingDraft(kept, state);
  }

  /** What was typed a moment ago belongs to the thread that is left. */
  left(thread: string): void {
    this.#ends.keeper.keepDraft(thread, this.#kept(thread));
    if (this.#telling) this.#post(thread);
  }

  /** Tells the host at once: the view may be about to go. */
  flush(): void {
    this.#post();
  }

  /** The composer is empty at once; a text that is not accepted comes back to it. */
  async #send(thread: string, when: "next" | "now"): Promise<void> {
    const { keeper, asked, trouble, newId } = this.#ends;
    const draft = this.#draftOf(thread);
    if (isBlank(draft)) return;
    const { text, attachments = [], requestId = newId() } = draft;
    if (thread === this.#ends.thread()) {
      this.draft.value = this.#words("");
      this.#ends.sends();
      this.sent.value++;
    } else this.#write("", [], thread);
    this.#unanswered.set(requestId, { thread, draft });
    this.#keep();
    const done = await asked({
      type: "submit",
      ...{ requestId, thread, text, attachments, when },
    });
    this.#unanswered.delete(requestId);
    if (!done) {
      trouble.value = words.composer.notSent(trouble.value ?? "");
      const back = { ...draft, requestId };
      if (thread === this.#ends.thread()) this.#backToComposer(back);
      else keeper.keepDraft(thread, putBack(back, this.#draftOf(thread)));
    }
    this.#keep();
  }

  #backToComposer(draft: Draft): void {
    this.draft.value = putBack(draft, this.draft.value);
    this.#keep();
  }

  /** A text on its way counts as a draft until the host has answered for it. */
  #keep(): void {
    const thread = this.#ends.thread();
    if (thread === "") return;
    this.#ends.keeper.keepDraft(thread, this.#kept(thread));
    this.#tell();
  }

  /** What stands in the composer, for the thread it was written in. */
  #kept(thread: string): Draft {
    const [first] = [...this.#unanswered].filter(
      ([, one]) => one.thread === thread,
    );
    const now = this.draft.value;
    return first === undefined || !isBlank(now)
      ? now
      : { ...first[1].draft, at: now.at, requestId: first[0] };
  }

  #draftOf(thread: string): Draft {
    if (thread === this.#ends.thread()) return this.draft.value;
    const kept = this.#ends.keeper.saved.drafts[thread];
    const onItsWay = this.#unanswered.has(kept?.requestId ?? "");
    return kept === undefined || onItsWay ? this.#words("") : kept;
  }

  /** The host keeps the draft too: a window that is lost takes its views' own memory along. */
  #tell(): void {
    if (this.#telling) return;
    this.#telling = true;
    this.#ends.later(() => {
      this.#telling = false;
      this.#post();
    }, 500);
  }

  #post(thread = this.#ends.thread()): void {
    const { text, at, attachments = [] } = this.draft.value;
    if (thread !== "")
      this.#ends.post({ type: "draft", thread, text, attachments, at });
  }

  #write(
    text: string,
    attachments: readonly NewAttachment[],
    thread = this.#ends.thread(),
  ): void {
    const draft = { ...this.#words(text), attachments };
    if (thread === this.#ends.thread()) {
      this.draft.value = draft;
      this.#keep();
    } else {
      this.#ends.keeper.keepDraft(thread, draft);
      this.#ends.post({ type: "draft", thread, ...draft });
    }
  }

  #words(text: string): Draft {
    return { text, at: this.#ends.clock() };
  }
}
