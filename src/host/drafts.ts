import type * as vscode from "vscode";
import * as z from "zod/mini";
import {
  keptDraft,
  viewMemory,
  type KeptDraft,
  type ViewMemory,
} from "../protocol/viewState.ts";

/** A thread that is only begun is nowhere else. */
const choices = { agent: z.optional(z.string()), folder: z.string() };
const shownThread = z.object({
  id: z.string(),
  begun: z.optional(z.object(choices)),
});
const begunThreads = z.array(z.object({ id: z.string(), ...choices }));
type ShownThread = z.infer<typeof shownThread>;

/** Text that was typed but not sent, and where the user was, by thread, kept across reloads. */
export class Drafts {
  readonly #memory: vscode.Memento;
  #forgotten = false;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  get(thread: string): KeptDraft {
    const parsed = z.safeParse(keptDraft, this.#memory.get(key(thread)));
    return parsed.success ? parsed.data : { text: "", at: 0 };
  }

  /** An empty draft is kept too: it is newer than what a view may bring back. */
  async set(
    thread: string,
    { text, at, attachments = [] }: KeptDraft,
  ): Promise<void> {
    await this.#keep(key(thread), {
      text,
      at,
      ...(attachments.length === 0 ? {} : { attachments }),
    });
  }

  /** The bytes that drafts carry, by hash. */
  blobs(): readonly string[] {
    return this.#memory
      .keys()
      .filter((name) => name.startsWith(key("")))
      .flatMap((name) => this.get(name.slice(key("").length)).attachments ?? [])
      .flatMap((one) => (one.kind === "file" ? [] : [one.blob]));
  }

  async clear(thread: string): Promise<void> {
    const { at } = this.get(thread);
    if (at > 0) await this.set(thread, { text: "", at });
  }

  /** The thread the side bar showed last: VS Code may bring back an older state of its page. */
  shown(): ShownThread | undefined {
    const parsed = z.safeParse(shownThread, this.#memory.get("shown"));
    return parsed.success ? parsed.data : undefined;
  }

  async setShown(shown: ShownThread): Promise<void> {
    await this.#keep("shown", shown);
  }

  unread(): readonly string[] {
    const kept = this.#memory.get<unknown>("unread");
    const parsed = z.safeParse(z.array(z.string()), kept);
    return parsed.success ? parsed.data : [];
  }

  async setUnread(threads: readonly string[]): Promise<void> {
    await this.#memory.update("unread", threads);
  }

  /** The threads that are only begun and hold something to send. */
  begun(): z.infer<typeof begunThreads> {
    const parsed = z.safeParse(begunThreads, this.#memory.get("begun"));
    const all = parsed.success ? parsed.data : [];
    return all.filter(({ id }) => {
      const { text, attachments = [] } = this.get(id);
      return text.trim() !== "" || attachments.length > 0;
    });
  }

  async setBegun(threads: z.infer<typeof begunThreads>): Promise<void> {
    await this.#keep("begun", threads);
  }

  memory(thread: string): ViewMemory | undefined {
    const kept = this.#memory.get<unknown>(placeKey(thread));
    const parsed = z.safeParse(viewMemory, kept);
    return parsed.success ? parsed.data : undefined;
  }

  async setMemory(thread: string, memory: ViewMemory): Promise<void> {
    const empty =
      memory.scroll === null && Object.keys(memory.folds).length === 0;
    await this.#keep(placeKey(thread), empty ? undefined : memory);
  }

  /** Nothing of it is left, and nothing is kept from now on: pages write until their window is gone. */
  async forgetAll(): Promise<void> {
    this.#forgotten = true;
    await forgetKept(this.#memory);
  }

  async #keep(name: string, value: unknown): Promise<void> {
    if (!this.#forgotten) await this.#memory.update(name, value);
  }
}

/** What was kept for threads that are gone with their record. */
export async function forgetKept(memory: vscode.Memento): Promise<void> {
  for (const name of memory.keys())
    if (/^(?:draft:|place:|shown$|begun$)/.test(name))
      await memory.update(name, undefined);
}

const placeKey = (thread: string): string => `place:${thread}`;
const key = (thread: string): string => `draft:${thread}`;
