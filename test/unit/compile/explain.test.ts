import assert from "node:assert/strict";
import { explain } from "../../../src/core/compile/explain.ts";
import { savings } from "../../../src/core/compile/savings.ts";
import { bytesOf } from "../../../src/core/compile/tokens.ts";
import type { Recipe } from "../../../src/core/message.ts";
import {
  calls,
  claude,
  codex,
  compileFor,
  identity,
  image,
  live,
  says,
  sessionOf,
  Story,
  text,
  todo,
} from "./story.ts";

describe("the preview", () => {
  it("tells kind, reason, and each part with its size", () => {
    const story = new Story();
    story.exchange(
      codex,
      [{ blocks: [text("see"), image("a.png")] }],
      [calls("c")],
      {
        stop: "cancelled",
      },
    );
    const batch = story.claim(["one", { blocks: [image("b.png")] }]);
    const compiled = compileFor(story, batch, {
      fragments: [identity, todo("x")],
    });
    const told = explain(compiled);
    assert.equal(told.kind, "full");
    assert.equal(
      told.why,
      "The agent has no session for this conversation yet.",
    );
    assert.deepEqual(
      told.parts.map(({ kind, label, count, blocks }) => [
        kind,
        label,
        count,
        blocks.length,
      ]),
      [
        ["fragment", "identity", 1, 1],
        ["fragment", "todo", 1, 1],
        ["history", "Conversation so far", 1, 2],
        ["batch", "Messages", 2, 2],
      ],
    );
    assert.equal(told.bytes, compiled.recipe.bytes);
    assert.equal(
      told.parts.reduce((sum, { bytes }) => sum + bytes, 0),
      told.bytes,
    );
    assert.deepEqual(
      told.parts.flatMap(({ blocks }) => blocks),
      compiled.blocks,
    );
    assert.deepEqual(told.notes, [
      "The open tool call c is shown as interrupted.",
    ]);
  });

  it("tells of a message still in the queue, too", () => {
    const story = new Story();
    const [claimed] = story.claim(["soon"]);
    assert.ok(claimed);
    const queued = { ...claimed, position: null, batch: null, sequence: null };
    const memory = live(sessionOf(claude, { cursor: "0" }));
    const compiled = compileFor(story, [queued], { memory, history: [] });
    assert.deepEqual(compiled.blocks, [text("soon")]);
    assert.equal(
      explain(compiled).why,
      "The session remembers everything before this.",
    );
  });
});

describe("savings", () => {
  const batches = (story: Story) =>
    Object.values(Object.groupBy(story.rows, ({ batch }) => batch ?? "")).map(
      (rows) => rows ?? [],
    );

  it("are turns that batching avoided, and bytes that a delta left out", () => {
    const story = new Story();
    story.exchange(claude, ["12345"], [says("67890")]);
    story.exchange(claude, ["a", "b", "c"], [says("d")]);
    assert.deepEqual(savings(batches(story)), {
      turnsAvoided: 2,
      bytesNotResent: bytesOf([text("1234567890")]),
      estimated: true,
    });
    assert.equal(savings(batches(story), 4).bytesNotResent, 4);
  });

  const cases: readonly [string, Partial<Recipe>, number][] = [
    ["a delta", {}, 10],
    ["a full prompt saves nothing", { kind: "full" }, 0],
    [
      "a command saves nothing",
      {
        form: {
          packing: "tagged",
          batch: 1,
          image: true,
          embeddedContext: true,
          alone: true,
        },
      },
      0,
    ],
  ];
  for (const [name, recipe, bytes] of cases)
    it(name, () => {
      const story = new Story();
      story.exchange(claude, ["12345"], [says("67890")]);
      const batch = story.claim(["next"]);
      story.start(batch, sessionOf(claude), recipe);
      assert.equal(savings(batches(story)).bytesNotResent, bytes);
    });

  it("do not count what a delta did carry", () => {
    const story = new Story();
    const [first] = story.exchange(codex, ["12345"], [says("67890")]);
    const batch = story.claim(["next"]);
    story.start(batch, sessionOf(claude), {
      positions: [first?.position ?? ""],
    });
    assert.equal(savings(batches(story)).bytesNotResent, 5);
  });
});
