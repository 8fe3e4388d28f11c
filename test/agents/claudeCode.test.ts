import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { AllEars, failure, say, value } from "../contract/agentHarness.ts";
import { claudeCodeSpec } from "../lab/agents/specs.ts";
import type { Reply } from "../lab/model/reply.ts";
import { pixel, RealAgent } from "./realAgent.ts";

describe("Claude Code", function () {
  this.timeout(60_000);
  let real: RealAgent;
  beforeEach(async () => {
    real = await RealAgent.make("Claude Code", claudeCodeSpec);
  });
  afterEach(() => real.dispose());

  const write = {
    tools: [
      {
        name: "Write",
        input: { file_path: "made.txt", content: "made by a tool\n" },
      },
    ],
  };
  const writeTo = (folder: string): typeof write => ({
    tools: write.tools.map(({ name, input }) => ({
      name,
      input: { ...input, file_path: path.join(folder, input.file_path) },
    })),
  });

  it("streams one text turn; the model gets the prompt as it is", async () => {
    const { agent, heard, sessionId } = await real.open();
    real.model.script({ text: ["Hello ", "there."] });
    const result = value(await agent.prompt(sessionId, say("Say hello.")));
    assert.equal(result.stopReason, "end_turn");
    assert.equal(heard.text(), "Hello there.");
    assert.equal(real.model.conversation().length, 1);
    assert.equal(real.model.conversation()[0]?.userTexts.at(-1), "Say hello.");
  });

  for (const [choice, made] of [
    ["allow_once", true],
    ["reject_once", false],
  ] as const)
    it(`runs a tool behind a permission: ${choice}`, async () => {
      const { agent, heard, sessionId } = await real.open();
      real.model.script(writeTo(real.folder), { text: "So be it." });
      const turn = agent.prompt(sessionId, say("Make a file."));
      const asked = await heard.untilAsked();
      const option = asked.options.find(({ kind }) => kind === choice);
      assert.ok(option !== undefined);
      const file = path.join(real.folder, "made.txt");
      assert.equal(existsSync(file), false);
      agent.answerPermission(asked.id, option.id);
      assert.equal(value(await turn).stopReason, "end_turn");
      assert.equal(existsSync(file), made);
      if (made) assert.equal(readFileSync(file, "utf8"), "made by a tool\n");
      assert.equal(heard.text(), "So be it.");
      assert.match(real.sent(1), /"tool_result"/u);
      const ends = heard
        .updates()
        .flatMap((update) => (update.kind === "tool" ? [update.status] : []));
      assert.ok(ends.includes(made ? "completed" : "failed"));
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
    assert.equal(real.model.conversation().length, 2);
  });

  it("resumes in a new process: the model has each message once", async () => {
    const first = await real.open();
    real.model.script({ text: "Noted." });
    value(
      await first.agent.prompt(first.sessionId, say("Remember the teapot.")),
    );
    await first.agent.end();
    const { agent, heard } = await real.start();
    const opened = await agent.resumeSession(first.sessionId, real.options());
    assert.deepEqual(value(opened).replay, []);
    value(await agent.prompt(first.sessionId, say("What was it?")));
    assert.equal(heard.text(), "Done.");
    assert.equal(real.sent(-1).split("Remember the teapot.").length, 2);
    assert.equal(real.sent(-1).split("What was it?").length, 2);
  });

  it("I43: says which session it does not know", async () => {
    const { agent } = await real.start();
    const unknown = "00000000-0000-4000-8000-000000000000";
    const answer = await agent.resumeSession(unknown, real.options());
    assert.equal(failure(answer).kind, "noSession");
  });

  it("a refused key is a sign-in, not a lost message", async () => {
    const { agent, sessionId } = await real.open();
    real.model.fallback = { status: 401, message: "invalid x-api-key" };
    const answer = await agent.prompt(sessionId, say("Hello."));
    assert.equal(failure(answer).kind, "signIn");
  });

  it("Check Setup says whose key is used, and that nobody is signed in", async () => {
    const known = await real.inspect();
    assert.ok(known.kind === "works");
    assert.equal(known.account, "Anthropic API key, ANTHROPIC_API_KEY");
    const nobody = await real.inspect(["ANTHROPIC_API_KEY"]);
    assert.equal(nobody.kind, "signIn");
  });

  const errors: readonly (readonly [Reply, RegExp])[] = [
    [{ status: 400, message: "too odd" }, /400 too odd/u],
    [{ status: 429, message: "slow down" }, /slow down|429|rate/iu],
    [{ status: 500, message: "broken" }, /500 broken/u],
    [{ status: 529, message: "overloaded" }, /529 overloaded/u],
    [{ text: ["Half "], then: "cut" }, /./u],
  ];
  for (const [reply, says] of errors)
    it(`names the model's failure: ${String(reply.status ?? reply.then)}; the session goes on`, async () => {
      const { agent, heard, sessionId } = await real.open();
      real.model.fallback = reply;
      const answer = failure(await agent.prompt(sessionId, say("Hello.")));
      assert.equal(answer.kind, "refused");
      assert.match(answer.message, says);
      real.model.fallback = { text: "Better." };
      value(await agent.prompt(sessionId, say("Again.")));
      assert.match(heard.text(), /Better\.$/u);
    });

  it("asks with a form and takes the answer", async () => {
    const heard = new AllEars();
    const { agent } = await real.start(heard);
    const { sessionId } = value(await agent.newSession(real.options()));
    const options = [
      { label: "Red", description: "hot" },
      { label: "Blue", description: "cold" },
    ];
    const question = {
      question: "Which colour?",
      header: "Colour",
      multiSelect: false,
      options,
    };
    real.model.script({
      tools: [{ name: "AskUserQuestion", input: { questions: [question] } }],
    });
    const turn = agent.prompt(sessionId, say("Ask me."));
    const asked = await heard.untilElicited();
    assert.ok(asked.mode === "form");
    const [field] = asked.fields;
    assert.ok(field?.type === "choice");
    assert.deepEqual(
      field.choices.map(({ value: choice }) => choice),
      ["Red", "Blue"],
    );
    agent.features?.answerElicitation(asked.id, {
      action: "accept",
      values: { [field.id]: "Blue" },
    });
    value(await turn);
    assert.match(real.sent(1), /Which colour\?.{1,20}Blue/u);
  });

  it("switches the model, takes an image, tells a plan and shows a command's output", async () => {
    const { agent, heard, sessionId } = await real.open();
    const set = await agent.features?.setOption(sessionId, "model", "haiku");
    assert.ok(set?.ok);
    const todos = [
      { content: "One", status: "pending", activeForm: "Doing one" },
    ];
    real.model.script(
      { tools: [{ name: "TodoWrite", input: { todos } }] },
      { tools: [{ name: "Bash", input: { command: "echo out" } }] },
    );
    const data = Buffer.from(pixel, "base64");
    const image = { type: "image" as const, mimeType: "image/png", data };
    value(await agent.prompt(sessionId, [...say("Look."), image]));
    assert.match(String(real.model.conversation()[0]?.body["model"]), /haiku/u);
    assert.ok(real.sent(0).includes(pixel));
    const plan = heard.updates().find(({ kind }) => kind === "plan");
    assert.deepEqual(plan, {
      kind: "plan",
      entries: [{ content: "One", priority: "medium", status: "pending" }],
    });
    const shown = heard.terminals().at(-1);
    assert.equal(shown?.output, "out");
    assert.equal(shown.exitCode, 0);
  });

  it("answers a probe while it waits for the model, and none of it is left after", async () => {
    const { agent, heard, sessionId } = await real.open();
    real.model.script({ text: ["Begun"], then: "hang" });
    const turn = agent.prompt(sessionId, say("Hang."));
    await heard.untilText("Begun");
    assert.equal(await agent.probe(), true);
    await agent.end();
    assert.equal(failure(await turn).kind, "exited");
  });
});
