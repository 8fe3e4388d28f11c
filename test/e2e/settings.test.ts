import assert from "node:assert/strict";
import { prompts, recordingAgent, until } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const { record, settings } = recordingAgent();

describe("settings of the chat", function () {
  this.timeout(120_000);
  const lab = withLab({
    settings: {
      ...settings,
      "turnline.chat.enter": "newline",
      // Longer than any run: what ends the window is the test.
      "turnline.dispatch.collectWindowMs": 600_000,
      "turnline.dispatch.maxCollectWindowMs": 600_000,
    },
  });
  let chat: Chat;

  before(async () => {
    chat = new Chat(await lab().chat());
    await chat.focused();
  });

  it("where Enter adds a line, Ctrl+Enter sends, and the composer says so", async () => {
    const composer = chat.part("composer");
    await chat.frame
      .locator(".hint")
      .filter({ hasText: "Ctrl+Enter sends" })
      .filter({ hasText: "Enter adds a line" })
      .waitFor();
    await lab().page.keyboard.type("first");
    await lab().page.keyboard.press("Enter");
    await lab().page.keyboard.type("second");
    assert.equal(await composer.inputValue(), "first\nsecond");
    assert.equal(await chat.part("queue-item").count(), 0);
    await lab().page.keyboard.press("Control+Enter");
    await chat.queues("first second");
    assert.equal(await composer.inputValue(), "");
  });

  it("a collect window gathers what is sent, says when it goes, and Send now ends it", async () => {
    const queue = chat.part("queue");
    await queue.getByText(/^Collecting, goes in (10|9):\d\d$/u).waitFor();
    await chat.focused();
    await lab().page.keyboard.type("third");
    await lab().page.keyboard.press("Control+Enter");
    await chat.queues("first second", "third");
    await queue.getByText(/^Collecting, goes in \d+:\d\d$/u).waitFor();
    assert.deepEqual(prompts(record), [], "nothing goes before its time");
    await queue.getByRole("button", { name: "Send now" }).click();
    await until(() => prompts(record).length === 1);
    assert.match(prompts(record)[0] ?? "", /first\nsecond[\s\S]*third/u);
    await chat.ended(1);
    await chat.queues();
  });
});
