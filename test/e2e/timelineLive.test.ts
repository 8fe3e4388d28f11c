import assert from "node:assert/strict";
import type { Frame, Locator } from "playwright-core";
import { frameWith } from "../lab/vscode/workbench.ts";
import { prompts, recordingAgent, until } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const { record, settings } = recordingAgent();

describe("the batch timeline while things happen", function () {
  this.timeout(120_000);
  const lab = withLab({ size: { width: 1500, height: 1000 }, settings });
  let chat: Chat;
  let frame: Frame;
  const turns = (status?: string): Locator =>
    frame.locator(
      `[data-testid="timeline-batch"]${status === undefined ? "" : `[data-status="${status}"]`}`,
    );
  const rows = (): Locator => frame.getByTestId("timeline-row");
  const card = (): Locator => frame.getByTestId("timeline-card");
  const editor = (): Locator =>
    lab().page.locator(".editor-instance .view-lines").first();
  const asTable = (): Promise<void> =>
    frame.getByTestId("timeline-as-table").click();

  before(async () => {
    chat = new Chat(await lab().chat());
    await chat.send("first do:say=one");
    await chat.ended(1);
    await chat.part("composer").click();
    await lab().page.keyboard.press("Control+k");
    await lab().page.keyboard.press("b");
    frame = await frameWith(lab().page, '[data-testid="timeline"]');
    await turns("completed").first().waitFor();
  });

  it("shows a turn that begins after a zoom and a fit", async () => {
    await turns().first().focus();
    for (const key of ["+", "+", "0"]) await turns().first().press(key);
    await chat.send("second do:silent");
    const inView = (): Promise<boolean> =>
      turns("processing").evaluate((one) => {
        const lanes = one.closest(".track")?.getBoundingClientRect();
        const { left, right } = one.getBoundingClientRect();
        return (
          lanes !== undefined && left >= lanes.left && right <= lanes.right
        );
      });
    await turns("processing").waitFor();
    await chat.until(inView, (is) => is);
    await chat.part("stop").click();
    await turns("cancelled").waitFor();
  });

  it("tells about the turn under the pointer, whose keys then mean it", async () => {
    // The page has the keyboard, though no turn has.
    await frame.locator(".over").click({ position: { x: 5, y: 10 } });
    await turns().first().hover();
    await card().filter({ hasText: "Turn 1" }).waitFor();
    await card().filter({ hasText: "I inspects it" }).waitFor();
    await frame.locator(".over").press("i");
    await editor().filter({ hasText: "first do:say=one" }).waitFor();
    await lab().command("View: Close All Editors");
  });

  it("tells apart what a turn's time went into", async () => {
    await chat.send("third do:thought=hm do:tool=silent,300 do:permission");
    await chat.part("permission").waitFor();
    await frame.locator(".lane .needs").waitFor();
    await chat
      .part("permission")
      .locator('[data-kind="allow_once"]')
      .first()
      .click();
    await chat.done("third");
    await asTable();
    const row = rows().filter({ hasText: "third do:thought" });
    await row.filter({ hasText: "waits for you" }).waitFor();
    const text = (await row.innerText()).replaceAll(/\s+/g, " ");
    assert.match(text, /Worked: tools [\d.]+ m?s.*waits for you [\d.]+ m?s/);
    assert.match(text, /\d\d:\d\d:\d\d \d\d:\d\d:\d\d/);
    await asTable();
    // A chart that is not laid out yet has room for one turn only.
    await turns().nth(2).focus();
    await card()
      .filter({ hasText: /tools .*waits for you/s })
      .waitFor();
    await lab().picture("timeline card");
  });

  it("takes in what comes while it is narrowed to a text", async () => {
    await asTable();
    await frame.getByTestId("timeline-find").fill("third");
    await chat.until(
      () => rows().count(),
      (count) => count === 1,
    );
    await chat.send("third again");
    await chat.until(
      () => rows().count(),
      (count) => count === 2,
    );
    await chat.done("third again");
    await frame.getByTestId("timeline-find").fill("");
    await asTable();
  });

  it("joins a turn with its retry, asked for from the turn's own tab", async () => {
    await chat.send("break please do:error");
    await chat.ended(1, "failed");
    // Turns so close to each other share a spot of the chart.
    await asTable();
    const failed = rows().filter({ hasText: "failed" });
    await failed.getByTestId("timeline-inspect").click();
    await editor().filter({ hasText: "Stop reason: error" }).waitFor();
    const before = prompts(record).length;
    await lab().command("Turnline: Retry This Turn");
    await until(() => prompts(record).length > before);
    await failed.filter({ hasText: "retry of turn 5" }).waitFor();
    await asTable();
    await lab().command("View: Close All Editors");
  });

  it("sums up: what was not resent, how long until the first output, how many in a turn", async () => {
    const figures = frame.getByTestId("timeline-figures");
    const text = (await figures.innerText()).replaceAll(/\s+/g, " ");
    assert.match(text, /≈[\d.]+ ?K?B not resent/);
    assert.match(text, /p50 \/ p90 One message: [\d.]+ s \/ [\d.]+ s/);
    assert.match(text, /Messages in a turn \d+ 1 0 2 0 3 0 4 0 5 0 6\+/);
    const sums = frame.getByTestId("timeline-sums");
    const name = sums.locator("tbody th button").first();
    await name.focus();
    await name.press("Enter");
    const whole = frame.getByTestId("timeline-sum");
    await whole.filter({ hasText: /messages in \d+ turns/ }).waitFor();
    assert.match(await whole.innerText(), /9 of 10 under/);
    await name.press("Enter");
    await whole.waitFor({ state: "detached" });
    await frame.getByTestId("timeline-sums-by").selectOption("thread");
    await name.filter({ hasText: "first" }).waitFor();
  });

  it("continues a turn and forks it from its tab", async () => {
    await lab().command("Turnline: New Thread");
    await chat.part("batch").first().waitFor({ state: "detached" });
    await chat.send("cut do:say=half do:stopreason=max_tokens");
    await chat.answered("half");
    await lab().command("Turnline: Inspect Turn");
    await editor().filter({ hasText: "max_tokens" }).waitFor();
    const before = prompts(record).length;
    await lab().command("Turnline: Continue This Turn");
    await until(() => prompts(record).length > before);
    await chat.status("ready").waitFor();
    await editor().click();
    await lab().command("Turnline: Fork into a New Thread...");
    await chat.frame
      .locator(".head-title")
      .filter({ hasText: "(fork)" })
      .waitFor();
    await lab().command("View: Close All Editors");
  });

  it("is searched and stopped by keys", async () => {
    const { page } = lab();
    await chat.part("composer").click();
    await page.keyboard.press("Control+k");
    await page.keyboard.press("h");
    await page.getByText("Search all threads").waitFor();
    await page.keyboard.press("Escape");
    await chat.send("do:silent");
    await chat.status("busy").waitFor();
    await chat.until(
      async () => {
        await page.keyboard.press("Control+k");
        await page.keyboard.press("x");
        return chat.batches("cancelled").count();
      },
      (count) => count > 0,
    );
    await page.keyboard.press("Control+k");
    await page.keyboard.press("n");
    await chat.part("batch").first().waitFor({ state: "detached" });
  });

  it("comes back in its tab when nothing else wakes Turnline, as the chat does", async () => {
    const { page } = lab();
    const hidden = async (): Promise<void> => {
      for (const part of ["panel", "auxiliarybar"])
        await page.locator(`.part.${part}`).waitFor({ state: "hidden" });
    };
    /** VS Code's own way, which keeps what is open. */
    const reload = (): Promise<void> =>
      lab().whileReloading(() => lab().command("Developer: Reload Window"));
    await lab().command("View: Hide Panel");
    await lab().command("View: Toggle Secondary Side Bar Visibility");
    for (const [title, shows] of [
      ["Turnline: Open Batch Timeline in Editor", "timeline-batch"],
      ["Turnline: Open Chat in Editor", "composer"],
    ] as const) {
      await lab().command(title);
      await frameWith(page, `[data-testid="${shows}"]`);
      await hidden();
      await reload();
      await page.locator(".tab.active").waitFor();
      await frameWith(page, `[data-testid="${shows}"]`, 60_000);
      await hidden();
      await lab().command("View: Close All Editors");
    }
    const bar = page.locator('[id="turnline.turnline.turnline.status"]');
    await bar.filter({ hasText: "Turnline" }).waitFor();
  });
});
