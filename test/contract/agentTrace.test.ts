import assert from "node:assert/strict";
import { createAgentPort } from "../../src/agent/agentPort.ts";
import { runMembers } from "../../src/agent/endTree.ts";
import {
  AllEars,
  Bench,
  faultSpec,
  say,
  silentLog,
  value,
} from "./agentHarness.ts";

describe("the trace of the protocol", () => {
  it("has every message but the answers to fields that a form marks as secret", async () => {
    const lines: string[] = [];
    const bench = new Bench({
      port: createAgentPort({
        log: silentLog,
        graceMs: 300,
        trace: (...line) => lines.push(JSON.stringify(line)),
      }),
      spec: faultSpec,
      left: (identity) => runMembers(identity, true),
    });
    const heard = new AllEars();
    const { agent } = await bench.startWith(heard);
    const { sessionId } = value(await agent.newSession(bench.options()));
    const turn = agent.prompt(sessionId, say("do:elicit=secret"));
    const { id } = await heard.untilElicited();
    const values = { colour: "red", key: "x1" };
    agent.features?.answerElicitation(id, { action: "accept", values });
    value(await turn);
    assert.match(heard.text(), /"key":"x1"/);
    const sent = lines.filter((line) => line.includes('"sent"'));
    const answers = sent.filter((line) => line.includes('"action":"accept"'));
    assert.deepEqual(
      answers.map((line) => /"content":.*?\}/u.exec(line)?.[0]),
      ['"content":{"colour":"red","key":"[redacted]"}'],
    );
    await bench.dispose();
  });
});
