import type { ElicitationAnswer } from "./agentFeatures.ts";
import type { NewMessage, Reply, Request } from "./dispatch/events.ts";
import { storedOriginals } from "./dispatch/originals.ts";
import type { Block, Snowflake } from "./message.ts";
import type { Store } from "./ports.ts";

/** A request, or one that is made from the store when its turn comes, so that nothing can have changed in between. */
export type Asked = Request | ((store: Store) => Promise<Request>);

/** What can be asked of a thread: each is answered once it is committed, or refused. */
export abstract class Requests {
  submit(thread: string, message: NewMessage): Promise<Reply> {
    return this.ask(thread, { kind: "submit", message });
  }

  beginEdit(thread: string, id: string, holder: string): Promise<Reply> {
    return this.ask(thread, { kind: "editBegin", id, holder });
  }

  saveEdit(
    thread: string,
    id: string,
    holder: string,
    blocks: readonly Block[],
    kept: readonly number[] = [],
    split?: { readonly offset: number; readonly newId: string },
  ): Promise<Reply> {
    return this.ask(thread, {
      kind: "editSave",
      id,
      holder,
      blocks,
      kept,
      ...(split === undefined ? {} : { split }),
    });
  }

  remove(thread: string, ids: readonly string[]): Promise<Reply> {
    return this.ask(thread, { kind: "remove", ids });
  }

  reorder(thread: string, id: string, before: string | null): Promise<Reply> {
    return this.ask(thread, { kind: "reorder", id, before });
  }

  merge(thread: string, id: string, other: string): Promise<Reply> {
    return this.ask(thread, { kind: "merge", id, with: other });
  }

  setSeparate(thread: string, id: string, on: boolean): Promise<Reply> {
    return this.ask(thread, { kind: "separate", id, on });
  }

  hold(thread: string): Promise<Reply> {
    return this.ask(thread, { kind: "hold" });
  }

  /** Also the "Retry" of a held queue. */
  resume(thread: string): Promise<Reply> {
    return this.ask(thread, { kind: "resume" });
  }

  /** One item alone, or the queue. */
  sendNow(thread: string, id: string | null = null): Promise<Reply> {
    return this.ask(thread, { kind: "sendNow", id });
  }

  cancel(thread: string): Promise<Reply> {
    return this.ask(thread, { kind: "cancel" });
  }

  cancelAll(thread: string): Promise<Reply> {
    return this.ask(thread, { kind: "cancelAll" });
  }

  /** Asks the agent to go on where a turn stopped; said in words, since a prompt needs some. */
  continue(
    thread: string,
    batch: Snowflake,
    message: Omit<NewMessage, "continues">,
  ): Promise<Reply> {
    return this.submit(thread, { ...message, continues: batch, first: true });
  }

  answerPermission(thread: string, id: string, option: string): Promise<Reply> {
    return this.ask(thread, { kind: "answerPermission", id, option });
  }

  answerElicitation(
    thread: string,
    id: string,
    answer: ElicitationAnswer,
  ): Promise<Reply> {
    return this.ask(thread, { kind: "answerElicitation", id, answer });
  }

  reset(thread: string): Promise<Reply> {
    return this.ask(thread, { kind: "reset" });
  }

  setAgent(thread: string, agent: string): Promise<Reply> {
    return this.ask(thread, { kind: "setAgent", agent });
  }

  setFolder(thread: string, folder: string): Promise<Reply> {
    return this.ask(thread, { kind: "setFolder", folder });
  }

  rename(thread: string, title: string): Promise<Reply> {
    return this.ask(thread, { kind: "rename", title });
  }

  archive(thread: string, on: boolean): Promise<Reply> {
    return this.ask(thread, { kind: "archive", on });
  }

  restore(thread: string, ids: readonly string[]): Promise<Reply> {
    return this.ask(thread, async (store) => {
      const found = await Promise.all(ids.map((id) => store.message(id)));
      const messages = found
        .filter((message) => message !== undefined)
        .filter((message) => message.thread === thread);
      const originals = await storedOriginals(store, messages);
      return { kind: "restore", messages, originals };
    });
  }

  /** Sends the aborted messages of a batch once more, as copies. */
  retry(thread: string, batch: Snowflake): Promise<Reply> {
    return this.ask(thread, async (store) => ({
      kind: "retry",
      originals: await store.batch(thread, batch),
    }));
  }

  discard(thread: string, batch: Snowflake): Promise<Reply> {
    return this.ask(thread, async (store) => ({
      kind: "discard",
      messages: await store.batch(thread, batch),
    }));
  }

  protected abstract ask(thread: string, asked: Asked): Promise<Reply>;
}
