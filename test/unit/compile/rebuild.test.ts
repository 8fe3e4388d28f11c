import assert from "node:assert/strict";
import { explain } from "../../../src/core/compile/explain.ts";
import { rebuild } from "../../../src/core/compile/rebuild.ts";
import type { Body, Message } from "../../../src/core/message.ts";
import {
  calls,
  claude,
  codex,
  compileFor,
  identity,
  image,
  live,
  project,
  resource,
  results,
  says,
  sessionOf,
  sha256,
  Story,
  text,
  todo,
} from "./story.ts";

/** A full prompt with everything that can be in one. */
function sent(systemPrompt: boolean) {
  const story = new Story();
  for (let i = 0; i < 30; i += 1)
    story.exchange(
      claude,
      [`ask ${i} ${"x".repeat(500)}`],
      [says(`answer ${i}`)],
    );
  const blocks = [text("look"), image("a.png"), resource("file:///b", "b")];
  story.exchange(
    codex,
    [{ blocks }],
    [calls("c"), results("c", "out"), calls("open")],
    {
      stop: "cancelled",
    },
  );
  const archived =
    story.rows.find(({ body }) => body.kind === "user")?.batch ?? "";
  const archives = [
    {
      id: "a",
      thread: "t",
      batches: [archived],
      text: "Long ago.",
      createdAt: 1,
    },
  ];
  const batch = story.claim(["one </message>", { blocks: [image("c.png")] }]);
  const compiled = compileFor(story, batch, {
    fragments: [identity, project, todo("1. build")],
    capabilities: { image: false, embeddedContext: false, systemPrompt },
    budgetTokens: 2500,
    archives,
  });
  const texts = new Map(compiled.keep.map((kept) => [kept.hash, kept.text]));
  return { story, compiled, texts };
}

describe("what was sent", () => {
  for (const systemPrompt of [true, false])
    it(`I54: is rebuilt from its recipe, byte for byte (${systemPrompt ? "with" : "without"} a system prompt)`, () => {
      const { story, compiled, texts } = sent(systemPrompt);
      const kinds = new Set(compiled.parts.map(({ kind }) => kind));
      assert.deepEqual(
        [...kinds],
        ["fragment", "archive", "digest", "history", "batch"],
      );
      const recipe = structuredClone(compiled.recipe);
      const rebuilt = rebuild(recipe, story.rows, texts, sha256);
      assert.equal(rebuilt.ok, true);
      assert.deepEqual(rebuilt.blocks, compiled.blocks);
      assert.equal(rebuilt.systemPrompt, compiled.systemPrompt);
      assert.deepEqual(rebuilt.parts, compiled.parts);
      assert.deepEqual(rebuilt.notes, compiled.notes);
      assert.deepEqual(
        new Set(compiled.notes.map(({ kind }) => kind)),
        new Set([
          "imageAsText",
          "resourceAsText",
          "closedCall",
          "digested",
          "leftOut",
        ]),
      );
    });

  it("a delta's fragments tell why they went, and which did not", () => {
    const story = new Story();
    const [first] = story.exchange(claude, ["Hello"], [says("Hi!")]);
    const dynamic = (id: string, words: string) =>
      ({ id, lifecycle: "dynamic", text: words }) as const;
    const memory = live(
      sessionOf(claude, {
        cursor: first?.position ?? null,
        ledger: {
          plan: sha256("1. build"),
          reminders: sha256("Be brief."),
          editor: sha256("a.ts"),
        },
      }),
    );
    const compiled = compileFor(story, story.claim(["Go on"]), {
      memory,
      fragments: [
        identity,
        dynamic("plan", "2. test"),
        dynamic("reminders", "Be brief."),
        dynamic("who asks", "a bot"),
      ],
    });
    const texts = new Map(compiled.keep.map((kept) => [kept.hash, kept.text]));
    const rebuilt = rebuild(compiled.recipe, story.rows, texts, sha256);
    assert.equal(rebuilt.ok, true);
    const { parts, omitted } = explain({
      ...rebuilt,
      kind: "delta",
      recipe: compiled.recipe,
    });
    assert.deepEqual(
      parts.map(({ label, why }) => [label, why]),
      [
        ["plan", "It has changed since the session had it."],
        ["who asks", "The session has not had it."],
        ["editor", "The session had it, and it no longer applies."],
        ["Message", "It is what is asked."],
      ],
    );
    assert.deepEqual(omitted, [
      "Earlier messages: the session remembers them.",
      "Identity, project and instructions: the session has them.",
      "Unchanged since the session had it: reminders.",
    ]);
  });

  it("I54: is the same after its messages moved on, and after more has come", () => {
    const { story, compiled, texts } = sent(false);
    story.rows = story.rows.map((row) =>
      row.state === null ? row : { ...row, state: "superseded" },
    );
    const open = story.rows.find(
      ({ body }) => body.kind === "toolCall" && body.toolCallId === "open",
    );
    story.append(open?.batch ?? "", codex, results("open", "late"), {
      late: true,
    });
    const rebuilt = rebuild(compiled.recipe, story.rows, texts, sha256);
    assert.equal(rebuilt.ok, true);
    assert.deepEqual(rebuilt.blocks, compiled.blocks);
  });

  const change = (rows: readonly Message[], body: Body) =>
    rows.map((row, i) => (i === rows.length - 1 ? { ...row, body } : row));
  const other: Body = { kind: "user", blocks: [text("something else")] };

  it("I54: is not shown when it can't be told exactly", () => {
    const { story, compiled, texts } = sent(false);
    const { recipe } = compiled;
    const last = recipe.positions.at(-1) ?? "";
    const missing = (positions: string[], hashes: string[]) => ({
      ...{ ok: false, reason: "missing" },
      ...{ positions, texts: hashes },
    });
    const [hash = ""] = texts.keys();
    const fewer = new Map([...texts].slice(1));
    assert.deepEqual(
      [
        rebuild(recipe, change(story.rows, other), texts, sha256),
        rebuild(recipe, story.rows.slice(0, -1), texts, sha256),
        rebuild(recipe, story.rows, fewer, sha256),
        rebuild({ ...recipe, packer: "0" }, story.rows, texts, sha256),
      ],
      [
        { ok: false, reason: "changed" },
        missing([last], []),
        missing([], [hash]),
        { ok: false, reason: "packer" },
      ],
    );
  });
});
