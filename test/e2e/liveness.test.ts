import assert from "node:assert/strict";
import { agentProcesses, recordingAgent, prompts, until } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const { record, settings } = recordingAgent();

describe("agents that stop, die and ask", function () {
  this.timeout(150_000);
  const lab = withLab({ settings });
  let chat: Chat;

  before(async () => {
    chat = new Chat(await lab().chat());
    await chat.focused();
  });

  it("shows how long a turn runs, and the last sign of life", async () => {
    await chat.send("do:say=at+work do:silent");
    await chat.answered("at work");
    const status = chat.part("agent-status");
    const clock = chat
      .batches()
      .last()
      .getByText(/^Working \d+:\d\d$/);
    const first = await clock.innerText();
    await chat.until(
      () => clock.innerText(),
      (now) => now !== first,
    );
    const title = await chat.until(
      () => status.getAttribute("title"),
      (text) => /Last sign of life/.test(text ?? ""),
    );
    assert.match(title ?? "", /Last sign of life [\d.]+ (s|ms) ago/);
    await chat.part("stop").click();
    await chat.status("ready").waitFor();
  });

  it("I31: a queued message never answers a permission", async () => {
    await chat.send("do:permission=allow_once,reject_once");
    await chat.part("permission").waitFor();
    await chat.status("waiting").waitFor();
    assert.equal(
      await chat
        .part("permission")
        .evaluate((card) => card.contains(document.activeElement)),
      false,
      "the question takes no focus",
    );
    for (const text of ["1", "yes", "allow once"]) await chat.send(text);
    await chat.queues("1", "yes", "allow once");
    assert.equal(await chat.part("permission").count(), 1);
    assert.equal(
      await chat.messages("agent").filter({ hasText: "chose" }).count(),
      0,
    );
    const before = prompts(record).length;
    await chat.part("permission").locator('[data-kind="reject_once"]').click();
    await chat.answered("chose reject-once");
    await until(() => prompts(record).length === before + 1);
    assert.match(prompts(record).at(-1) ?? "", /1[\s\S]*yes[\s\S]*allow once/);
    await chat.status("ready").waitFor();
  });

  it("I31: an open permission is cancelled with its turn, and the queue goes on", async () => {
    await chat.send("do:permission");
    await chat.part("permission").waitFor();
    await chat.send("and then this");
    await chat.queues("and then this");
    await chat.part("stop").click();
    await chat.answered("permission cancelled");
    await chat.answered("echo: and then this");
    assert.equal(await chat.part("permission").count(), 0);
  });

  it("an agent that dies is started again, and the queue goes on", async () => {
    const [old] = agentProcesses(lab().folder);
    await chat.send("do:say=about+to+die do:late=1500 do:die");
    await chat.answered("about to die");
    await chat.send("what waits goes on");
    await chat.queues("what waits goes on");
    await chat.batches("failed").first().waitFor();
    await chat.answered("echo: what waits goes on");
    for (const action of ["retry", "continue", "discard"])
      await chat.frame.locator(`[data-action="${action}"]`).waitFor();
    await chat.status("ready").waitFor();
    const [fresh] = agentProcesses(lab().folder);
    assert.notEqual(fresh, old);
  });

  it("I34: a stopped agent is recovered after 30 s without a sign of life, and pending messages go on", async () => {
    await chat.send("do:say=going+to+stop do:stop");
    await chat.answered("going to stop");
    const [old] = agentProcesses(lab().folder);
    await chat.send("pending through it");
    await chat.queues("pending through it");
    await chat
      .batches()
      .last()
      .getByText(/^Silent for \d+ s$/)
      .waitFor({
        timeout: 60_000,
      });
    await chat.status("stuck").waitFor({ timeout: 30_000 });
    await chat
      .part("notice")
      .getByText(/no sign of life/i)
      .waitFor();
    await chat.answered("echo: pending through it", 60_000);
    await chat.batches("failed").nth(1).waitFor();
    await chat.status("ready").waitFor();
    const now = agentProcesses(lab().folder);
    assert.equal(now.length, 1);
    assert.notEqual(now[0], old);
  });
});
