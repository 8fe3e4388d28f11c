import assert from "node:assert/strict";
import { Connection } from "../../../src/history/connection.ts";
import { Engine } from "../../../src/history/engine.ts";
import { migrations } from "../../../src/history/schema.ts";
import { ensureIndex } from "../../../src/history/searchIndex.ts";
import type { Sliced } from "../../../src/history/slices.ts";
import { at, body, timeAt, write } from "../../fakes/recordBuilder.ts";
import { scenario } from "../../fakes/recordScenario.ts";

/** Every statement that runs while chatting, gathered by chatting. */
function statementsOf(work: (engine: Engine) => void): {
  readonly connection: Connection;
  readonly seen: ReadonlySet<string>;
} {
  const seen = new Set<string>();
  let watching = false;
  const connection = new Connection(":memory:", {
    hook: (sql) => watching && seen.add(sql),
  });
  for (const step of migrations) step(connection);
  const engine = new Engine(connection, {
    file: "",
    readOnly: false,
    fullText: ensureIndex(connection, false),
    statements: () => 0,
    onDamage: (detail) => assert.fail(detail),
  });
  watching = true;
  work(engine);
  watching = false;
  return { connection, seen };
}

function finish<T>(sliced: Sliced<T>): T {
  for (;;) {
    const step = sliced.next();
    if (step.done === true) return step.value;
  }
}

describe("statements of the store", () => {
  it("I1: sync to the disk before a durable commit is answered, and only then", () => {
    const trace: string[] = [];
    const connection = new Connection(":memory:", {
      hook: (sql) => trace.push(sql),
    });
    for (const durability of ["full", "normal", "normal", "full"] as const)
      connection.transaction(durability, () => trace.push(durability));
    connection.close();
    const syncs = trace.filter((sql) => sql !== "after commit");
    assert.deepEqual(syncs, [
      ...["PRAGMA synchronous = FULL", "BEGIN IMMEDIATE", "full", "COMMIT"],
      ...["PRAGMA synchronous = NORMAL", "BEGIN IMMEDIATE", "normal", "COMMIT"],
      ...["BEGIN IMMEDIATE", "normal", "COMMIT"],
      ...["PRAGMA synchronous = FULL", "BEGIN IMMEDIATE", "full", "COMMIT"],
    ]);
  });

  it("find rows by an index, so that their cost does not grow with history", () => {
    const { connection, seen } = statementsOf((engine) => {
      for (let seed = 0; seed < 8; seed += 1)
        for (const { writes, durability } of scenario(seed, 60))
          engine.commit(writes, durability);
      for (const { id } of engine.threads()) {
        engine.thread(id);
        engine.sessions(id);
        engine.queue(id);
        engine.unsettled(id);
        engine.sinceUser(id, 5);
        engine.discarded(id, 5);
        engine.archives(id);
        engine.page(id, { limit: 5 });
        engine.page(id, { limit: 5, before: at(9) });
        engine.page(id, { limit: 5, after: at(9) });
        engine.batch(id, at(1));
      }
      engine.message("m1");
      engine.blobs(["hash1"]);
      engine.greatest();
      engine.unfinished();
      while (engine.indexSome());
      const [first] = engine.threads();
      assert.ok(first);
      const threads = [first.id];
      const every = {
        ...{ threads, agents: ["builtin"], before: timeAt(99) },
        has: "diff",
      } as const;
      const asked = ["", "parser", "漢字"].flatMap((text) => [
        { text },
        { text, threads },
        { text, agents: ["builtin"] },
        { text, before: timeAt(9) },
        { text, has: "diff" as const },
        { text, state: "queued" as const },
        { text, ...every },
      ]);
      for (const query of asked) finish(engine.search({ ...query, limit: 9 }));
      // More of them than are looked at one by one.
      engine.commit(
        Array.from({ length: 60 }, (_, n) =>
          write.append(`diff${n}`, 9_000 + n, at(9_000), {
            ...body.diff(`k${n}`),
          }),
        ),
        "normal",
      );
      for (const query of asked) finish(engine.search({ ...query, limit: 9 }));
      finish(engine.batches({ limit: 9 }));
    });
    const plans = [...seen]
      .filter((sql) => /^\s*(SELECT|INSERT|UPDATE|DELETE)/.test(sql))
      .flatMap((sql) =>
        connection
          .all(
            `EXPLAIN QUERY PLAN ${sql}`,
            ...[...sql.matchAll(/\?/g)].map(() => null),
          )
          .map(({ detail }) => ({ sql, detail: String(detail) })),
      );
    assert.ok(plans.length > 40, String(plans.length));
    assert.deepEqual(
      plans.filter(
        ({ detail }) =>
          /SCAN/.test(detail) &&
          !/SCAN (thread|messageText VIRTUAL|json_each VIRTUAL|CONSTANT ROW)/.test(
            detail,
          ) &&
          !/USING (COVERING )?INDEX (message(First|Unindexed|Queued|Open|Diff)|sessionProcess)/.test(
            detail,
          ),
      ),
      [],
    );
    const wholeThread = plans.filter(({ detail }) =>
      /SEARCH (message|m) .*\(thread=\?\)$/.test(detail),
    );
    for (const { sql, detail } of wholeThread)
      assert.match(detail, /INDEX message(Queued|Open|Discarded) /, sql);
    connection.close();
  });
});
