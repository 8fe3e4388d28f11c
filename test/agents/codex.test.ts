import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { runMembers } from "../../src/agent/endTree.ts";
import { misfits } from "../../src/protocol/elicitation.ts";
import { AllEars, failure, say, value } from "../contract/agentHarness.ts";
import { codexSpec } from "../lab/agents/specs.ts";
import { pixel, RealAgent } from "./realAgent.ts";

describe("Codex", function () {
  this.timeout(60_000);
  let real: RealAgent;
  beforeEach(async () => {
    real = await RealAgent.make("Codex", codexSpec);
  });
  afterEach(() => real.dispose());

  it("streams one text turn; the model gets the prompt as it is", async () => {
    const { agent, heard, sessionId } = await real.open();
    real.model.script({ text: ["Hello ", "there."] });
    const result = value(await agent.prompt(sessionId, say("Say hello.")));
    assert.equal(result.stopReason, "end_turn");
    assert.equal(heard.text(), "Hello there.");
    assert.deepEqual(real.model.conversation()[0]?.userTexts, ["Say hello."]);
  });

  it("runs a command and tells the model what it said", async () => {
    const { agent, heard, sessionId } = await real.open();
    real.model.script(
      {
        tools: [
          {
            name: "exec_command",
            input: { cmd: "echo made by a tool > made.txt; cat made.txt" },
          },
        ],
      },
      { text: "So be it." },
    );
    value(await agent.prompt(sessionId, say("Make a file.")));
    const made = readFileSync(path.join(real.folder, "made.txt"), "utf8");
    assert.equal(made, "made by a tool\n");
    assert.equal(heard.text(), "So be it.");
    assert.match(real.sent(1), /function_call_output.*made by a tool/u);
  });

  it("stops in mid-stream when cancelled, and takes the next turn", async () => {
    const { agent, heard, sessionId } = await real.open();
    real.model.script({ text: ["One ", "two "], then: "hang" });
    const turn = agent.prompt(sessionId, say("Count."));
    await heard.untilText("two");
    agent.cancel(sessionId);
    assert.equal(value(await turn).stopReason, "cancelled");
    // The model is not left talking to nobody, at the user's cost.
    await real.model.untilLeft(1);
    assert.deepEqual(real.model.left, real.model.conversation());
    real.model.script({ text: "Again." });
    value(await agent.prompt(sessionId, say("And again?")));
    assert.match(heard.text(), /Again\.$/u);
  });

  for (const [choice, stop, made] of [
    ["allow_once", "end_turn", true],
    ["reject_once", "cancelled", false],
  ] as const)
    it(`asks in read-only mode: ${choice} ends the turn as ${stop}`, async () => {
      const { agent, heard, sessionId } = await real.open();
      const set = await agent.features?.setOption(
        sessionId,
        "mode",
        "read-only",
      );
      assert.ok(set?.ok);
      const input = {
        cmd: "echo made > made.txt; cat made.txt",
        sandbox_permissions: "require_escalated",
        justification: "to make it",
      };
      real.model.script({ tools: [{ name: "exec_command", input }] });
      const turn = agent.prompt(sessionId, say("Make a file."));
      const asked = await heard.untilAsked();
      const option = asked.options.find(({ kind }) => kind === choice);
      assert.ok(option !== undefined);
      agent.answerPermission(asked.id, option.id);
      assert.equal(value(await turn).stopReason, stop);
      assert.equal(existsSync(path.join(real.folder, "made.txt")), made);
      if (made) assert.equal(heard.terminals().at(-1)?.output, "made\n");
    });

  it("asks with a form: a note stands for the choices that lack it", async () => {
    const heard = new AllEars();
    const { agent } = await real.start(heard);
    const { sessionId } = value(await agent.newSession(real.options()));
    const set = await agent.features?.setOption(
      ...([sessionId, "collaboration_mode", "plan"] as const),
    );
    assert.ok(set?.ok);
    const question = {
      ...{ id: "colour", header: "Colour", question: "Which colour?" },
      options: [
        { label: "Red", description: "Warm" },
        { label: "Blue", description: "Cold" },
      ],
    };
    real.model.script({
      tools: [{ name: "request_user_input", input: { questions: [question] } }],
    });
    const turn = agent.prompt(sessionId, say("Ask me."));
    const asked = await heard.untilElicited();
    assert.ok(asked.mode === "form");
    const [choice, note] = asked.fields;
    assert.ok(choice?.type === "choice" && choice.required);
    assert.equal(note?.standsFor, choice.id);
    const values = { [note.id]: "Green" };
    assert.deepEqual(misfits(asked.fields, values), []);
    agent.features?.answerElicitation(asked.id, { action: "accept", values });
    value(await turn);
    assert.match(real.sent(1), /user_note: Green/u);
  });

  it("switches the model and takes an image", async () => {
    const { agent, sessionId } = await real.open();
    const model = "gpt-5.6-luna";
    const set = await agent.features?.setOption(sessionId, "model", model);
    assert.ok(set?.ok);
    const data = Buffer.from(pixel, "base64");
    const image = { type: "image" as const, mimeType: "image/png", data };
    value(await agent.prompt(sessionId, [...say("Look."), image]));
    assert.equal(real.model.conversation()[0]?.body["model"], model);
    assert.ok(real.sent(0).includes(pixel));
  });

  for (const [status, says] of [
    [400, /scripted trouble/u],
    [429, /429|limit/iu],
    [500, /high demand/u],
    [529, /high demand|529/u],
  ] as const)
    it(`says that the model failed, once and as a failure: ${status}`, async () => {
      const { agent, heard, sessionId } = await real.open();
      real.model.fallback = { status, message: "scripted trouble" };
      const answer = await agent.prompt(sessionId, say("Hello."));
      assert.match(value(answer).error ?? "", says);
      assert.equal(heard.text(), "");
      real.model.fallback = { text: "Better." };
      const next = value(await agent.prompt(sessionId, say("Again.")));
      assert.deepEqual([next.error, heard.text()], [undefined, "Better."]);
      assert.equal(real.model.calls.length, real.model.conversation().length);
    });

  it("I35: a command that outlives its cancelled turn is named, after a fork too, and ended alone or with the agent", async () => {
    const { agent, heard, sessionId } = await real.open();
    const running = async (): Promise<readonly string[]> =>
      (await agent.features?.leftRunning())?.map(({ command }) => command) ??
      [];
    // Cancelled while it waits for a command, Codex may end it or not; one that went to the background lives on.
    const input = { cmd: "sleep 600", yield_time_ms: 250 };
    const leaveOne = async (): Promise<void> => {
      real.model.script(
        { tools: [{ name: "exec_command", input }] },
        { text: ["Waiting"], then: "hang" },
      );
      const begun = heard.text().length;
      const turn = agent.prompt(sessionId, say("Sleep."));
      await heard.until(
        () => heard.text().slice(begun) === "Waiting" || undefined,
      );
      agent.cancel(sessionId);
      assert.equal(value(await turn).stopReason, "cancelled");
      // Its shell becomes it a moment after it was started.
      while (!(await running()).includes("sleep 600")) await sleep(50);
    };
    await leaveOne();
    // A fork starts processes of the agent's own, which come and go.
    const fork = await agent.features?.forkSession(sessionId, real.options());
    assert.ok(fork?.ok);
    assert.ok((await running()).includes("sleep 600"));
    const left = (await agent.features?.leftRunning())?.find(
      ({ command }) => command === "sleep 600",
    );
    assert.ok(left !== undefined);
    await agent.features?.endLeft(left);
    assert.ok(!(await running()).includes("sleep 600"));
    assert.equal(await agent.probe(), true);
    await leaveOne();
    await agent.end();
    assert.deepEqual(await runMembers(agent.identity, true), []);
  });

  it("I43: says which session it does not know", async () => {
    const { agent } = await real.start();
    const unknown = "00000000-0000-4000-8000-000000000000";
    const answer = await agent.resumeSession(unknown, real.options());
    assert.equal(failure(answer).kind, "noSession");
  });

  it("Check Setup says what it is signed in with, and that nobody is signed in", async () => {
    const known = await real.inspect();
    assert.ok(known.kind === "works");
    assert.equal(known.account, "Custom model gateway, fake");
    real.configure("");
    const nobody = await real.inspect();
    assert.equal(nobody.kind, "signIn");
  });

  it("a refused key is a sign-in, not a lost message", async () => {
    const { agent, sessionId } = await real.open();
    real.model.script({ status: 401, message: "Incorrect API key" });
    const answer = await agent.prompt(sessionId, say("Hello."));
    assert.equal(failure(answer).kind, "signIn");
  });
});
