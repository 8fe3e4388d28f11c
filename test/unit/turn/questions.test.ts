import assert from "node:assert/strict";
import type {
  ElicitationAnswer,
  ElicitationRequest,
} from "../../../src/core/agentFeatures.ts";
import { snowflake } from "../../../src/core/snowflake.ts";
import * as questions from "../../../src/core/turn/questions.ts";
import { beginTurn, endTurn } from "../../../src/core/turn/recorder.ts";
import {
  newRecording,
  type Mint,
  type Recorded,
  type Recording,
} from "../../../src/core/turn/recording.ts";
import { options } from "../../fakes/agent.ts";
import { sha256 } from "../../fakes/world.ts";

const speaker = { kind: "agent", id: "a", name: "Agent a" } as const;
const form: ElicitationRequest = {
  id: "1",
  mode: "form",
  message: "Which one?",
  fields: [
    {
      id: "c",
      title: "Colour",
      type: "choice",
      required: true,
      choices: [{ value: "r", name: "Red" }],
    },
    { id: "n", title: "Count", type: "number", integer: true, required: false },
    { id: "b", title: "Sure", type: "boolean", required: false },
    { id: "x", title: "Left out", type: "text", required: false },
  ],
};

describe("questions in the record", () => {
  let n = 0;
  const mint: Mint = {
    mint: () => snowflake(1_000_000 + (n += 1), 0),
    uuid: () => `r${(n += 1)}`,
    sha256,
  };
  const permission = (id: string): Parameters<typeof ask>[1] => ({
    id,
    sessionId: "s",
    tool: {
      kind: "tool",
      toolCallId: "never-seen",
      title: "Run it",
      input: '{"a":1}',
    },
    options,
  });
  const ask = (
    recording: Recording,
    request: Parameters<typeof questions.openPermission>[1],
  ): Recorded => questions.openPermission(recording, request, mint);
  const begun = (): Recording =>
    beginTurn(newRecording("t", null), mint.mint(), speaker, mint).recording;
  const body = ({ recording }: Recorded): unknown =>
    [...recording.tail.values()].find(
      ({ body: { kind } }) => kind === "permission",
    )?.body;

  it("opens a permission that belongs to no turn, with what it would call and its own time", () => {
    const asked = ask(newRecording("t", null), permission("p"));
    const [opened] = asked.changes;
    assert.ok(opened?.kind === "permissionOpened");
    assert.equal(opened.permission.batch, null);
    assert.equal(opened.permission.input, '{"a":1}');
    assert.ok(opened.permission.askedAt > snowflake(1_000_000, 0));
    assert.deepEqual(asked.recording.pending, []);
    const closed = questions.closePermission(asked.recording, "p", "yes", mint);
    assert.deepEqual(closed.changes, [
      { kind: "permissionClosed", id: "p", chosen: "yes" },
    ]);
    assert.equal(closed.recording.permissions.size, 0);
  });

  it("names the record of the call a permission asks for", () => {
    const { changes, recording } = ask(begun(), permission("p"));
    const opened = changes.find(({ kind }) => kind === "permissionOpened");
    assert.ok(opened?.kind === "permissionOpened");
    const { message = "" } = opened.permission;
    assert.equal(recording.tail.get(message)?.body.kind, "toolCall");
  });

  it("gives each permission of a turn its own time", () => {
    const first = ask(begun(), permission("p1"));
    const second = ask(first.recording, permission("p2"));
    const times = [first, second].map(({ changes }) => {
      const opened = changes.find(({ kind }) => kind === "permissionOpened");
      return opened?.kind === "permissionOpened"
        ? opened.permission.askedAt
        : "";
    });
    assert.ok((times[0] ?? "") < (times[1] ?? ""));
    assert.ok((times[0] ?? "") > (first.recording.batch ?? ""));
  });

  const answers: readonly (readonly [
    string,
    ElicitationAnswer | null,
    object,
  ])[] = [
    [
      "in words",
      { action: "accept", values: { c: "r", n: 3, b: true } },
      { chosen: "accept", answer: "Colour: Red; Count: 3; Sure: yes" },
    ],
    ["as declined", { action: "decline" }, { chosen: "decline" }],
    ["as not answered", { action: "cancel" }, { chosen: null }],
    ["as withdrawn", null, { chosen: null }],
  ];
  for (const [how, answer, expected] of answers)
    it(`records the answer to a form ${how}`, () => {
      const asked = questions.openElicitation(begun(), form, mint);
      assert.equal(asked.opened.batch, asked.recording.batch);
      const closed = questions.closeElicitation(
        asked.recording,
        form,
        answer,
        mint,
      );
      const row = body(closed) as Record<string, unknown>;
      const { decidedAt, ...rest } = row;
      assert.ok(typeof decidedAt === "string");
      assert.deepEqual(rest, {
        kind: "permission",
        toolCallId: "",
        title: "Which one?",
        options: [
          { id: "accept", name: "Answered", kind: "allow_once" },
          { id: "decline", name: "Declined", kind: "reject_once" },
        ],
        asks: "form",
        ...expected,
      });
    });

  it("records nothing of what is secret", () => {
    const fields = form.fields.map((field) => ({ ...field, secret: true }));
    const secret = { ...form, fields };
    const asked = questions.openElicitation(begun(), secret, mint);
    const answer = { action: "accept", values: { c: "r", n: 345 } } as const;
    const closed = questions.closeElicitation(
      ...([asked.recording, secret, answer, mint] as const),
    );
    const row = body(closed) as Record<string, unknown>;
    assert.equal(row["answer"], "Colour: •••; Count: •••");
  });

  it("I31: a form that is open when its turn ends is void", () => {
    const asked = questions.openElicitation(begun(), form, mint);
    const ended = endTurn(asked.recording, mint);
    assert.equal((body(ended) as { chosen: unknown }).chosen, null);
    const late = questions.closeElicitation(
      ended.recording,
      form,
      { action: "accept", values: { c: "r" } },
      mint,
    );
    assert.equal((body(late) as { chosen: unknown }).chosen, null);
  });

  it("records a page by its address", () => {
    const page: ElicitationRequest = {
      id: "2",
      mode: "url",
      message: "Sign in",
      url: "https://example.test/in",
    };
    const asked = questions.openElicitation(begun(), page, mint);
    const closed = questions.closeElicitation(
      asked.recording,
      page,
      { action: "accept", values: {} },
      mint,
    );
    const row = body(closed) as { asks: unknown; answer: unknown };
    assert.deepEqual(
      [row.asks, row.answer],
      ["page", "https://example.test/in"],
    );
  });
});
