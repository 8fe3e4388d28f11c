import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { ThreadChange } from "../../../src/core/dispatch/changes.ts";
import type { FromTimeline } from "../../../src/protocol/timeline.ts";
import { toTimeline, type ToTimeline } from "../../../src/protocol/timeline.ts";
import { TimelineView } from "../../../src/host/timelineView.ts";
import { MemoryLog } from "../../fakes/log.ts";
import { MemoryStore } from "../../fakes/memoryStore.ts";
import { at, body, write } from "../../fakes/recordBuilder.ts";

/** A view of the timeline on a record in memory, and what its page is told. */
class Told {
  readonly store = new MemoryStore();
  readonly messages: ToTimeline[] = [];
  readonly exported: string[] = [];
  #threads: readonly string[] = [];
  #receive: (data: unknown) => void = () => undefined;
  #changed: (change: ThreadChange) => void = () => undefined;
  #booked: () => void = () => undefined;
  readonly view: TimelineView;

  constructor() {
    const none = { dispose: () => undefined };
    const services = {
      store: this.store,
      log: new MemoryLog(),
      catalog: { label: (id: string) => id },
      engine: {
        onChange: (run: (change: ThreadChange) => void) => {
          this.#changed = run;
          return () => undefined;
        },
        snapshot: () => ({ queue: { held: null, items: [] }, turn: null }),
      },
      book: {
        onChange: (run: () => void) => {
          this.#booked = run;
          return () => undefined;
        },
        summaries: () =>
          this.#threads.map((id) => ({
            ...{ id, title: id, agent: "A", mark: "none" },
          })),
      },
      settings: () => ({ dispatch: { contextBudgetTokens: 1_000 } }),
      hide: (text: string) => text.replaceAll("hush", "•••"),
    };
    this.view = new TimelineView(
      {
        send: (data) => {
          const { body } = data as { readonly body: unknown };
          this.messages.push(toTimeline.parse(body));
        },
        onMessage: (receive) => {
          this.#receive = receive;
          return none;
        },
      },
      services as unknown as ConstructorParameters<typeof TimelineView>[1],
      {
        open: () => Promise.resolve(),
        inspect: () => Promise.resolve(),
        save: (_, text) => Promise.resolve(void this.exported.push(text)),
      },
      new Map(),
    );
  }

  ask(message: FromTimeline): void {
    this.#receive({ kind: "post", body: message });
  }

  have(...threads: readonly string[]): void {
    this.#threads = threads;
    this.#booked();
  }

  /** A turn of one message, in the record and told of. */
  async turn(n: number, thread: string, text: string): Promise<void> {
    const answer = await this.store.commit(
      [
        write.accept(`m${n}`, n, { thread, text }),
        write.claim(at(n + 1), [[`m${n}`, n + 1]]),
        write.append(`s${n}`, n + 2, at(n + 1), body.start()),
        write.append(`e${n}`, n + 3, at(n + 1), body.end()),
      ],
      "normal",
    );
    assert.ok(answer.ok, JSON.stringify(answer));
    this.#changed({ kind: "turn", thread } as ThreadChange);
  }

  async until(is: (messages: readonly ToTimeline[]) => boolean): Promise<void> {
    for (let tries = 0; !is(this.messages); tries += 1) {
      assert.ok(tries < 2_000, "It was not told.");
      await sleep(5);
    }
  }

  of<T extends ToTimeline["type"]>(
    type: T,
  ): readonly Extract<ToTimeline, { type: T }>[] {
    return this.messages.filter(
      (one): one is Extract<ToTimeline, { type: T }> => one.type === type,
    );
  }
}

async function told(): Promise<Told> {
  const page = new Told();
  await page.store.commit([write.thread("t"), write.thread("u")], "normal");
  page.have("t", "u");
  return page;
}

describe("a view of the timeline", () => {
  it("tells of a turn that holds the text looked for as it comes", async () => {
    const page = await told();
    await page.turn(1, "t", "the third");
    page.ask({ type: "ready" });
    page.ask({ type: "find", text: "third" });
    await page.until(() => page.of("found").length === 1);
    await page.turn(11, "t", "third again");
    await page.until(() => page.of("found").at(-1)?.batches.length === 2);
    page.ask({ type: "find", text: "" });
    const before = page.of("found").length;
    const batches = page.of("batches").length;
    await page.turn(21, "t", "third once more");
    await page.until(() => page.of("batches").length > batches);
    assert.equal(page.of("found").length, before);
    page.view.dispose();
  });

  it("tells a thread's past again that went away and came back", async () => {
    const page = await told();
    await page.turn(1, "t", "one");
    await page.turn(11, "u", "two");
    page.ask({ type: "ready" });
    await page.until(() => page.of("complete").length === 1);
    page.have("t");
    // The page is hidden and made anew.
    page.ask({ type: "ready" });
    await page.until(() => page.of("complete").length === 2);
    const since = page.messages.length;
    page.have("t", "u");
    await page.until((all) =>
      all
        .slice(since)
        .some(
          (one) =>
            one.type === "batches" &&
            one.batches.some(({ thread }) => thread === "u"),
        ),
    );
    page.view.dispose();
  });

  it("leaves the user's secrets out of what it exports", async () => {
    const page = await told();
    page.ask({ type: "export", format: "csv", text: "a hush b" });
    await page.until(() => page.exported.length === 1);
    assert.deepEqual(page.exported, ["a ••• b"]);
    page.view.dispose();
  });
});
