import { signal } from "@preact/signals";
import type { ToHost } from "../../src/protocol/toHost.ts";
import type { ViewState } from "../../src/protocol/viewState.ts";
import type { Edit } from "./saved.ts";
import { words } from "./strings.ts";

/** Items taken out of the queue by this view, until they are put back or forgotten. */
export interface Removed {
  readonly ids: readonly string[];
  /** The item it stood before; null for the end. */
  readonly before: string | null;
  /** They were on their way when the turn was stopped; nobody took them out one by one. */
  readonly unsent?: true;
}

export interface QueueEnds {
  readonly state: () => ViewState;
  readonly thread: () => string;
  /** Asks the host; true when it was done. */
  readonly asked: (message: ToHost) => Promise<boolean>;
  readonly say: (text: string) => void;
  readonly keepEdit: (edit: Edit | undefined) => void;
  /** Takes words that found no place in the queue. */
  readonly keepWords: (text: string) => void;
  readonly newId: () => string;
}

/** What a user does to the queue. The host decides; here is only what is half done. */
export class QueueDesk {
  readonly edit = signal<Edit | undefined>(undefined);
  readonly removed = signal<Removed | undefined>(undefined);
  readonly #ends: QueueEnds;

  constructor(ends: QueueEnds) {
    this.#ends = ends;
  }

  /** Opens an item for editing, with a text of an earlier life if there is one. */
  async beginEdit(id: string, text?: string): Promise<void> {
    const item = this.#item(id);
    if (item === undefined) return;
    const thread = this.#ends.thread();
    this.setEdit({ thread, id, text: text ?? item.text });
    if (await this.#ends.asked({ type: "editBegin", thread, id })) return;
    if (this.edit.value?.id === id) this.setEdit(undefined);
    this.#ends.say(words.say.claimedAlready);
  }

  setEdit(edit: Edit | undefined): void {
    this.edit.value = edit;
    this.#ends.keepEdit(edit);
  }

  /** What is not taken can be edited on, or at least its words are kept. */
  async saveEdit(split?: {
    readonly offset: number;
    readonly newId: string;
  }): Promise<void> {
    const edit = this.edit.value;
    if (edit === undefined) return;
    const attached = this.#item(edit.id)?.attachments ?? [];
    this.setEdit(undefined);
    const { thread, id, text, dropped = [] } = edit;
    const done = await this.#ends.asked({
      type: "editSave",
      thread,
      id,
      text,
      kept: [...attached.keys()].filter((place) => !dropped.includes(place)),
      ...(split === undefined ? {} : { split }),
    });
    if (done) return;
    const free = this.edit.value === undefined;
    if (free && this.#item(id) !== undefined) this.setEdit(edit);
    else this.#ends.keepWords(text);
  }

  /** Takes off what hangs on the message being edited; saved with its text. */
  drop(place: number): void {
    const edit = this.edit.value;
    if (edit !== undefined)
      this.setEdit({ ...edit, dropped: [...(edit.dropped ?? []), place] });
  }

  async cancelEdit(): Promise<void> {
    const edit = this.edit.value;
    this.setEdit(undefined);
    if (edit === undefined) return;
    const { thread, id } = edit;
    await this.#ends.asked({ type: "editCancel", thread, id });
  }

  /** Saves what is being edited as two messages, cut at an offset. */
  async split(offset: number): Promise<void> {
    const { text } = this.edit.value ?? { text: "" };
    const halves = [text.slice(0, offset), text.slice(offset)];
    if (halves.every((half) => half.trim() !== ""))
      await this.saveEdit({ offset, newId: this.#ends.newId() });
  }

  async remove(id: string): Promise<void> {
    const { queue } = this.#ends.state();
    const at = queue.findIndex((item) => item.id === id);
    const removed = { ids: [id], before: queue[at + 1]?.id ?? null };
    this.removed.value = removed;
    const thread = this.#ends.thread();
    const done = await this.#ends.asked({ type: "remove", thread, id });
    if (done) this.#ends.say(words.say.removed);
    else this.forget(removed);
  }

  /** Stops the turn and empties the queue; what was in it can be taken back. */
  async cancelAll(): Promise<void> {
    const { queue, messages } = this.#ends.state();
    const unsent = messages.filter(({ state }) => state === "claimed");
    const ids = [...unsent, ...queue].map(({ id }) => id);
    const thread = this.#ends.thread();
    if (await this.#ends.asked({ type: "cancelAll", thread }))
      this.removed.value = ids.length > 0 ? { ids, before: null } : undefined;
  }

  async restore(ids: readonly string[]): Promise<boolean> {
    const thread = this.#ends.thread();
    const done = await this.#ends.asked({ type: "restore", thread, ids });
    if (!done) return false;
    this.removed.value = undefined;
    this.#ends.say(words.say.restored);
    return true;
  }

  /** Offers no more to undo a removal, unless another came since. */
  forget(removed: Removed): void {
    if (this.removed.value === removed) this.removed.value = undefined;
  }

  /** Another thread is shown; an edit of an earlier life in it goes on, or at least its words do. */
  opened(edit: Edit | undefined): void {
    this.edit.value = this.removed.value = undefined;
    if (edit?.thread !== this.#ends.thread()) return;
    if (this.#item(edit.id) === undefined) this.#ends.keepWords(edit.text);
    else void this.beginEdit(edit.id, edit.text);
  }

  /** What went meanwhile can't be edited any more, or can be taken back; its words are not lost. */
  changed(before: ViewState): void {
    this.#look(before);
    const edit = this.edit.value;
    if (edit?.thread !== this.#ends.thread()) return;
    if (this.#item(edit.id) !== undefined) return;
    this.setEdit(undefined);
    this.#ends.keepWords(edit.text);
  }

  /** A turn that was stopped before it was sent leaves nothing behind but this. */
  #look(before: ViewState): void {
    const { thread, messages, queue, more } = this.#ends.state();
    if (before.thread?.id !== thread?.id || more.after) return;
    const here = new Set([...messages, ...queue].map(({ id }) => id));
    const removed = this.removed.value;
    const sent = removed?.ids.some((id) => here.has(id)) === true;
    if (removed?.unsent === true && sent) this.forget(removed);
    const ids = before.messages
      .filter(({ id, state }) => state === "claimed" && !here.has(id))
      .map(({ id }) => id);
    const known = ids.every((id) => removed?.ids.includes(id));
    if (known) return;
    this.removed.value = { ids, before: queue[0]?.id ?? null, unsent: true };
    this.#ends.say(words.queue.unsent(ids.length));
  }

  #item(id: string): ViewState["queue"][number] | undefined {
    return this.#ends.state().queue.find((item) => item.id === id);
  }
}
