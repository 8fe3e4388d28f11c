import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { prompts, received, recordingAgent, until } from "./agents.ts";
import type { Locator } from "playwright-core";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const { record, settings } = recordingAgent(["--modes"]);
const go = `${record}.go`;
const built = `${record}.built`;

describe("turns", function () {
  this.timeout(120_000);
  const lab = withLab({
    settings: {
      ...settings,
      "turnline.userName": "alice",
    },
  });
  let chat: Chat;

  before(async () => {
    chat = new Chat(await lab().chat());
  });

  /** What the panel shows as the user's own words in a batch, in order. */
  const said = async (batch: number): Promise<readonly string[]> => {
    const messages = chat
      .batches()
      .nth(batch)
      .locator('[data-testid="message"][data-role="user"]');
    return (await messages.allInnerTexts()).map((text) => text.trim());
  };

  it("three messages make two turns, the second carrying two, in order and attributed", async () => {
    const first = `can you check the build do:await=${built}`;
    await chat.send(first);
    await chat.status("busy").waitFor();
    await chat.send("actually wait");
    await chat.send("check the build and run the e2e tests");
    await chat.part("queue-item").nth(1).waitFor();
    assert.equal(await chat.part("queue-item").count(), 2);
    const heard = (text: RegExp): Promise<void> =>
      chat.part("live-polite").filter({ hasText: text }).waitFor();
    await heard(/2 in the next turn\./);
    writeFileSync(built, "");
    await chat.ended(2);
    await heard(/Turn ended after/);
    const sent = prompts(record);
    assert.equal(sent.length, 2);
    assert.equal(sent[0], first);
    assert.match(
      sent[1] ?? "",
      /<message index="1" from="alice">\nactually wait\n<\/message>[\s\S]*<message index="2" from="alice">\ncheck the build and run the e2e tests\n<\/message>/,
    );
    assert.equal(await chat.batches().count(), 2);
    assert.deepEqual(await said(0), [first]);
    assert.deepEqual(await said(1), [
      "actually wait",
      "check the build and run the e2e tests",
    ]);
    assert.equal(await chat.part("queue-item").count(), 0);
    const second = chat.batches().nth(1);
    const cap = second.locator(".cap");
    await cap.getByText("2 messages, one turn").waitFor();
    assert.match(await cap.locator("time").innerText(), /^\d\d:\d\d/);
    assert.equal(
      await second.locator('.receipt[title^="Delivered"]').count(),
      2,
    );
  });

  it("streams markdown as it comes", async () => {
    // The agent does not go on by itself: the first piece is shown while the turn runs.
    await chat.send(`do:say=**bold**+and+\`code\` do:await=${go} do:say=+more`);
    await chat.answered(/bold and code$/);
    await chat.status("busy").waitFor();
    assert.equal(await chat.batches("completed").count(), 2);
    writeFileSync(go, "");
    await chat.answered(/bold and code more$/);
    const answer = chat.messages("agent").last();
    assert.equal(await answer.locator("strong").innerText(), "bold");
    assert.equal(await answer.locator("code").innerText(), "code");
    await chat.ended(3);
  });

  it("stops when asked, and says so", async () => {
    await chat.send("do:plan do:say=working do:silent");
    await chat.answered("working");
    const turn = chat.batches("processing");
    const said = turn.locator('[data-role="user"]').last();
    await said.getByTitle(/^Sent/).first().waitFor();
    const foot = turn.locator(".foot");
    await foot.getByText("plan 1 of 2").waitFor();
    const top = async (of: Locator): Promise<number> =>
      (await of.boundingBox())?.y ?? 0;
    assert.ok((await top(foot)) > (await top(said)));
    await chat.part("stop").click();
    await chat.batches("cancelled").first().waitFor();
    await chat.status("ready").waitFor();
    await chat.send("again");
    await chat.answered("echo: again");
  });

  it("says why a turn failed, and sends it again when asked", async () => {
    await chat.send("do:say=half do:error");
    const [failed, again] = [0, 1].map((n) => chat.batches("failed").nth(n));
    await failed?.locator(".foot").getByText("failed on purpose").waitFor();
    const before = prompts(record).length;
    await chat.frame.locator('.after [data-action="retry"]').click();
    await until(() => prompts(record).length > before);
    await again?.waitFor();
    const first = failed?.locator('[data-role="user"]');
    assert.equal(await first?.getAttribute("data-state"), "superseded");
  });

  it("switches the agent's mode from the bar", async () => {
    await chat.frame.locator('select[data-option="mode"]').selectOption("code");
    await until(() => received(record, "session/set_mode").length === 1);
    const [told] = received(record, "session/set_mode");
    assert.equal(told?.params["modeId"], "code");
  });
});
