import assert from "node:assert/strict";
import type { MessageState } from "../../src/core/message.ts";
import { mayBecome } from "../../src/core/messageState.ts";

/** The table of the design, word for word: what stands here decides, not the code. */
const table: Readonly<Record<string, string>> = {
  none: "queued",
  queued: "claimed discarded",
  claimed: "sent queued discarded",
  sent: "delivered seenAborted uncertain queued",
  delivered: "",
  seenAborted: "superseded discarded",
  uncertain: "superseded discarded",
  superseded: "",
  discarded: "queued",
};

const states: readonly MessageState[] = [
  "queued",
  "claimed",
  "sent",
  "delivered",
  "seenAborted",
  "uncertain",
  "superseded",
  "discarded",
];

describe("the state table", () => {
  for (const from of [null, ...states])
    it(`from ${from ?? "none"}: ${table[from ?? "none"] || "nothing"}`, () => {
      const next = states.filter((to) => mayBecome(from, to));
      const told = (table[from ?? "none"] ?? "").split(" ");
      assert.deepEqual(
        next.toSorted(),
        told.filter((word) => word !== "").toSorted(),
      );
    });
});
