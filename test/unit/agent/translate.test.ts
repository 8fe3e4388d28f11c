import assert from "node:assert/strict";
import fc from "fast-check";
import { elicitationFields } from "../../../src/agent/elicitationFields.ts";
import { saysUnknownSession } from "../../../src/agent/quirks.ts";
import { SessionChanges } from "../../../src/agent/sessionChange.ts";
import { SessionOptionsBook } from "../../../src/agent/sessionOptions.ts";
import { translate } from "../../../src/agent/translate.ts";
import type { AgentUpdate } from "../../../src/core/agentPort.ts";

const sound = Buffer.alloc(12 * 1024).toString("base64");
const soundLine = "Audio, 12 KB: it can't be played here.";

describe("what an agent's update means", () => {
  const cases: readonly (readonly [
    string,
    Record<string, unknown>,
    AgentUpdate | undefined,
  ])[] = [
    ["no kind at all", {}, { kind: "unknown", name: "update" }],
    [
      "a chunk without content",
      { sessionUpdate: "agent_message_chunk" },
      { kind: "unknown", name: "content" },
    ],
    [
      "sound, which gets a line that names it",
      {
        sessionUpdate: "agent_message_chunk",
        content: { type: "audio", mimeType: "audio/wav", data: sound },
      },
      { kind: "text", text: `\n\n${soundLine}\n\n` },
    ],
    [
      "sound that a tool gave",
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "1",
        content: [{ type: "content", content: { type: "audio", data: sound } }],
      },
      {
        kind: "tool",
        toolCallId: "1",
        content: [{ type: "text", text: soundLine }],
      },
    ],
    [
      "a tool without an id",
      { sessionUpdate: "tool_call", title: "x" },
      { kind: "unknown", name: "tool_call" },
    ],
    [
      "a tool of unknown kind and status, with a piece of unknown type",
      {
        sessionUpdate: "tool_call",
        toolCallId: "1",
        kind: "sing",
        status: "resting",
        content: [{ type: "song" }, null],
        locations: "here",
      },
      { kind: "tool", toolCallId: "1", toolKind: "other", content: [] },
    ],
    [
      "nulls, which keep what was there",
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "1",
        title: null,
        content: null,
        rawInput: null,
      },
      { kind: "tool", toolCallId: "1" },
    ],
    [
      "a plan with odd entries",
      {
        sessionUpdate: "plan",
        entries: [{ content: "a", priority: "??" }, 7],
      },
      {
        kind: "plan",
        entries: [{ content: "a", priority: "medium", status: "pending" }],
      },
    ],
    [
      "a title that is cleared",
      { sessionUpdate: "session_info_update", title: null },
      undefined,
    ],
    [
      "usage without a size",
      { sessionUpdate: "usage_update", used: 1 },
      { kind: "unknown", name: "usage_update" },
    ],
  ];
  for (const [title, given, expected] of cases)
    it(title, () => assert.deepEqual(translate(given), expected));

  it("an image in a tool's content is named by its hash, its bytes beside it", () => {
    const update = translate({
      sessionUpdate: "tool_call",
      toolCallId: "1",
      content: [
        {
          type: "content",
          content: { type: "image", mimeType: "image/png", data: "YWJj" },
        },
      ],
    });
    assert.ok(update?.kind === "tool");
    const hash =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert.deepEqual(update.content, [
      {
        type: "block",
        block: { type: "image", mimeType: "image/png", blob: hash, bytes: 3 },
      },
    ]);
    assert.equal(Buffer.from(update.blobs?.get(hash) ?? []).toString(), "abc");
  });

  it("a form's note stands for its question, and what is secret is told so", () => {
    const codex = { questionId: "q", role: "user_note", isSecret: true };
    const made = elicitationFields({
      required: ["q"],
      properties: {
        q: { type: "string", enum: ["a"], _meta: { codex: { isOther: true } } },
        q_note: { type: "string", title: "Note", _meta: { codex } },
      },
    });
    assert.deepEqual(
      made.map(({ id, required, standsFor, secret }) => [
        ...[id, required, standsFor, secret],
      ]),
      [
        ["q", true, undefined, undefined],
        ["q_note", false, "q", true],
      ],
    );
  });

  it("nothing an agent sends throws", () => {
    const kinds = fc.constantFrom(
      "agent_message_chunk",
      "tool_call",
      "plan",
      "available_commands_update",
      "usage_update",
      "config_option_update",
      "compaction_update",
      "notice",
    );
    fc.assert(
      fc.property(kinds, fc.dictionary(keys, fc.jsonValue()), (kind, rest) => {
        const update = { ...rest, sessionUpdate: kind };
        translate(update);
        new SessionChanges().read(update);
        new SessionOptionsBook().opened("s", update);
        elicitationFields(update);
      }),
    );
  });
});

const keys = fc.constantFrom(
  "content",
  "toolCallId",
  "entries",
  "configOptions",
  "modes",
  "availableCommands",
  "locations",
  "properties",
  "required",
  "summary",
  "compactionId",
);

describe("an unknown session", () => {
  const cases: readonly (readonly [string, number, string, boolean])[] = [
    ["any", -32002, "Resource not found", true],
    [
      "@agentclientprotocol/codex-acp",
      -32603,
      "no rollout found for thread id 1",
      true,
    ],
    ["@agentclientprotocol/codex-acp", -32603, "the disk is full", false],
    ["other", -32603, "no rollout found for thread id 1", false],
  ];
  for (const [agent, code, said, expected] of cases)
    it(`I43: ${code} “${said}” of ${agent}: ${String(expected)}`, () => {
      assert.equal(saysUnknownSession(agent, { code, said }), expected);
    });

  const prompted: readonly (readonly [string, boolean])[] = [
    ["Resource not found: s-1", true],
    ["Session not found", true],
    ["Resource not found: file:///work/session.ts", false],
    ["Resource not found", false],
  ];
  for (const [said, expected] of prompted)
    it(`I43: -32002 “${said}” to a prompt: ${String(expected)}`, () => {
      const error = { code: -32002, said, named: "s-1" };
      assert.equal(saysUnknownSession("any", error), expected);
    });
});
