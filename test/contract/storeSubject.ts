import assert from "node:assert/strict";
import type { Message } from "../../src/core/message.ts";
import type { History } from "../../src/core/recordPort.ts";
import type { CommitAnswer, Write } from "../../src/core/writes.ts";
import { at, body, write } from "../fakes/recordBuilder.ts";

export interface Opened {
  readonly store: History;
  end(): Promise<void>;
}

/** The store under test, one for each test, and what tests do with it. */
export class Subject {
  #opened: Opened | undefined;

  constructor(open: () => Promise<Opened>) {
    beforeEach(async () => {
      this.#opened = await open();
      await this.ok(write.thread("t"));
    });
    afterEach(() => this.#opened?.end());
  }

  get store(): History {
    assert.ok(this.#opened);
    return this.#opened.store;
  }

  commit(...writes: readonly Write[]): Promise<CommitAnswer> {
    return this.store.commit(writes, "full");
  }

  async ok(...writes: readonly Write[]): Promise<void> {
    assert.deepEqual(await this.commit(...writes), { ok: true });
  }

  async refused(...writes: readonly Write[]): Promise<void> {
    const answer = await this.commit(...writes);
    assert.ok(!answer.ok && answer.reason === "failed", JSON.stringify(answer));
  }

  async one(id: string): Promise<Message> {
    const found = await this.store.message(id);
    assert.ok(found, id);
    return found;
  }

  /** A whole turn: accepted, claimed, sent, answered and ended. Uses ten numbers from n. */
  turn(id: string, n: number, thread = "t"): Promise<void> {
    const batch = at(n + 1);
    const answer = body.agent(`answer to ${id}`);
    return this.ok(
      write.accept(id, n, { thread }),
      write.claim(batch, [[id, n + 1]]),
      write.append(`${id}.start`, n + 2, batch, body.start(), {}, thread),
      write.state("sent", id),
      write.append(`${id}.text`, n + 3, batch, answer, {}, thread),
      write.append(`${id}.end`, n + 4, batch, body.end(), {}, thread),
      write.state("delivered", id),
    );
  }
}

export function ids(rows: readonly Message[]): readonly string[] {
  return rows.map(({ id }) => id);
}
