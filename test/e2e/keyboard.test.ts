import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { prompts, recordingAgent } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const { record, settings } = recordingAgent();
const slow = recordingAgent(["--initialize=late,4000"]);

describe("the chat by keyboard alone", function () {
  this.timeout(120_000);
  const lab = withLab({
    settings: {
      ...settings,
      "turnline.agents": {
        ...(settings["turnline.agents"] as object),
        slow: {
          ...(slow.settings["turnline.agents"] as Record<string, object>)[
            "scripted"
          ],
          label: "Slow",
        },
      },
    },
  });
  let chat: Chat;
  const press = (...keys: readonly string[]): Promise<void> =>
    keys.reduce(
      (before, key) => before.then(() => lab().page.keyboard.press(key)),
      Promise.resolve(),
    );
  /** What has the focus, in a word or two. */
  const focus = (): Promise<string> =>
    chat.frame.locator("body").evaluate(({ ownerDocument }) => {
      const now = ownerDocument.activeElement;
      if (!(now instanceof HTMLElement)) return "";
      const said = now.getAttribute("aria-label") ?? now.textContent;
      return now.dataset["testid"] === undefined
        ? `${now.tagName.toLowerCase()}.${now.classList[0] ?? ""} ${said.trim().slice(0, 20)}`.trim()
        : now.dataset["testid"];
    });
  const focused = (what: string | RegExp): Promise<string> =>
    chat.until(focus, (now) =>
      typeof what === "string" ? now === what : what.test(now),
    );
  const newThread = async (): Promise<void> => {
    await lab().command("Turnline: New Thread");
    await chat.until(
      () => chat.batches().count(),
      (count) => count === 0,
    );
    await chat.focused();
  };
  const focusOn = (selector: string): Promise<void> =>
    chat.frame.locator(selector).first().focus();

  before(async () => {
    chat = new Chat(await lab().chat());
    await chat.focused();
  });

  it("Stop leaves the cursor in the composer", async () => {
    await chat.send("do:say=working do:silent");
    await chat.answered("working");
    await focusOn('[data-testid="stop"]');
    await press("Enter");
    await chat.part("stop").waitFor({ state: "detached" });
    await focused("composer");
    await lab().page.keyboard.type("on");
    assert.equal(await chat.part("composer").inputValue(), "on");
    await chat.part("composer").fill("");
  });

  it("what is decided about a turn, and a question that goes, leave it there too", async () => {
    await newThread();
    await chat.send("read this do:say=half do:die");
    const discard = chat.frame.locator('.after [data-action="discard"]');
    await discard.waitFor();
    await discard.focus();
    await press("Enter");
    await discard.waitFor({ state: "detached" });
    await focused("composer");
    await chat.send("do:withdraw=1500");
    await chat.part("permission").waitFor();
    await press("Alt+p");
    await focused("permission");
    await chat.part("permission").waitFor({ state: "detached" });
    await focused("composer");
  });

  it("Latest leads to the transcript it went to the end of", async () => {
    await newThread();
    await chat.send(`long do:big=12000`);
    await chat.ended(1);
    await chat.frame.locator(".log").focus();
    await press("Home");
    await chat.part("jump").waitFor();
    await focusOn('[data-testid="jump"]');
    await press("Enter");
    await chat.part("jump").waitFor({ state: "detached" });
    await focused(/^div\.log/);
  });

  it("Tab goes by regions: the transcript is one stop, its question another, the queue one", async () => {
    await newThread();
    await chat.send("first do:thought=hmm do:diff=src/cart.ts do:tool=ok");
    await chat.ended(1);
    await chat.send("do:tool=open do:permission=allow_once");
    await chat.part("permission").waitFor();
    await chat.send("waits");
    await chat.item("waits").waitFor();
    await focusOn(".head-title");
    const stops = [await focus()];
    while (stops.at(-1) !== "composer" && stops.length < 30) {
      await press("Tab");
      stops.push(await focus());
    }
    assert.deepEqual(
      stops.map((stop) => stop.replace(/ .*/u, "")),
      [
        ...["button.head-title", "button.needs"],
        ...["button.ico", "button.ico", "button.ico"],
        ...["div.log", "permission-option"],
        ...["queue-preview", "queue-hold", "queue-send-now", "button.ico"],
        ...["queue-item", "composer"],
      ],
    );
    await press("Shift+Tab", "ArrowRight");
    await focused("queue-edit");
    await press("ArrowLeft");
    await focused("queue-item");
  });

  it("arrows go by turn in the transcript, unfold and fold, and Enter opens the change", async () => {
    await focusOn(".log");
    await press("ArrowUp");
    await focused("batch");
    const turn = (): Promise<string | null> =>
      chat.frame.locator(".batch:focus").getAttribute("aria-label");
    const last = await turn();
    await press("ArrowUp");
    const first = await turn();
    assert.notEqual(first, last);
    await press("ArrowDown");
    assert.equal(await turn(), last);
    await press("ArrowUp", "ArrowRight");
    await focused(/^button\.thought/);
    const thought = chat.frame.locator("button.thought").first();
    await press("ArrowRight");
    await chat.until(
      () => thought.getAttribute("aria-expanded"),
      (open) => open === "true",
    );
    await press("ArrowLeft");
    await chat.until(
      () => thought.getAttribute("aria-expanded"),
      (open) => open === "false",
    );
    await press("ArrowDown");
    await focused(/^button\.tool-row/);
    await press("Enter");
    await lab().page.locator(".tab").filter({ hasText: "cart.ts" }).waitFor();
    await lab().command("Turnline: Open Chat");
    await chat.part("permission").focus();
    await press("1");
    await focused("composer");
  });

  it("wide code scrolls with Right and Left, and its edge lets go", async () => {
    await newThread();
    const file = path.join(lab().folder, "wide.txt");
    writeFileSync(
      file,
      `\`\`\`ts\nconst wide = "${"x".repeat(400)}";\n\`\`\`\n`,
    );
    await chat.send(`do:play=${file},500,0`);
    await chat.ended(1);
    const code = chat.frame.locator(".code pre");
    await code.focus();
    const left = (): Promise<number> =>
      code.evaluate(({ scrollLeft }) => scrollLeft);
    await press("ArrowRight");
    await chat.until(left, (now) => now > 0);
    await focused(/^pre/);
    await code.evaluate((pre) => {
      pre.scrollLeft = 0;
    });
    await press("ArrowLeft");
    await focused("batch");
    // The actions of the code stand before it.
    await code.focus();
    await press("ArrowUp");
    await press("Enter");
    await lab().page.locator(".tab").filter({ hasText: "Untitled" }).waitFor();
    await lab().command("Turnline: Open Chat");
  });

  it("I27: Esc Esc stops a turn whose agent still starts, and Restore brings it back", async () => {
    await newThread();
    await chat.frame.getByRole("button", { name: "More" }).first().click();
    await chat.frame.getByRole("menuitemradio", { name: "Use Slow" }).click();
    await chat.part("composer").click();
    await chat.send("not yet");
    await chat.status("starting").waitFor();
    await chat.frame
      .locator("footer.foot")
      .filter({ hasText: /Starting Slow \d:\d\d/ })
      .waitFor();
    await chat.part("stop").waitFor();
    await press("Escape");
    await chat.frame
      .locator("#hint")
      .filter({ hasText: "Press Esc again" })
      .waitFor();
    await press("Escape");
    await chat.frame
      .locator(".q.gone")
      .filter({ hasText: "Stopped before it was sent" })
      .waitFor();
    await focused("composer");
    await lab().picture("stopped-before-sent");
    assert.deepEqual(prompts(slow.record), []);
    await chat.part("queue-undo").focus();
    await press("Enter");
    await chat.answered("echo: not yet");
    assert.equal(prompts(slow.record).length, 1);
    assert.equal(
      prompts(record).some((text) => text.includes("not yet")),
      false,
    );
  });
});
