import assert from "node:assert/strict";
import fc from "fast-check";
import { rebuild, textsNamedBy } from "../../../src/core/compile/rebuild.ts";
import { sha256 } from "./story.ts";
import { outcomes, World, type Op } from "./world.ts";
import { runs } from "../../fakes/runs.ts";

const names = Object.keys(outcomes) as (keyof typeof outcomes)[];

const submit = fc.record({
  op: fc.constant("submit" as const),
  bot: fc.boolean(),
  command: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  waited: fc.constantFrom("turn", "collected", "held", "restored"),
});
const dispatch = fc.record({
  op: fc.constant("dispatch" as const),
  agent: fc.constantFrom<0 | 1>(0, 1),
  mode: fc.constantFrom("batched", "lane", "one"),
  outcome: fc.oneof(fc.constant("success" as const), fc.constantFrom(...names)),
  tools: fc.array(fc.constantFrom("pair", "open", "stray"), { maxLength: 3 }),
  todo: fc.constantFrom("", "a", "b"),
  continues: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
});
const other: fc.Arbitrary<Op> = fc.oneof(
  fc.constant<Op>({ op: "reorder" }),
  fc.boolean().map((tool): Op => ({ op: "late", tool })),
  fc.constant<Op>({ op: "retry" }),
  fc.constant<Op>({ op: "discard" }),
  fc.constantFrom<0 | 1>(0, 1).map((agent): Op => ({ op: "lose", agent })),
);
const ops: fc.Arbitrary<Op[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: submit },
    { weight: 4, arbitrary: dispatch },
    { weight: 2, arbitrary: other },
  ),
  { maxLength: 40, size: "max" },
);

describe("the life of a thread", () => {
  it("I37, I40, I41, I54: each session gets what it lacks once, and what it got can be rebuilt", () => {
    fc.assert(
      fc.property(ops, (script) => {
        const world = new World();
        for (const op of script) world.run(op);
        for (const { compiled } of world.sent) {
          const { recipe } = compiled;
          const hashes = textsNamedBy(recipe);
          const texts = new Map(
            hashes.flatMap((hash) => {
              const kept = world.texts.get(hash);
              return kept === undefined ? [] : [[hash, kept] as const];
            }),
          );
          const rebuilt = rebuild(recipe, world.story.rows, texts, sha256);
          assert.equal(rebuilt.ok, true);
          assert.deepEqual(rebuilt.blocks, compiled.blocks);
          assert.deepEqual(rebuilt.parts, compiled.parts);
        }
      }),
      { numRuns: runs(120) },
    );
  });
});
