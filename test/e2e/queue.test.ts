import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { recordingAgent, prompts, until } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const { record, settings } = recordingAgent(["--commands=plan,review"]);

describe("the queue, by mouse and keyboard", function () {
  this.timeout(120_000);
  const lab = withLab({
    settings: {
      ...settings,
      "turnline.userName": "alice",
      "turnline.dispatch.maxBufferedMessages": 4,
    },
  });
  let chat: Chat;
  let sent = 0;

  before(async () => {
    chat = new Chat(await lab().chat());
    await chat.focused();
  });

  /** A thread of its own, with a turn that runs until it is stopped. */
  beforeEach(async function () {
    await lab().command("Turnline: New Thread");
    await chat.until(
      () => chat.batches().count(),
      (count) => count === 0,
    );
    await chat.focused();
    const name = this.currentTest?.title.slice(0, 12) ?? "";
    await chat.send(`${name} do:say=at+work do:silent`);
    await chat.answered("at work");
    sent = prompts(record).length;
  });

  /** The prompts since the turn that each test begins with. */
  const next = async (count: number): Promise<readonly string[]> => {
    await until(() => prompts(record).length >= sent + count);
    await chat.status("ready").waitFor();
    return prompts(record).slice(sent);
  };
  const queue = async (...texts: readonly string[]): Promise<void> => {
    for (const text of texts) await chat.send(text);
    await chat
      .part("queue-item")
      .nth(texts.length - 1)
      .waitFor();
  };

  it("I48: each message shows its own state", async () => {
    await queue("one", "two", "/plan three", "four", "five");
    await chat.item("two").press("s");
    await chat.until(
      () => receipts(chat),
      (titles) => (titles[1] ?? "").endsWith("separate turn"),
    );
    const titles = await receipts(chat);
    assert.match(titles[0] ?? "", /^Queued .*, saved$/);
    assert.match(titles[1] ?? "", /^Queued .*, separate turn$/);
    assert.match(titles[2] ?? "", /^Queued .*, separate turn$/);
    assert.match(titles[3] ?? "", /^Queued .*, saved$/);
    assert.match(
      titles[4] ?? "",
      /^Saved\. Joins the queue when there is room/,
    );
    assert.deepEqual(await states(chat), [
      "queued",
      "queued",
      "queued",
      "queued",
      "waiting",
    ]);
    await chat.part("stop").click();
    const said = await next(4);
    assert.deepEqual(said.slice(0, 3), ["one", "two", "/plan three"]);
    assert.match(said[3] ?? "", /four[\s\S]*five/);
  });

  it("I22: a full queue says so and loses nothing", async () => {
    await queue("a1", "a2", "a3", "a4");
    assert.match(
      (await chat.part("composer").getAttribute("placeholder")) ?? "",
      /later turn/,
    );
    await chat.part("queue").getByText("full", { exact: true }).waitFor();
    await chat.frame.getByText(/The next turn is full \(4\)/).waitFor();
    for (const text of ["a5", "a6"]) await chat.send(text);
    await chat.queues("a1", "a2", "a3", "a4", "a5", "a6");
    await chat.part("stop").click();
    const said = await next(2);
    assert.deepEqual(said.map(messagesIn), [
      ["a1", "a2", "a3", "a4"],
      ["a5", "a6"],
    ]);
  });

  it("I13 I21: an edit keeps its place, and what is being edited is never claimed", async () => {
    await queue("first", "secnd", "third");
    await chat.item("secnd").hover();
    await chat.item("secnd").getByTestId("queue-edit").click();
    const box = chat.part("queue-edit-text");
    await box.fill("second");
    await chat.part("stop").click();
    await chat.answered("echo: first");
    await chat.status("ready").waitFor();
    assert.equal(await chat.part("queue-item").count(), 2);
    assert.equal(await box.inputValue(), "second");
    await box.press("Enter");
    const said = await next(2);
    assert.equal(said[0], "first");
    assert.deepEqual(messagesIn(said[1] ?? ""), ["second", "third"]);
  });

  it("Escape leaves an edited message as it was, and gives focus back to it", async () => {
    await queue("keep me", "and me");
    await chat.item("keep me").press("Enter");
    await chat.part("queue-edit-text").fill("lost words");
    await chat.part("queue-edit-text").press("Escape");
    await chat.queues("keep me", "and me");
    await chat.frame
      .locator('[data-testid="queue-item"]:focus')
      .filter({ hasText: "keep me" })
      .waitFor();
  });

  it("removes with undo, by mouse and by key", async () => {
    await queue("stay", "go", "stay too");
    await chat.item("go").hover();
    await chat.item("go").getByTestId("queue-remove").click();
    await chat.queues("stay", "stay too");
    await chat.part("queue-undo").click();
    await chat.queues("stay", "go", "stay too");
    await chat.item("stay too").press("Delete");
    await chat.queues("stay", "go");
    await chat.part("queue-undo").press("Control+z");
    await chat.queues("stay", "go", "stay too");
    await chat.item("go").press("Delete");
    await chat.queues("stay", "stay too");
    await chat.part("stop").click();
    const said = await next(1);
    assert.deepEqual(said.map(messagesIn), [["stay", "stay too"]]);
  });

  it("reorders by keyboard, focus staying with what moves", async () => {
    await queue("x", "y", "z");
    for (const text of ["Next turn", "3 messages", "Goes when this turn ends"])
      await chat.part("queue").getByText(text, { exact: true }).waitFor();
    await chat.item("z").press("Alt+ArrowUp");
    await chat.queues("x", "z", "y");
    await chat.frame
      .locator('[data-testid="queue-item"]:focus')
      .filter({ hasText: "z" })
      .press("Alt+ArrowUp");
    await chat.queues("z", "x", "y");
    await chat.item("x").press("Alt+ArrowDown");
    await chat.queues("z", "y", "x");
    await chat.part("stop").click();
    assert.deepEqual((await next(1)).map(messagesIn), [["z", "y", "x"]]);
  });

  it("reorders by mouse, goes from one to the next by arrow keys, and H holds and resumes", async () => {
    const { page } = lab();
    await queue("one", "two", "three");
    const drag = async (
      text: string,
      to: string,
      y: "top" | "end",
    ): Promise<void> => {
      const grip = await box(chat.item(text).locator(".grip"));
      const row = await box(chat.item(to));
      await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
      await page.mouse.down();
      await chat.frame.locator(".is-moving").waitFor();
      const at = row.y + (y === "top" ? 2 : row.height - 2);
      await page.mouse.move(row.x + 20, at, { steps: 5 });
    };
    await drag("three", "one", "top");
    await chat.frame.locator(".is-over").waitFor();
    await page.mouse.up();
    await chat.queues("three", "one", "two");
    await drag("one", "two", "end");
    await page.mouse.up();
    await chat.queues("three", "two", "one");
    await drag("one", "three", "top");
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await chat.queues("three", "two", "one");
    await chat.item("one").press("Alt+ArrowUp");
    await chat.queues("three", "one", "two");

    const at = (text: string): Promise<void> =>
      chat.frame
        .locator('[data-testid="queue-item"]:focus')
        .filter({ hasText: text })
        .waitFor();
    await chat.item("three").focus();
    for (const [key, text] of [
      ["ArrowDown", "one"],
      ["ArrowDown", "two"],
      ["ArrowDown", "two"],
      ["ArrowUp", "one"],
    ] as const) {
      await page.keyboard.press(key);
      await at(text);
    }
    await page.keyboard.press("h");
    await chat.part("queue").getByText("On hold").waitFor();
    await at("one");
    await page.keyboard.press("h");
    await chat.part("queue").getByText("On hold").waitFor({ state: "hidden" });
    await at("one");
    await chat.part("stop").click();
    assert.deepEqual((await next(1)).map(messagesIn), [
      ["three", "one", "two"],
    ]);
  });

  it("a separate turn goes alone", async () => {
    await queue("p", "q", "r");
    await chat.item("q").hover();
    await chat.item("q").getByTestId("queue-separate").click();
    await chat.part("queue").getByText("Then, on its own").first().waitFor();
    await chat.part("stop").click();
    assert.deepEqual((await next(3)).slice(0, 3), ["p", "q", "r"]);
  });

  it("I24: a command of the agent goes alone, its text the first block", async () => {
    await queue("before", "/review this", "after");
    await chat.part("stop").click();
    assert.deepEqual(await next(3), ["before", "/review this", "after"]);
  });

  it("hold keeps the queue past the turn's end; resume sends it", async () => {
    await queue("held one", "held two");
    await chat.part("queue-hold").click();
    await chat.part("queue").getByText("On hold").waitFor();
    await chat.part("stop").click();
    await chat.status("ready").waitFor();
    await chat.batches("cancelled").first().waitFor();
    assert.equal(prompts(record).length, sent);
    assert.equal(
      await chat.part("composer").getAttribute("placeholder"),
      "Add to the next turn",
    );
    await chat.queues("held one", "held two");
    await chat.part("queue-hold").click();
    const said = await next(1);
    assert.deepEqual(messagesIn(said[0] ?? ""), ["held one", "held two"]);
    assert.match(said[0] ?? "", /held/i);
  });

  it("sends one item now, alone, and then the rest", async () => {
    await queue("later", "urgent");
    await actByKeys(chat, "urgent", "queue-item-now");
    const said = await next(2);
    assert.deepEqual(said, ["urgent", "later"]);
    await chat.batches("cancelled").first().waitFor();
  });

  it("sends the queue now, together", async () => {
    await queue("n1", "n2");
    await chat.part("queue-send-now").click();
    assert.deepEqual((await next(1)).map(messagesIn), [["n1", "n2"]]);
  });

  it("Ctrl+Enter sends what is typed now, alone", async () => {
    await queue("waits");
    await chat.part("composer").fill("right now");
    await chat.part("composer").press("Control+Enter");
    assert.deepEqual(await next(2), ["right now", "waits"]);
  });

  it("I26: cancel keeps the queue, which goes next", async () => {
    await queue("c1", "c2");
    await chat.part("composer").press("Escape");
    await chat.part("composer").press("Escape");
    await chat.batches("cancelled").first().waitFor();
    assert.deepEqual((await next(1)).map(messagesIn), [["c1", "c2"]]);
  });

  it("I26: cancel all empties the queue, those past the cap included, and Restore brings all back", async () => {
    await queue("e1", "e2", "e3", "e4", "e5");
    await chat.part("queue").getByRole("button", { name: "More" }).click();
    await chat.frame.getByText("Stop and clear").click();
    await chat.batches("cancelled").first().waitFor();
    await chat.part("queue-undo").waitFor();
    await chat.queues();
    assert.equal(prompts(record).length, sent);
    await chat.part("queue-undo").click();
    const said = await next(2);
    assert.deepEqual(said.map(messagesIn).flat(), [
      "e1",
      "e2",
      "e3",
      "e4",
      "e5",
    ]);
  });

  it("splits and merges", async () => {
    await queue("left right", "more");
    await chat.item("left right").press("Enter");
    const box = chat.part("queue-edit-text");
    await box.press("Home");
    for (let n = 0; n < 4; n++) await box.press("ArrowRight");
    await chat.part("queue-split").click();
    await chat.queues("left", "right", "more");
    await actByKeys(chat, "right", "queue-merge");
    await chat.until(
      () => chat.part("queue-item").count(),
      (count) => count === 2,
    );
    await chat.part("stop").click();
    const said = await next(1);
    assert.equal(messagesIn(said[0] ?? "")[0], "left");
    assert.match(messagesIn(said[0] ?? "")[1] ?? "", /right\s+more/);
  });

  it("splits what is edited when its turn has ended meanwhile", async () => {
    await queue("upper lower");
    await chat.item("upper lower").press("Enter");
    const box = chat.part("queue-edit-text");
    await chat.part("stop").click();
    await chat.status("ready").waitFor();
    await box.press("Home");
    for (let n = 0; n < 5; n++) await box.press("ArrowRight");
    await chat.part("queue-split").click();
    const said = await next(1);
    assert.deepEqual(
      messagesIn(said[0] ?? "").map((text) => text.trim()),
      ["upper", "lower"],
    );
  });
});

/** Goes along the actions of a message by the arrow keys. */
async function actByKeys(
  chat: Chat,
  text: string,
  action: string,
): Promise<void> {
  const item = chat.item(text);
  await item.focus();
  const there = item.locator(`[data-testid="${action}"]:focus`);
  for (let n = 0; n < 8 && !(await there.isVisible()); n++)
    await chat.frame.locator(":focus").press("ArrowRight");
  await there.press("Enter");
}

async function box(
  of: Locator,
): Promise<NonNullable<Awaited<ReturnType<Locator["boundingBox"]>>>> {
  await of.hover();
  const found = await of.boundingBox();
  assert.ok(found);
  return found;
}

/** The texts of a prompt that carries several messages. */
function messagesIn(prompt: string): readonly string[] {
  const found = [
    ...prompt.matchAll(/<message [^>]*>\n([\s\S]*?)\n<\/message[^>]*>/g),
  ].map(([, text = ""]) => text);
  return found.length === 0 ? [prompt] : found;
}

async function receipts(chat: Chat): Promise<readonly string[]> {
  return chat
    .part("queue-item")
    .evaluateAll((items) =>
      items.map(
        (item) => item.querySelector(".receipt")?.getAttribute("title") ?? "",
      ),
    );
}

async function states(chat: Chat): Promise<readonly string[]> {
  return chat
    .part("queue-item")
    .evaluateAll((items) =>
      items.map((item) => item.getAttribute("data-state") ?? ""),
    );
}
