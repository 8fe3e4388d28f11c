import assert from "node:assert/strict";
import { recordingAgent, prompts, until } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const { record, settings } = recordingAgent();

describe("a queue through a restart", function () {
  this.timeout(120_000);
  const lab = withLab({ settings });

  it("I1 I4: what was queued is there after a restart, held, and goes on with one click", async () => {
    let chat = new Chat(await lab().chat());
    await chat.send("do:say=at+work do:silent");
    await chat.answered("at work");
    for (const text of ["one", "two"]) await chat.send(text);
    await chat.queues("one", "two");
    const loaded = async (): Promise<readonly string[]> => {
      await lab().reload();
      chat = new Chat(await lab().chat());
      await chat.queues("one", "two");
      await chat.part("notice").first().waitFor();
      await chat.batches("interrupted").first().waitFor();
      const parts = ["queue", "notice", "batch"].map((name) =>
        chat.part(name).allInnerTexts(),
      );
      return (await Promise.all(parts)).flat();
    };
    const once = await loaded();
    assert.deepEqual(await loaded(), once, "loading again changes nothing");
    const notice = chat
      .part("notice")
      .filter({ hasText: "Restored 2 messages. Nothing was sent." });
    await notice.waitFor();
    await chat.part("queue").getByText("On hold until you decide").waitFor();
    await chat.batches("interrupted").first().waitFor();
    const titles = await chat
      .part("queue-item")
      .locator(".receipt")
      .evaluateAll((all) => all.map((one) => one.getAttribute("title")));
    assert.deepEqual(titles, ["Never sent", "Never sent"]);
    assert.equal(prompts(record).length, 1);
    await notice.getByRole("button", { name: "Go on" }).click();
    await until(() => prompts(record).length === 2);
    assert.match(
      prompts(record)[1] ?? "",
      /restored[\s\S]*\none\n[\s\S]*\ntwo\n/i,
    );
    await chat.ended(1);
    await chat.queues();
    assert.equal(await notice.count(), 0);
    // What was interrupted is no longer the newest turn: it goes on as one of its own.
    await chat.frame.locator('.after [data-action="continue"]').click();
    await until(() => prompts(record).length === 3);
    const cap = chat.batches().last().locator(".cap");
    await cap.filter({ hasText: "Continued" }).waitFor();
    await chat.ended(2);
  });
});
