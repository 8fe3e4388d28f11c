import assert from "node:assert/strict";
import { statusText } from "../../../src/host/statusText.ts";
import type { ThreadSummary } from "../../../src/protocol/viewState.ts";

const thread = (mark: ThreadSummary["mark"], queued = 0): ThreadSummary =>
  ({ mark, queued }) as ThreadSummary;

describe("the status bar", () => {
  const cases: readonly (readonly [
    readonly ThreadSummary[],
    string,
    string,
  ])[] = [
    [[], "$(comment-discussion) Turnline", "Ready"],
    [
      [thread("held", 2), thread("none", 1)],
      "$(debug-pause) Turnline 3",
      "On hold, 3 queued",
    ],
    [
      [thread("held"), thread("failed")],
      "$(error) Turnline",
      "Stopped by an error",
    ],
    [
      [thread("failed"), thread("working", 1)],
      "$(loading~spin) Turnline 1",
      "Working, 1 queued",
    ],
    [
      [thread("working"), thread("needsYou")],
      "$(bell-dot) Turnline",
      "Waits for you",
    ],
  ];
  for (const [threads, text, tooltip] of cases)
    it(`says "${tooltip}"`, () =>
      assert.deepEqual(statusText(threads), { text, tooltip }));
});
