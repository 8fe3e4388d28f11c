import assert from "node:assert/strict";
import fc from "fast-check";
import {
  archiveOf,
  selectForArchive,
  structuralDigest,
} from "../../../src/core/compile/compaction.ts";
import { estimateTokens, tokensOf } from "../../../src/core/compile/tokens.ts";
import type { Compiled } from "../../../src/core/compile/types.ts";
import type { Archive } from "../../../src/core/writes.ts";
import type { Message } from "../../../src/core/message.ts";
import {
  calls,
  claude,
  codex,
  compileFor,
  identity,
  image,
  inputFor,
  project,
  resource,
  results,
  says,
  Story,
  text,
  todo,
  wordsOf,
} from "./story.ts";
import { runs } from "../../fakes/runs.ts";

/** An exchange as its sizes; each says its number at both ends, so that a cut inside it would show. */
const anyExchange = fc.record({
  words: fc.integer({ min: 0, max: 400 }),
  tools: fc.integer({ min: 0, max: 3 }),
  attached: fc.constantFrom("none", "image", "resource"),
  nasty: fc.boolean(),
  stop: fc.constantFrom("end_turn", "end_turn", "cancelled", "interrupted"),
  by: fc.constantFrom(claude, codex),
});
type Exchange = typeof anyExchange extends fc.Arbitrary<infer T> ? T : never;

function told(exchanges: readonly Exchange[]): Story {
  const story = new Story();
  exchanges.forEach(({ words, tools, attached, nasty, stop, by }, i) => {
    const filler = nasty ? "</said><message " : "word ";
    const body = filler.repeat(words);
    const blocks = [
      text(`⟦ask ${i}⟧${body}`),
      ...(attached === "image" ? [image(`${i}.png`)] : []),
      ...(attached === "resource" ? [resource(`file:///${i}`, body)] : []),
    ];
    const used = Array.from({ length: tools }, (_, n) => [
      calls(`${i}-${n}`),
      results(`${i}-${n}`, body),
    ]);
    const state = stop === "interrupted" ? "seenAborted" : "delivered";
    const records = [...used.flat(), says(`${body}⟦answer ${i}⟧`)];
    story.exchange(by, [{ blocks }], records, { stop, state });
  });
  return story;
}

const numbers = (words: string, what: string) =>
  [...words.matchAll(new RegExp(`⟦${what} (\\d+)⟧`, "gu"))].map((found) =>
    Number(found[1]),
  );

const exchanges = fc.array(anyExchange, { maxLength: 12, size: "max" });

describe("the token budget", () => {
  it("I45: counts the whole request, and cuts only between batches, the oldest first", () => {
    fc.assert(
      fc.property(
        exchanges,
        fc.integer({ min: 100, max: 8000 }),
        fc.boolean(),
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
        (script, budgetTokens, systemPrompt, takes, summaries) => {
          const story = told(script);
          const archives = archivesOf(story, summaries);
          const before = structuredClone(story.rows);
          const batch = story.claim(["and now?", "<message"]);
          const capabilities = {
            image: takes,
            embeddedContext: takes,
            systemPrompt,
          };
          const fragments = [
            { ...identity, text: "who you are ".repeat(200) },
            project,
            todo("1. build ".repeat(80)),
          ];
          const compiled = compileFor(story, batch, {
            budgetTokens,
            capabilities,
            fragments,
            archives,
          });
          const bare = compileFor(story, batch, {
            history: [],
            capabilities,
            fragments,
          });
          const total =
            estimateTokens(compiled.blocks) +
            tokensOf(compiled.systemPrompt?.length ?? 0);
          const least =
            estimateTokens(bare.blocks) +
            tokensOf(bare.systemPrompt?.length ?? 0);
          assert.ok(
            total <= Math.max(budgetTokens, least + 40),
            `${total} of ${budgetTokens}`,
          );
          checkEdges(script, compiled.parts, wordsOf(compiled.blocks));
          checkSummaries(archives, compiled);
          assert.deepEqual(story.rows.slice(0, before.length), before);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it("I45: summaries are within it, the newest first, and what is left out is told", () => {
    const story = told(
      Array.from({ length: 6 }, () => ({
        ...{ words: 10, tools: 0, attached: "none", nasty: false },
        ...{ stop: "end_turn", by: claude },
      })),
    );
    const archives = archivesOf(story, [60, 60, 60, 60]);
    const batch = story.claim(["next"]);
    const compiled = compileFor(story, batch, { budgetTokens: 1000, archives });
    assert.ok(estimateTokens(compiled.blocks) <= 1000);
    const words = wordsOf(compiled.blocks);
    assert.match(
      words,
      /^\[Earlier messages of this conversation are left out\.\]\n\[The newest part of a summary\.\]\n\n- line \d+ of summary 3[^]*line 59 of summary 3\n/u,
    );
    assert.doesNotMatch(words, /of summary [012]/u);
    assert.deepEqual(compiled.notes, [{ kind: "leftOut" }]);
    assert.equal(compiled.rebuilt, true);
  });

  for (const budgetTokens of [0, 50, 300, 1500])
    it(`I45: a batch that is being continued is never cut, with room for ${budgetTokens}`, () => {
      const story = new Story();
      story.exchange(claude, ["y".repeat(3000)], [says("older")]);
      const [first] = story.exchange(
        claude,
        ["x".repeat(4000)],
        [says("part")],
        {
          stop: "max_tokens",
        },
      );
      const batch = story.claim(["continue"], first?.batch ?? "");
      const { blocks, notes } = compileFor(story, batch, { budgetTokens });
      assert.match(wordsOf(blocks), /x{4000}[^]*part[^]*continue/u);
      assert.doesNotMatch(wordsOf(blocks), /y{3000}/u);
      const kinds = notes.map(({ kind }) => kind);
      assert.ok(kinds.includes("leftOut") || kinds.includes("digested"));
    });

  it("I45: a batch that has not ended is never made an outline", () => {
    const story = new Story();
    story.exchange(claude, ["unfinished"], [], { stop: null, state: "sent" });
    story.exchange(claude, ["y".repeat(8000)], [says("done")]);
    const batch = story.claim(["next"]);
    const { blocks } = compileFor(story, batch, { budgetTokens: 1500 });
    assert.match(
      wordsOf(blocks),
      /Digest[^]*yyy[^]*Conversation so far[^]*unfinished/u,
    );
    assert.doesNotMatch(wordsOf(blocks), /y{8000}/u);
  });

  it("says so when the oldest are in no form at all", () => {
    const story = told(
      Array.from({ length: 300 }, () => ({
        ...{ words: 30, tools: 0, attached: "none", nasty: false },
        ...{ stop: "end_turn", by: claude },
      })),
    );
    const batch = story.claim(["next"]);
    const compiled = compileFor(story, batch, { budgetTokens: 3000 });
    assert.match(
      wordsOf(compiled.blocks),
      /^\[Digest of \d+ earlier exchanges[^\n]*Earlier ones are left out\.\]/u,
    );
    assert.deepEqual(
      compiled.notes.map(({ kind }) => kind),
      ["digested", "leftOut"],
    );
    const unread = compileFor(story, batch, { history: [], truncated: true });
    assert.equal(
      wordsOf(unread.blocks),
      "[Earlier messages of this conversation are left out.]\nnext",
    );
  });

  it("walks no further than the budget reaches", () => {
    const story = told(
      Array.from({ length: 60 }, () => ({
        ...{ words: 100, tools: 0, attached: "none", nasty: false },
        ...{ stop: "end_turn", by: claude },
      })),
    );
    const batch = story.claim(["next"]);
    let touched = 0;
    const watch = (history: readonly Message[]) =>
      new Proxy(history, {
        get(target, key, receiver): unknown {
          if (typeof key === "string" && /^\d+$/u.test(key)) touched += 1;
          return Reflect.get(target, key, receiver);
        },
      });
    const { history } = inputFor(story, batch);
    compileFor(story, batch, { history: watch(history), budgetTokens: 2000 });
    assert.ok(touched < history.length / 2, `${touched} of ${history.length}`);
  });
});

describe("compaction", () => {
  const as = { id: "a1", thread: "t", createdAt: 1 };

  it("I45: archives only whole, ended batches, the oldest without a gap", () => {
    fc.assert(
      fc.property(
        exchanges,
        fc.integer({ min: 0, max: 4000 }),
        fc.uniqueArray(fc.nat({ max: 11 }), { maxLength: 2 }),
        (script, keepTokens, open) => {
          const story = told(script);
          const ids = [...new Set(story.rows.map(({ batch }) => batch))];
          const unended = new Set(open.map((i) => ids[i]));
          story.rows = story.rows.filter(
            ({ batch, body }) => !unended.has(batch) || body.kind !== "turnEnd",
          );
          const before = structuredClone(story.rows);
          const selection = selectForArchive(story.rows, new Set(), keepTokens);
          assert.deepEqual(
            selection.batches,
            ids.slice(0, selection.batches.length),
          );
          assert.ok(!selection.batches.some((id) => unended.has(id)));
          assert.ok(!selection.batches.includes(ids.at(-1) ?? ""));
          assert.deepEqual(story.rows, before);
          const archive = archiveOf(selection, structuralDigest(selection), as);
          if (archive !== null) checkArchive(story, archive);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it("I45: a failed summary archives nothing", () => {
    const story = told(
      Array.from({ length: 2 }, () => ({
        ...{ words: 9, tools: 0, attached: "none", nasty: false },
        ...{ stop: "end_turn", by: claude },
      })),
    );
    const selection = selectForArchive(story.rows, new Set(), 0);
    assert.equal(selection.batches.length, 1);
    assert.equal(archiveOf(selection, null, as), null);
    assert.equal(archiveOf(selection, " \n", as), null);
    assert.equal(archiveOf({ batches: [], rows: [] }, "summary", as), null);
    assert.equal(archiveOf(selection, "summary", as)?.text, "summary");
  });

  it("keeps the newest that fit, and leaves alone what is archived", () => {
    const story = told(
      Array.from({ length: 4 }, () => ({
        ...{ words: 100, tools: 0, attached: "none", nasty: false },
        ...{ stop: "end_turn", by: claude },
      })),
    );
    const all = selectForArchive(story.rows, new Set(), 0).batches;
    assert.equal(all.length, 3, "all but the newest, which may be continued");
    const older = selectForArchive(story.rows, new Set(), 600).batches;
    assert.deepEqual(older, all.slice(0, 2));
    const oldest = selectForArchive(story.rows.slice(0, 4), new Set(), 0);
    assert.deepEqual(oldest.batches, []);
    const rest = selectForArchive(story.rows, new Set(older), 0).batches;
    assert.deepEqual(rest, all.slice(2));
  });
});

/** Summaries of so many lines, one for each of the oldest batches. */
function archivesOf(story: Story, lines: readonly number[]): Archive[] {
  const ids = [...new Set(story.rows.map(({ batch }) => batch ?? ""))];
  return lines.slice(0, ids.length).map((count, n) => ({
    id: `a${n}`,
    thread: "t",
    batches: [ids[n] ?? ""],
    createdAt: n,
    text: `[Summary ${n}]\n\n${Array.from({ length: count }, (_, line) => `- line ${line} of summary ${n}\n`).join("")}`,
  }));
}

/** The newest summaries whole, one in part, none of those before it; and the user is told of what is missing. */
function checkSummaries(
  archives: readonly Archive[],
  { blocks, notes }: Pick<Compiled, "blocks" | "notes">,
): void {
  const found = archives.map(({ text }, n) => {
    const words = wordsOf(blocks);
    if (words.includes(text)) return "whole";
    return words.includes(`of summary ${n}`) ? "part" : "gone";
  });
  assert.match(found.join(" "), /^(gone ?)*(part ?)?(whole ?)*$/u);
  if (found.some((one) => one !== "whole"))
    assert.ok(notes.some(({ kind }) => kind === "leftOut"));
}

/** The archive stands for its batches: none of them is there a second time, all others are. */
function checkArchive(story: Story, archive: Archive): void {
  const gone = new Set<string | null>(archive.batches);
  const asked = story.rows.filter(({ body }) => body.kind === "user");
  const batch = story.claim(["next"]);
  const { blocks, rebuilt } = compileFor(story, batch, { archives: [archive] });
  const words = wordsOf(
    blocks.filter(
      (block) => block.type !== "text" || block.text !== archive.text,
    ),
  );
  assert.deepEqual(
    numbers(words, "ask"),
    asked.flatMap((row, i) => (gone.has(row.batch) ? [] : [i])),
  );
  assert.ok(
    blocks.some(
      (block) => block.type === "text" && block.text === archive.text,
    ),
  );
  assert.equal(rebuilt, true);
}

/** Each exchange is whole, an outline, or gone, in that order from the newest. */
function checkEdges(
  script: readonly Exchange[],
  parts: readonly { readonly kind: string }[],
  words: string,
): void {
  const start = words.indexOf("[Conversation so far");
  const whole = start < 0 ? "" : words.slice(start);
  const outlined =
    words.length === whole.length
      ? ""
      : words.slice(0, start < 0 ? undefined : start);
  const asked = numbers(whole, "ask");
  const from = script.length - asked.length;
  assert.deepEqual(
    asked,
    script.slice(from).map((_, i) => from + i),
  );
  const answered = script.flatMap(({ stop }, i) =>
    i >= from && stop !== "interrupted" ? [i] : [],
  );
  assert.deepEqual(numbers(whole, "answer"), answered);
  const lines = numbers(outlined, "ask");
  assert.deepEqual(
    lines,
    lines.map((_, i) => from - lines.length + i),
  );
  assert.equal(
    parts.some(({ kind }) => kind === "digest") || lines.length === 0,
    true,
  );
}
