import assert from "node:assert/strict";
import { openingOf } from "../../../src/agent/quirks.ts";
import { typedFailure } from "../../../src/agent/typedFailure.ts";

describe("what is particular to an agent", () => {
  it("Codex is asked to tell failed calls of the model as failures, and to make none of its own", () => {
    for (const line of [
      { command: "codex-acp", args: [] },
      {
        command: "node",
        args: ["/x/@agentclientprotocol/codex-acp/dist/index.js"],
      },
    ]) {
      const { meta, env } = openingOf(line);
      assert.deepEqual(meta, {
        jetbrains: { air: { version: 1, capabilities: ["sessionFailure"] } },
      });
      assert.deepEqual(env, { CODEX_ACP_PROMPT_SUGGESTIONS: "false" });
    }
    assert.deepEqual(openingOf({ command: "claude-agent-acp", args: [] }), {
      meta: {},
      env: {},
    });
  });

  const told = (failure: unknown): unknown => ({
    jetbrains: { air: { sessionFailure: failure } },
  });
  const cases: readonly (readonly [unknown, string | undefined])[] = [
    [undefined, undefined],
    [{ other: 1 }, undefined],
    [told({ severity: "warning", title: "Trying again" }), undefined],
    [told({ severity: "error", title: "too odd" }), "too odd"],
    [told({ severity: "error" }), "The model could not be reached."],
  ];
  for (const [meta, error] of cases)
    it(`${JSON.stringify(meta)} beside an answer: ${error ?? "no failure"}`, () =>
      assert.equal(typedFailure(meta), error));
});
