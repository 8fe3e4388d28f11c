import assert from "node:assert/strict";
import { snowflake } from "../../../src/core/snowflake.ts";
import { beginTurn, endTurn } from "../../../src/core/turn/recorder.ts";
import {
  newRecording,
  type Mint,
  type Recording,
} from "../../../src/core/turn/recording.ts";
import { recordRemark } from "../../../src/core/turn/remarks.ts";
import { sha256 } from "../../fakes/world.ts";

const speaker = { kind: "agent", id: "a", name: "Agent a" } as const;

describe("what an agent says of itself", () => {
  let n = 0;
  const mint: Mint = {
    mint: () => snowflake(1_000_000, (n += 1)),
    uuid: () => `r${(n += 1)}`,
    sha256,
  };
  const rows = ({ tail }: Recording): readonly string[] =>
    [...tail.values()].map(({ body, marks }) =>
      body.kind === "notice"
        ? `${marks.late === true ? "late " : ""}${body.level} ${body.code} ${body.text}`
        : body.kind,
    );
  const begun = (): Recording =>
    beginTurn(newRecording("t", null), mint.mint(), speaker, mint).recording;
  const compaction = (
    recording: Recording,
    status: "in_progress" | "completed" | "failed",
    error?: string,
  ): Recording =>
    recordRemark(
      recording,
      {
        kind: "compaction",
        id: "c",
        status,
        ...(error === undefined ? {} : { error }),
      },
      mint,
    ).recording;

  it("stands where it was said, and does not say that the prompt was read", () => {
    const { recording } = recordRemark(
      begun(),
      { kind: "notice", level: "warning", title: "Careful", text: "Thin ice" },
      mint,
    );
    assert.deepEqual(rows(recording), ["warning agent Careful: Thin ice"]);
    assert.equal(recording.seen, false);
  });

  it("tells one compaction in one row, however many pieces its summary comes in", () => {
    let recording = compaction(begun(), "in_progress");
    recording = compaction(recording, "in_progress");
    assert.deepEqual(rows(recording), [
      "info compaction.in_progress The agent shortens its memory of this thread.",
    ]);
    recording = compaction(recording, "completed");
    assert.deepEqual(rows(recording), [
      "info compaction.completed The agent shortened its memory of this thread.",
    ]);
  });

  it("tells why it failed", () => {
    const recording = compaction(begun(), "failed", "No room.");
    assert.deepEqual(rows(recording), [
      "warning compaction.failed The agent could not shorten its memory. No room.",
    ]);
  });

  it("leaves what a turn that is over was told, and adds what comes late", () => {
    const running = compaction(begun(), "in_progress");
    const ended = endTurn(running, mint).recording;
    assert.deepEqual(rows(compaction(ended, "completed")), [
      "info compaction.in_progress The agent shortens its memory of this thread.",
      "late info compaction.completed The agent shortened its memory of this thread.",
    ]);
  });

  it("records nothing before the first turn", () => {
    const { recording } = recordRemark(
      newRecording("t", null),
      { kind: "notice", level: "info", title: "Hello" },
      mint,
    );
    assert.deepEqual(recording.pending, []);
  });
});
