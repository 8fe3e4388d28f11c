import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TextPattern } from "../../../src/builtinAgent/request.ts";
import {
  type Matcher,
  matcherOf,
  searchLimits,
  searchText,
} from "../../../src/builtinAgent/search.ts";

describe("built-in agent: searching text", () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "turnline-search-"));
  after(() => fs.rmSync(root, { recursive: true, force: true }));
  const never = new AbortController().signal;

  const file = (name: string, text: string | Uint8Array) => {
    const whole = path.join(root, name);
    fs.writeFileSync(whole, text);
    return { path: whole, name };
  };
  const matcher = (pattern: TextPattern): Matcher => {
    const made = matcherOf(pattern);
    assert.ok(typeof made !== "string");
    return made;
  };
  const literal = (text: string): Matcher => matcher({ kind: "literal", text });

  it("finds lines with what stands around them", async () => {
    const a = file("a", "1\n2\nNeedle\r\n4\n5\n6");
    const found = await searchText([a], literal("needle"), never);
    assert.deepEqual(found, {
      searched: 1,
      hits: [
        {
          file: a,
          line: 3,
          text: "Needle",
          before: ["1", "2"],
          after: ["4", "5"],
        },
      ],
    });
  });

  it("takes capitals seriously where there are some", () => {
    assert.ok(literal("foo").matches("a FOO"));
    assert.ok(!literal("Foo").matches("a foo"));
  });

  it("says what is wrong with an expression", () => {
    const pattern = { kind: "regex", source: "(", ignoreCase: false } as const;
    const why = matcherOf(pattern);
    assert.match(typeof why === "string" ? why : "", /Unterminated group/);
  });

  it("passes over what is no text, too large, or gone", async () => {
    const found = await searchText(
      [
        file("binary", new Uint8Array([110, 0, 110])),
        file("large", "n".repeat(100)),
        { path: path.join(root, "gone"), name: "gone" },
        { path: root, name: "." },
      ],
      literal("n"),
      never,
      { ...searchLimits, fileBytes: 50 },
    );
    assert.deepEqual(found, { hits: [], searched: 0 });
  });

  it("stops at its limits and says so", async () => {
    const many = file("many", "x\n".repeat(100));
    const all = Array.from({ length: 40 }, () => many);
    const few = await searchText(all, literal("x"), never, {
      ...searchLimits,
      hits: 7,
    });
    assert.deepEqual([few.hits.length, few.stopped], [7, "count"]);
    const late = await searchText(all, literal("y"), never, {
      ...searchLimits,
      ms: -1,
    });
    assert.equal(late.stopped, "time");
    const cancelled = await searchText(all, literal("y"), AbortSignal.abort());
    assert.equal(cancelled.stopped, "cancelled");
  });

  it("hears a cancel before it has looked at much more, however much there is", async () => {
    const big = file("big", "some words in a line\n".repeat(40_000));
    const stop = new AbortController();
    let lines = 0;
    const found = await searchText(
      Array.from({ length: 16 }, () => big),
      {
        guarded: true,
        matches: () => {
          // It arrives as a message does: when the process comes to listen.
          if (++lines === 1) setImmediate(() => stop.abort());
          return false;
        },
      },
      stop.signal,
      // However slow this machine is: not what is looked at here.
      { ...searchLimits, ms: 600_000, sliceMs: 600_000 },
    );
    assert.equal(found.stopped, "cancelled");
    assert.ok(lines < 10_000, `${lines} of 640 000 lines`);
  });

  it("finds what lies on both sides of where it paused", async () => {
    const line = "needle in every line\n";
    const count = 10_000;
    const found = await searchText(
      [file("long", line.repeat(count)), file("short", line)],
      matcher({ kind: "regex", source: "needle", ignoreCase: false }),
      never,
      { ...searchLimits, hits: count + 1 },
    );
    assert.deepEqual(
      found.hits.map((hit) => hit.line),
      [...Array.from({ length: count }, (_, index) => index + 1), 1],
    );
  });

  it("gives up on an expression that would run for ever", async () => {
    const trap = file("trap", `${"a".repeat(60)}!`);
    const endless = matcher({
      kind: "regex",
      source: "^(a+)+$",
      ignoreCase: false,
    });
    const found = await searchText([trap], endless, never, {
      ...searchLimits,
      sliceMs: 30,
    });
    assert.equal(found.stopped, "pattern");
  });
});
