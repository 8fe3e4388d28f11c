import type { NewAttachment } from "../../src/protocol/newAttachment.ts";
import type { ContextItem, Reply } from "../../src/protocol/reply.ts";
import type { ToHost } from "../../src/protocol/toHost.ts";
import { readFile } from "./attach.ts";

export interface HungEnds {
  readonly items: () => readonly NewAttachment[];
  readonly become: (items: readonly NewAttachment[]) => void;
  readonly request: (message: ToHost) => Promise<Reply>;
  /** Tells the user why something was not taken. */
  readonly trouble: (why: string) => void;
}

/** What hangs on the message that is being written. The host keeps the bytes; here is only what stands for them. */
export class Hung {
  readonly #ends: HungEnds;

  constructor(ends: HungEnds) {
    this.#ends = ends;
  }

  /** Each for itself: one that can't be taken says so and leaves the others. */
  async addFiles(files: readonly File[]): Promise<void> {
    const troubles: string[] = [];
    for (const file of files) {
      const read = await readFile(file);
      const why = read.ok ? await this.#ask(read.message) : read.why;
      if (why !== undefined) troubles.push(why);
    }
    if (troubles.length > 0) this.#ends.trouble(troubles.join(" "));
  }

  async addUris(uris: readonly string[]): Promise<void> {
    const why = await this.#ask({ type: "takeUris", uris });
    if (why !== undefined) this.#ends.trouble(why);
  }

  /** True when it was taken. */
  async addContext({ attachment, part }: ContextItem): Promise<boolean> {
    if (attachment !== undefined) this.#add([attachment]);
    else if (part !== undefined) {
      const why = await this.#ask({ type: "takeContext", part });
      if (why !== undefined) this.#ends.trouble(why);
      return why === undefined;
    }
    return attachment !== undefined;
  }

  async find(query: string): Promise<readonly ContextItem[]> {
    const reply = await this.#ends.request({ type: "findContext", query });
    return reply.kind === "context" ? reply.items : [];
  }

  remove(item: NewAttachment): void {
    this.#ends.become(this.#ends.items().filter((other) => other !== item));
  }

  /** Answers why not. */
  async #ask(message: ToHost): Promise<string | undefined> {
    const reply = await this.#ends.request(message);
    if (reply.kind === "attachments") this.#add(reply.attachments);
    return reply.kind === "refused" || reply.kind === "failed"
      ? reply.message
      : undefined;
  }

  #add(items: readonly NewAttachment[]): void {
    this.#ends.become([...this.#ends.items(), ...items]);
  }
}
