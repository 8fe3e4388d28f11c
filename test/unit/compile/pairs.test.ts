import assert from "node:assert/strict";
import fc from "fast-check";
import { runs } from "../../fakes/runs.ts";
import {
  calls,
  claude,
  compileFor,
  results,
  says,
  Story,
  wordsOf,
} from "./story.ts";

/** When a call gets its result: in its turn, so many turns later, or never. */
const fate = fc.oneof(
  fc.constant("at once" as const),
  fc.constant("never" as const),
  fc.integer({ min: 1, max: 3 }),
);
const turn = fc.record({
  calls: fc.array(fate, { maxLength: 4 }),
  stray: fc.boolean(),
  stop: fc.constantFrom("end_turn", "cancelled"),
});
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

interface Told {
  readonly words: string;
  /** Each call with the turn it was made in, and whether a result came. */
  readonly made: readonly {
    readonly name: string;
    readonly turn: number;
    readonly answered: boolean;
  }[];
}

/** Plays the turns, with late results where they fall due, and compiles all of it for an agent that knows nothing. */
function tell(script: readonly Turn[]): Told {
  const story = new Story();
  const made: Told["made"][number][] = [];
  const due: { at: number; batch: string; name: string }[] = [];
  script.forEach((one, n) => {
    const named = one.calls.map((when, i) => ({
      when,
      name: `call${n}_${i}x`,
    }));
    const [first] = story.exchange(
      claude,
      [`user${n}x`],
      [
        ...named.map(({ name }) => calls(name)),
        ...(one.stray ? [results(`stray${n}x`, `stray${n}x`)] : []),
        ...named
          .filter(({ when }) => when === "at once")
          .map(({ name }) => results(name, `result of ${name}`)),
        says(`said${n}x`),
      ],
      { stop: one.stop },
    );
    for (const { at, batch, name } of due)
      if (at === n)
        story.append(batch, claude, results(name, `result of ${name}`), {
          late: true,
        });
    for (const { when, name } of named) {
      if (typeof when === "number")
        due.push({ at: n + when, batch: first?.batch ?? "", name });
      const answered =
        when === "at once" ||
        (typeof when === "number" && n + when < script.length);
      made.push({ name, turn: n, answered });
    }
  });
  const compiled = compileFor(story, story.claim(["the next"]));
  return { words: wordsOf(compiled.blocks), made };
}

interface Tool {
  readonly name: string | undefined;
  readonly status: string | undefined;
  readonly output: string;
  readonly at: number;
}

function toolsIn(words: string): readonly Tool[] {
  const element =
    /<tool\b[^>]*title="([^"]+)" status="(\w+)"(?:\/>|>\n([\s\S]*?)<\/tool>)/gu;
  return [...words.matchAll(element)].map(
    ({ 1: name, 2: status, 3: output = "", index: at }) => ({
      name,
      status,
      output,
      at,
    }),
  );
}

const scripts = fc.array(turn, { minLength: 1, maxLength: 6 });

describe("calls and their results in a prompt", () => {
  it("I37: every call is there once with its result or as interrupted, and no result without its call", () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const { words, made } = tell(script);
        const tools = toolsIn(words);
        assert.deepEqual(
          tools.map(({ name, status, output }) => [
            name,
            status,
            output.trim(),
          ]),
          made.map(({ name, answered }) =>
            answered
              ? [name, "completed", `output: result of ${name}`]
              : [name, "interrupted", ""],
          ),
        );
        assert.equal(
          words.split("result of").length - 1,
          made.filter(({ answered }) => answered).length,
        );
        assert.doesNotMatch(words, /stray/u);
      }),
      { numRuns: runs(200) },
    );
  });

  it("I38: what was said while a call ran comes after the call and its result", () => {
    fc.assert(
      fc.property(scripts, (script) => {
        const { words, made } = tell(script);
        const said = [
          ...script.map((_, n) => words.indexOf(`user${n}x`)),
          words.indexOf("the next"),
        ];
        assert.ok(!said.includes(-1), words);
        assert.deepEqual(
          said,
          said.toSorted((a, b) => a - b),
        );
        const tools = new Map(toolsIn(words).map((tool) => [tool.name, tool]));
        for (const { name, turn: n } of made) {
          const { at = -1, output = "" } = tools.get(name) ?? {};
          assert.ok((said[n] ?? Infinity) < at, name);
          assert.ok(at + output.length < (said[n + 1] ?? -1), name);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
