import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { faultAgent } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";
import { importThread } from "./longThread.ts";

describe("search over all threads", function () {
  this.timeout(120_000);
  const lab = withLab({
    settings: {
      "turnline.agents": { scripted: faultAgent("Scripted") },
      "turnline.defaultAgent": "scripted",
    },
  });
  let chat: Chat;
  const rows = (): Locator =>
    lab().page.locator(".quick-input-list .monaco-list-row");
  const only = (text: string): Promise<unknown> =>
    chat.until(
      () => rows().allInnerTexts(),
      (texts) => texts.length === 1 && texts[0]?.includes(text) === true,
    );
  const type = (text: string): Promise<void> =>
    lab().page.locator(".quick-input-widget input").fill(text);

  before(async () => {
    chat = new Chat(await lab().chat());
    await chat.send("the walrus sleeps");
    await chat.answered("walrus");
    await lab().command("Turnline: New Thread");
    await chat.part("batch").first().waitFor({ state: "detached" });
    await chat.send("change it do:diff=src/cart.ts");
    await chat.ended(1);
    await chat.send("otter first do:say=hello do:silent");
    await chat.status("busy").waitFor();
    await chat.send("the newest otters wait");
    await chat.queues("the newest otters wait");
  });

  it("finds as one types, newest first, and says when nothing is found", async () => {
    await lab().command("Turnline: Search All Threads...");
    // By label the older one would come first.
    await type("otter");
    await rows().filter({ hasText: "the newest otters" }).waitFor();
    assert.match(await rows().first().innerText(), /the newest otters wait/);
    assert.match(await rows().nth(1).innerText(), /otter first/);
    await type("zebra");
    await rows().filter({ hasText: "Nothing was found." }).waitFor();
  });

  it("narrows by filters, and says what a filter does not know", async () => {
    await type("is:queued");
    await rows().filter({ hasText: "otters wait" }).waitFor();
    await only("the newest otters wait");
    await type("has:diff");
    await rows().filter({ hasText: "change it" }).first().waitFor();
    assert.equal(await rows().filter({ hasText: "walrus" }).count(), 0);
    await type("agent:script walrus");
    await rows().filter({ hasText: "the walrus sleeps" }).first().waitFor();
    await type("agent:built-in walrus");
    await only("Nothing was found.");
    await type("before:2020-01-01");
    await only("Nothing was found.");
    await type("before:2200-01-01 walrus");
    await rows().filter({ hasText: "the walrus sleeps" }).first().waitFor();
    await type("thread:walrus sleeps");
    await rows().filter({ hasText: "the walrus sleeps" }).first().waitFor();
    await type("before:yesterday");
    await rows().filter({ hasText: "A date is written as" }).waitFor();
  });

  it("opens the chat at the match, marked and in focus, in another thread too", async () => {
    await type("walrus");
    await rows().filter({ hasText: "the walrus sleeps" }).first().click();
    const said = chat.messages("user").filter({ hasText: "the walrus sleeps" });
    await inView(said);
    await chat.frame.locator(".batch:focus").waitFor();
    await marked("walrus");
  });

  it("goes to a queued message itself", async () => {
    await lab().command("Turnline: Search All Threads...");
    await type("otters is:queued");
    await rows().filter({ hasText: "otters wait" }).first().click();
    await chat.frame.locator('[data-testid="queue-item"]:focus').waitFor();
    const box = await chat.find();
    await box.fill("otters wait");
    await chat.part("find-count").filter({ hasText: "1 of 1" }).waitFor();
    await box.press("Escape");
  });

  describe("in a thread of hundreds of records", () => {
    const turns = Array.from({ length: 120 }, (_, i) => ({
      said: `question ${i} about penguins`,
      ...(i === 20 ? { thought: "First.\n\nA narwhal hides here." } : {}),
      answer: `Answer ${i}. ${"Some words that fill the page. ".repeat(8)}${i === 7 ? "Here is the **platypus**." : ""}`,
    }));

    before(async () => {
      await importThread(lab(), "long", turns);
      await inView(said(119));
    });
    const said = (i: number): Locator =>
      chat.messages("user").filter({ hasText: `question ${i} about` });

    it("goes to a record that was never loaded", async () => {
      assert.equal(await said(7).count(), 0);
      await lab().command("Turnline: Search All Threads...");
      await type("platypus");
      await rows().filter({ hasText: "platypus" }).first().click();
      await inView(chat.messages("agent").filter({ hasText: "platypus" }));
      await marked("platypus");
      await chat.part("jump").waitFor();
    });

    it("opens the fold that holds the match", async () => {
      await lab().command("Turnline: Search All Threads...");
      await type("narwhal");
      await rows().filter({ hasText: "narwhal" }).first().click();
      await inView(chat.frame.locator(".thought-text"));
      await marked("narwhal");
    });

    it("finds in the whole thread by Ctrl+F, steps, and gives the focus back", async () => {
      await chat.part("composer").click();
      const box = await chat.find();
      await box.fill("penguin");
      const count = chat.part("find-count");
      await count.filter({ hasText: "of 120" }).waitFor();
      await box.fill("QUESTION 11");
      await count.filter({ hasText: "of 11" }).waitFor();
      await chat.part("find-case").click();
      await count.filter({ hasText: "No results" }).waitFor();
      await chat.part("find-case").click();
      await count.filter({ hasText: "of 11" }).waitFor();
      const at = (): Promise<string> => count.innerText();
      const first = await at();
      await chat.part("find-next").click();
      await chat.until(at, (now) => now !== first);
      await chat.part("find-previous").click();
      await chat.until(at, (now) => now === first);
      await chat.part("find-text").press("F3");
      await chat.until(at, (now) => now !== first);
      await chat.part("find-text").press("Enter");
      const seen = new Set<string>();
      for (let i = 0; i < 11; i++) {
        const record = await chat.until(
          () => marked("question 11"),
          (now) => !seen.has(now),
        );
        seen.add(record);
        await chat.part("find-text").press("Shift+Enter");
      }
      assert.equal(seen.size, 11);
      await chat.frame.locator('[data-testid="find-text"]:focus').waitFor();
      await lab().picture("find in chat");
      await lab().page.keyboard.press("Escape");
      await chat.part("find").waitFor({ state: "detached" });
      await chat.focused();
    });

    it("opens the find box from the palette", async () => {
      await lab().command("Turnline: Find in Chat");
      await chat.frame.locator('[data-testid="find-text"]:focus').waitFor();
      await chat.part("find-text").fill("answer 3.");
      await chat.part("find-count").filter({ hasText: "1 of 1" }).waitFor();
      await inView(chat.messages("agent").filter({ hasText: "Answer 3." }));
      await chat.part("find-close").click();
      await chat.part("find").waitFor({ state: "detached" });
    });

    it("comes back from there to the newest by one click", async () => {
      await chat.part("jump").click();
      await inView(said(119));
      await chat.part("jump").waitFor({ state: "detached" });
    });

    it("follows a running answer only while one is at its end", async () => {
      const log = chat.frame.locator(".log");
      const place = (): Promise<{ top: number; left: number; said: number }> =>
        log.evaluate((box) => ({
          top: box.scrollTop,
          left: box.scrollHeight - box.clientHeight - box.scrollTop,
          said: box.textContent.length,
        }));
      const grows = async (by: number): Promise<void> => {
        const { said: before } = await place();
        await chat.until(place, ({ said: now }) => now > before + by);
      };
      await chat.send("do:chunks=400,40,60");
      await chat.status("busy").waitFor();
      await grows(600);
      await chat.until(place, ({ left }) => left <= 24);
      await log.hover();
      await lab().page.mouse.wheel(0, -900);
      await chat.part("jump").waitFor();
      await chat.until(place, ({ left }) => left > 400);
      const { top } = await place();
      await grows(600);
      assert.ok(Math.abs((await place()).top - top) < 2);
      await chat.part("jump").click();
      await chat.until(place, ({ left }) => left <= 24);
      await grows(600);
      await chat.until(place, ({ left }) => left <= 24);
      await chat.part("stop").click();
      await chat.batches("cancelled").last().waitFor();
    });
  });

  /** Waits until it stands inside what the transcript shows. */
  async function inView(what: Locator): Promise<void> {
    await what.first().waitFor({ state: "attached" });
    await chat.until(
      () =>
        what.first().evaluate((element) => {
          const box = element.closest(".log")?.getBoundingClientRect();
          const { top, bottom } = element.getBoundingClientRect();
          return box !== undefined && top < box.bottom && bottom > box.top;
        }),
      (is) => is,
    );
  }

  /** Waits until a text is the marked place, inside the view; answers which record it is in. */
  async function marked(text: string): Promise<string> {
    const place = await chat.until(
      () =>
        chat.frame.locator(".log").evaluate((log) => {
          const [range] = CSS.highlights.get("found-here") ?? [];
          if (!(range instanceof Range)) return { text: "", in: "" };
          const [at, box] = [range, log].map((one) =>
            one.getBoundingClientRect(),
          );
          const seen =
            at !== undefined &&
            box !== undefined &&
            at.top >= box.top &&
            at.bottom <= box.bottom;
          const record =
            range.startContainer.parentElement?.closest("[data-id]");
          return {
            text: seen ? range.toString() : "",
            in: record?.getAttribute("data-id") ?? "",
          };
        }),
      (now) => now.text.toLowerCase() === text.toLowerCase(),
    );
    return place.in;
  }
});
