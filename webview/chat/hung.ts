import { signal } from "@preact/signals";
import type { NewAttachment } from "../../src/protocol/newAttachment.ts";
import type { ContextItem, Reply } from "../../src/protocol/reply.ts";
import type { ToHost } from "../../src/protocol/toHost.ts";
import { readFile } from "./attach.ts";

type Items = readonly NewAttachment[];

export interface HungEnds {
  readonly thread: () => string;
  /** Changes what hangs on the draft of a thread, whichever is shown by then. */
  readonly change: (thread: string, change: (items: Items) => Items) => void;
  readonly request: (message: ToHost) => Promise<Reply>;
  /** Tells the user why something was not taken. */
  readonly trouble: (why: string) => void;
}

/** What hangs on the message that is being written. The host keeps the bytes; here is only what stands for them. */
export class Hung {
  /** Threads with something on its way to their draft. */
  readonly taking = signal<readonly string[]>([]);
  readonly #ends: HungEnds;
  readonly #work = new Map<string, Promise<boolean>>();

  constructor(ends: HungEnds) {
    this.#ends = ends;
  }

  /** Each for itself: one that can't be taken says so and leaves the others. */
  addFiles(files: readonly File[]): Promise<boolean> {
    return this.#take(async (thread) => {
      const troubles: string[] = [];
      for (const file of files) {
        const read = await readFile(file);
        const why = read.ok ? await this.#ask(thread, read.message) : read.why;
        if (why !== undefined) troubles.push(why);
      }
      return troubles;
    });
  }

  addUris(uris: readonly string[]): Promise<boolean> {
    return this.#take((thread) =>
      this.#asked(thread, { type: "takeUris", uris }),
    );
  }

  addContext({ attachment, part }: ContextItem): Promise<boolean> {
    return this.#take((thread) => {
      if (part !== undefined)
        return this.#asked(thread, { type: "takeContext", part });
      if (attachment !== undefined) this.#add(thread, [attachment]);
      return Promise.resolve([]);
    });
  }

  /** Answers when nothing is on its way to a thread's draft any more: whether all of it was taken. */
  settled(thread: string): Promise<boolean> {
    return this.#work.get(thread) ?? Promise.resolve(true);
  }

  async find(query: string): Promise<readonly ContextItem[]> {
    const reply = await this.#ends.request({ type: "findContext", query });
    return reply.kind === "context" ? reply.items : [];
  }

  remove(item: NewAttachment): void {
    this.#ends.change(this.#ends.thread(), (items) =>
      items.filter((other) => other !== item),
    );
  }

  /** For the thread it was begun in; true when there was no trouble, nor with what is under way there already. */
  #take(run: (thread: string) => Promise<readonly string[]>): Promise<boolean> {
    const thread = this.#ends.thread();
    const before = this.#work.get(thread);
    const work = this.#run(thread, before, run).finally(() => {
      if (this.#work.get(thread) === work) this.#work.delete(thread);
      this.taking.value = [...this.#work.keys()];
    });
    this.#work.set(thread, work);
    this.taking.value = [...this.#work.keys()];
    return work;
  }

  async #run(
    thread: string,
    before: Promise<boolean> | undefined,
    run: (thread: string) => Promise<readonly string[]>,
  ): Promise<boolean> {
    const troubles = await run(thread);
    if (troubles.length > 0) this.#ends.trouble(troubles.join(" "));
    return (await (before ?? true)) && troubles.length === 0;
  }

  async #asked(thread: string, message: ToHost): Promise<readonly string[]> {
    const why = await this.#ask(thread, message);
    return why === undefined ? [] : [why];
  }

  /** Answers why not. */
  async #ask(thread: string, message: ToHost): Promise<string | undefined> {
    const reply = await this.#ends.request(message);
    if (reply.kind === "attachments") this.#add(thread, reply.attachments);
    return reply.kind === "refused" || reply.kind === "failed"
      ? reply.message
      : undefined;
  }

  #add(thread: string, added: Items): void {
    this.#ends.change(thread, (items) => [...items, ...added]);
  }
}
