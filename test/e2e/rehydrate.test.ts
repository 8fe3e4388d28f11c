import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Locator } from "playwright-core";
import { faultAgent } from "./agents.ts";
import { Chat } from "./chat.ts";
import { chatFrame, withLab } from "./lab.ts";
import { importThread } from "./longThread.ts";
import { storedText } from "./stored.ts";

const home = mkdtempSync(path.join(os.tmpdir(), "turnline-rehydrate-"));

describe("a chat that goes and comes back", function () {
  this.timeout(180_000);
  const lab = withLab({
    settings: {
      "turnline.agents": {
        scripted: faultAgent("Scripted", [], {
          FAULT_SESSIONS: path.join(home, "sessions"),
        }),
      },
      "turnline.defaultAgent": "scripted",
    },
  });
  let chat: Chat;

  before(async () => {
    chat = new Chat(await lab().chat());
    for (let n = 1; n <= 4; n++) {
      await chat.send(`turn ${n} do:thought=because do:tool=ok do:big=3000`);
      await done(chat, `turn ${n}`);
    }
  });

  const away: Record<string, () => Promise<void>> = {
    "is hidden behind another view": async () => {
      await lab().command("View: Toggle Secondary Side Bar Visibility");
      await lab().page.locator("iframe.webview.ready").waitFor({
        state: "detached",
      });
    },
    "is reloaded with its window": () => lab().reload(),
    "has crashed": async () => {
      await chatFrame(lab().page)
        .locator("body")
        .evaluate(() => {
          // No event of a page that leaves in good order.
          for (const name of ["pagehide", "visibilitychange"])
            window.addEventListener(
              name,
              (event) => event.stopImmediatePropagation(),
              true,
            );
          document.body.replaceChildren();
        });
      // Keys would still go to the dead page.
      await lab().page.locator(".part.statusbar").click();
      await lab().command("Developer: Reload Webviews");
    },
  };

  /** What a view keeps is written a moment after it changed: waits until VS Code has it. */
  async function kept(
    draft: string,
    { key, top }: { readonly key: string; readonly top: number },
  ): Promise<void> {
    const scroll = new RegExp(
      `"scroll":\\{"key":"${key}","offset":(-?[\\d.]+)\\}`,
      "u",
    );
    await chat.until(
      async () => {
        const stored = await storedText(lab().page);
        const offset = Number(scroll.exec(stored)?.[1] ?? Number.NaN);
        return { draft: stored.includes(draft), past: offset + top };
      },
      // Between a turn and its place in the list is some air.
      (now) => now.draft && now.past > -2 && now.past < 20,
    );
  }

  for (const [what, leave] of Object.entries(away))
    it(`I46: has its draft, place, folds and stream again when it ${what}`, async () => {
      await chat.send(`${what} do:chunks=150,40`);
      await chat.answered("chunk 3");
      await chat.part("composer").fill(`half a thought, ${what}`);
      await toTop(chat);
      const tool = chat.part("tool-call").first().locator("button").first();
      if ((await tool.getAttribute("aria-expanded")) === "false")
        await tool.click();
      await chat.frame.locator(".log").evaluate((log) => {
        log.dispatchEvent(new WheelEvent("wheel"));
        log.scrollTop = 120;
      });
      await chat.frame.getByText("Latest", { exact: true }).waitFor();
      const before = await place(chat);
      await kept(`half a thought, ${what}`, before);

      await leave();
      chat = new Chat(await lab().chat());
      await chat.batches().first().waitFor();

      assert.equal(
        await chat.part("composer").inputValue(),
        `half a thought, ${what}`,
      );
      await chat.until(
        () => place(chat),
        (now) => now.key === before.key && Math.abs(now.top - before.top) < 4,
      );
      const fold = chat.part("tool-call").first().locator("button").first();
      await chat.until(
        () => fold.getAttribute("aria-expanded"),
        (open) => open === "true",
      );
      await chat.part("composer").fill("");
      await chat.frame.getByText("Latest", { exact: true }).click();
      const interrupted = what.includes("window");
      await done(chat, what, interrupted ? "interrupted" : "completed");
      const said = await chat.messages("agent").last().innerText();
      const chunks = [...said.matchAll(/chunk (\d+)/gu)].map(([, n]) =>
        Number(n),
      );
      assert.deepEqual(
        chunks,
        chunks.map((_, n) => n),
        "each piece once, in order",
      );
      if (!interrupted) assert.equal(chunks.length, 150);
      const users = await chat.messages("user").allInnerTexts();
      assert.equal(users.filter((text) => text.includes(what)).length, 1);
    });

  it("I46: has a half-done edit of a queued message again when it is hidden", async () => {
    await chat.send("runs do:silent");
    await chat.status("busy").waitFor();
    await chat.send("queued");
    await chat.item("queued").press("Enter");
    const edit = (): Locator => chat.part("queue-edit-text");
    await edit().fill("half an edit");
    await chat.until(
      () => storedText(lab().page),
      (stored) => stored.includes("half an edit"),
    );
    // What the palette is told must not reach the edited text, whose edit Escape would end.
    await lab().page.locator(".part.statusbar").click();
    await away["is hidden behind another view"]?.();
    chat = new Chat(await lab().chat());
    await chat.until(
      () => edit().inputValue(),
      (now) => now === "half an edit",
    );
    await edit().press("Escape");
    await chat.queues("queued");
    await chat.item("queued").press("Delete");
    await chat.part("stop").click();
    await chat.status("ready").waitFor();
  });

  it("I46: has its place again far before the newest page", async () => {
    await importThread(
      lab(),
      "long",
      Array.from({ length: 120 }, (_, n) => ({
        said: `turn number ${n + 1}`,
        answer: `Answer ${n + 1}.\n\n${"Word. ".repeat(60)}`,
      })),
    );
    const turn = (n: number): Locator =>
      chat.batches().filter({ hasText: `Answer ${n}.` });
    await turn(120).waitFor();
    await chat.until(
      async () => {
        await chat.frame.locator(".log").evaluate((log) => {
          log.dispatchEvent(new WheelEvent("wheel"));
          log.scrollTop = 0;
        });
        return turn(1).isVisible();
      },
      (there) => there,
    );
    await turn(4).evaluate((fourth) => {
      const log = fourth.closest(".log");
      log?.dispatchEvent(new WheelEvent("wheel"));
      fourth.scrollIntoView({ block: "start" });
    });
    for (const leave of [
      away["is hidden behind another view"],
      away["is reloaded with its window"],
    ]) {
      const before = await chat.until(
        () => place(chat),
        ({ key }) => key !== "",
      );
      await kept("", before);
      await leave?.();
      chat = new Chat(await lab().chat());
      await chat.until(
        () => place(chat),
        (now) => now.key === before.key && Math.abs(now.top - before.top) < 4,
      );
      assert.equal(await turn(4).isVisible(), true);
    }
    await chat.frame.getByText("Latest", { exact: true }).click();
    await turn(120).waitFor();
  });

  it("I47: pieces that come late, twice or in disorder leave a final text as it is", async () => {
    const inside = chat.frame.locator("body");
    await inside.evaluate(() => {
      const heard: unknown[] = [];
      Object.assign(window, { heard });
      window.addEventListener("message", (event) => heard.push(event.data));
    });
    await chat.send("do:chunks=30,20 do:after=200");
    await chat.answered("after the end");
    await chat.batches("processing").waitFor({ state: "detached" });
    // Only the newest turn is sure to be in the page: older ones leave it as they scroll out.
    const texts = (): Promise<string[]> =>
      chat
        .batches()
        .last()
        .locator('[data-testid="message"][data-role="agent"]')
        .allInnerTexts();
    const final = await texts();
    assert.equal(final.at(-1)?.includes("after the end"), true);
    const replayed = await inside.evaluate(async () => {
      interface Delta {
        kind: string;
        body: {
          type: string;
          instance: string;
          n: number;
          ops: { op: string; id?: string; text?: string }[];
        };
      }
      const heard = (window as unknown as { heard: Delta[] }).heard.filter(
        ({ kind, body }) => kind === "post" && body.type === "delta",
      );
      const texts = heard.filter(({ body }) =>
        body.ops.some(({ op }) => op === "text"),
      );
      const last = heard.at(-1)?.body;
      const id = texts[0]?.body.ops.find(({ op }) => op === "text")?.id ?? "";
      const forged = [0, 1, 5].map((offset, i) => ({
        kind: "post",
        body: {
          type: "delta",
          instance: last?.instance ?? "",
          n: (last?.n ?? 0) - i,
          ops: [{ op: "text", id, offset, text: "FORGED" }],
        },
      }));
      for (const data of [...texts, ...texts.toReversed(), ...forged])
        window.dispatchEvent(new MessageEvent("message", { data }));
      for (let frames = 0; frames < 5; frames++)
        await new Promise((next) => requestAnimationFrame(next));
      return texts.length;
    });
    assert.ok(replayed > 0);
    await chat.until(texts, (now) => now.join("\n") === final.join("\n"));
    await chat.send("still there?");
    await chat.answered("echo: still there?");
    assert.equal((await texts()).join("").includes("FORGED"), false);
  });
});

/** Only what is near is in the page, so turns are told by what was said in them. */
async function done(
  chat: Chat,
  said: string,
  status = "completed",
): Promise<void> {
  await chat.batches(status).filter({ hasText: said }).last().waitFor();
}

async function toTop(chat: Chat): Promise<void> {
  await chat.frame.locator(".log").evaluate((log) => {
    log.dispatchEvent(new WheelEvent("wheel"));
    log.scrollTop = 0;
  });
  await chat.part("tool-call").first().waitFor();
}

/** What stands at the top of the transcript, and how far it is scrolled past. */
function place(chat: Chat): Promise<{ key: string; top: number }> {
  return chat.frame.locator(".log").evaluate((log) => {
    const { top } = log.getBoundingClientRect();
    const first = [...log.querySelectorAll<HTMLElement>("[data-key]")].find(
      (one) => one.getBoundingClientRect().bottom > top + 1,
    );
    return {
      key: first?.dataset["key"] ?? "",
      top: Math.round((first?.getBoundingClientRect().top ?? 0) - top),
    };
  });
}
