import assert from "node:assert/strict";
import { worthTelling } from "../../../src/host/worthTelling.ts";
import type { Happening, Looking } from "../../../src/host/worthTelling.ts";

const asks: Happening = { kind: "needsYou", what: "Run it?" };
const ended = (ms: number, status: "completed" | "cancelled" = "completed") =>
  ({ kind: "ended", status, ms }) as const;

describe("what is told outside the chat", () => {
  const told = (
    what: Happening,
    looking: Looking,
    setting: "all" | "needsYou" | "off" = "all",
  ): boolean => worthTelling(what, looking, setting);

  it("is nothing while one looks, and nothing when turned off", () => {
    assert.equal(told(asks, "here"), false);
    assert.equal(told(ended(60_000), "here"), false);
    assert.equal(told(asks, "hidden", "off"), false);
  });

  it("is a question always, an end unless only questions are wanted", () => {
    assert.equal(told(asks, "away", "needsYou"), true);
    assert.equal(told(ended(60_000), "hidden", "needsYou"), false);
    assert.equal(told(ended(60_000), "away"), true);
  });

  it("is no short turn in a chat that is in view, and nothing the user stopped", () => {
    assert.equal(told(ended(1_000), "away"), false);
    assert.equal(told(ended(1_000), "hidden"), true);
    assert.equal(told(ended(60_000, "cancelled"), "hidden"), false);
  });
});
