import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Frame, Locator } from "playwright-core";
import { frameWith } from "../lab/vscode/workbench.ts";
import { faultAgent, until } from "./agents.ts";
import { Chat } from "./chat.ts";
import { answerFileDialog } from "./fileDialog.ts";
import { withLab } from "./lab.ts";
import { importThread } from "./longThread.ts";
import { inAllThemes, violations } from "./themes.ts";

const home = mkdtempSync(path.join(os.tmpdir(), "turnline-timeline-"));

describe("the batch timeline", function () {
  this.timeout(120_000);
  const lab = withLab({
    size: { width: 1500, height: 900 },
    settings: {
      "turnline.agents": {
        scripted: faultAgent("Scripted", [], {
          FAULT_SESSIONS: path.join(home, "sessions"),
        }),
      },
      "turnline.defaultAgent": "scripted",
      "files.simpleDialog.enable": true,
    },
  });
  let chat: Chat;
  let frame: Frame;
  let looks = 0;
  const turns = (status?: string): Locator =>
    frame.locator(
      `[data-testid="timeline-batch"]${status === undefined ? "" : `[data-status="${status}"]`}`,
    );

  const rows = (): Locator => frame.getByTestId("timeline-row");
  const widthOf = async (turn: Locator): Promise<number> =>
    (await turn.boundingBox())?.width ?? 0;
  const leftOf = async (turn: Locator): Promise<number> =>
    (await turn.boundingBox())?.x ?? 0;
  const rowsAre = (count: number): Promise<number> =>
    chat.until(
      () => rows().count(),
      (now) => now === count,
    );
  /** Whether an element begins where the chat's log can be seen. */
  const inLog = (element: Locator): Promise<boolean> =>
    chat.until(
      () =>
        element.evaluate((one) => {
          const box = one.closest(".log")?.getBoundingClientRect();
          const { top } = one.getBoundingClientRect();
          return box !== undefined && top >= box.top && top < box.bottom;
        }),
      (is) => is,
    );
  const exported = async (format: "csv" | "json"): Promise<string> => {
    const file = path.join(lab().folder, `turnline.${format}`);
    await frame.getByTestId("timeline-export").selectOption(format);
    await answerFileDialog(lab().page, file);
    await until(() => existsSync(file) && readFileSync(file).length > 0);
    return readFileSync(file, "utf8");
  };

  before(async () => {
    chat = new Chat(await lab().chat());
    await chat.send("first do:chunks=40,100");
    await chat.status("busy").waitFor();
    await chat.send("second do:say=two do:tokens=700,300");
    await chat.send("third");
    await chat.ended(2);
    await lab().command("Turnline: Show Batch Timeline");
    frame = await frameWith(lab().page, '[data-testid="timeline"]');
  });

  it("shows each turn, with what went into it", async () => {
    await turns("completed").nth(1).waitFor();
    assert.equal(await turns().count(), 2);
    const labels = await turns().evaluateAll((all) =>
      all.map((one) => one.getAttribute("aria-label") ?? ""),
    );
    assert.match(labels[0] ?? "", /^Turn 1, 1 message, done/);
    assert.match(labels[1] ?? "", /^Turn 2, 2 messages, done/);
    assert.equal(
      await frame.getByTestId("timeline-count").innerText(),
      "2 turns, 3 messages",
    );
    const saved = frame.getByTestId("timeline-figures").locator(".fig b");
    assert.equal(await saved.first().innerText(), "≈1");
  });

  it("follows a turn that runs, and tells when it has ended", async () => {
    await chat.send("do:say=working do:silent");
    await turns("processing").waitFor();
    await chat.send("waits for its turn");
    const name = frame.locator(".lane .who");
    await name.filter({ hasText: "1 queued" }).waitFor();
    await frame.getByTestId("timeline-as-table").click();
    await frame.getByTestId("timeline-queued").waitFor();
    await frame.getByTestId("timeline-as-table").click();
    await chat.item("waits for").press("Delete");
    await name.filter({ hasText: "1 queued" }).waitFor({ state: "detached" });
    await chat.part("stop").click();
    await turns("cancelled").waitFor();
    assert.equal(await turns().count(), 3);
  });

  it("goes from turn to turn by keys, tells about the one in focus, and zooms", async () => {
    await turns().first().focus();
    const focused = frame.locator('[data-testid="timeline-batch"]:focus');
    const told = frame.getByTestId("timeline-card");
    await told.filter({ hasText: "Turn 1" }).waitFor();
    await focused.press("ArrowRight");
    await told.filter({ hasText: "Turn 2" }).waitFor();
    const width = (): Promise<number> => widthOf(turns().first());
    const before = await width();
    await focused.press("+");
    await chat.until(width, (now) => now > before * 1.2);
    await focused.press("0");
    await chat.until(width, (now) => now < before * 1.2);
  });

  it("tells what went into the turn in focus and what came of it", async () => {
    const told = frame.getByTestId("timeline-card");
    await turns().first().focus();
    await told.filter({ hasText: /Sentfull, [\d.]+ K?B/ }).waitFor();
    await turns().nth(1).focus();
    await told.filter({ hasText: "Turn 2" }).waitFor();
    await told.filter({ hasText: "third" }).waitFor();
    const text = (await told.innerText()).replaceAll(/\s+/g, " ");
    assert.match(text, /2 messages/);
    assert.match(text, /second do:say=two .* third/);
    assert.match(text, /Sent delta, [\d.]+ K?B/);
    assert.match(text, /Tokens 1\.0k/);
    assert.match(text, /Ended by itself/);
  });

  it("zooms where the wheel turns, and goes along with a drag", async () => {
    const { mouse } = lab().page;
    const turn = turns().first();
    const box = await turn.boundingBox();
    assert.ok(box);
    await mouse.move(box.x + 1, box.y + box.height / 2);
    await mouse.wheel(0, -300);
    await chat.until(
      () => widthOf(turn),
      (now) => now > box.width * 1.5,
    );
    // What is under the pointer stays there.
    const left = await leftOf(turn);
    assert.ok(Math.abs(left - box.x) < 3, `${left} is not ${box.x}`);
    const field = await frame.locator(".field-of-lanes").boundingBox();
    assert.ok(field);
    const [x, y] = [field.x + field.width / 2, field.y + 12];
    await mouse.move(x, y);
    await mouse.down();
    await mouse.move(x - 40, y);
    await mouse.move(x - 80, y);
    await mouse.up();
    await chat.until(
      () => leftOf(turn),
      (now) => Math.abs(now - (left - 80)) < 3,
    );
    await turn.press("0");
  });

  it("is the same as a table, and filters by text, status and type", async () => {
    await turns().first().press("t");
    await rowsAre(3);
    const find = frame.getByTestId("timeline-find");
    await find.fill("third");
    await rowsAre(1);
    await find.fill("");
    await rowsAre(3);
    const by = async (
      what: string,
      value: string,
      count: number,
    ): Promise<void> => {
      const pick = frame.getByTestId(`timeline-${what}`);
      await pick.selectOption(value);
      await rowsAre(count);
      await pick.selectOption("");
      await rowsAre(3);
    };
    await by("status", "cancelled", 1);
    await by("type", "continuation", 0);
    await by("type", "user_request", 3);
    await frame.getByTestId("timeline-as-table").click();
    await turns().nth(2).waitFor();
  });

  it("saves what it shows, as a sheet and as data", async () => {
    const lines = (await exported("csv")).trim().split("\r\n");
    assert.equal(lines.length, 4);
    assert.match(lines[0] ?? "", /^thread,agent,turn,/);
    const data = JSON.parse(await exported("json")) as readonly Record<
      string,
      unknown
    >[];
    assert.deepEqual(
      data.map(({ turn, messages, status, stop, tokens }) => [
        ...[turn, messages, status, stop, tokens],
      ]),
      [
        [1, 1, "completed", "end_turn", null],
        [2, 2, "completed", "end_turn", 1000],
        [3, 1, "cancelled", "cancelled", null],
      ],
    );
  });

  it("opens the chat at a turn", async () => {
    // What was zoomed and dragged before may hide the bar behind its lane's name.
    await turns().first().press("0");
    await turns().first().click();
    const turn = chat.frame.locator('[data-testid="batch"]:focus');
    await turn.filter({ hasText: "first" }).waitFor();
    await inLog(turn);
  });

  it("opens a turn whole", async () => {
    await turns().nth(1).press("i");
    const editor = lab().page.locator(".editor-instance .view-lines");
    await editor.filter({ hasText: "Messages: 2" }).waitFor();
  });

  it("filters by thread and agent, and opens the chat at a turn it had not loaded", async () => {
    await importThread(
      lab(),
      "long",
      Array.from({ length: 120 }, (_, i) => ({
        said: `question ${i} about penguins`,
        answer: `Answer ${i}. ${"Some words that fill the page. ".repeat(8)}`,
      })),
    );
    const said = (i: number): Locator =>
      chat.messages("user").filter({ hasText: `question ${i} about` });
    await said(119).waitFor();
    const count = frame.getByTestId("timeline-count");
    await count.filter({ hasText: "123 turns" }).waitFor();
    await frame.getByTestId("timeline-agent").selectOption("Scripted");
    await count.filter({ hasText: /^3 turns/ }).waitFor();
    await frame.getByTestId("timeline-agent").selectOption("");
    await frame.getByTestId("timeline-thread").selectOption("long");
    await count.filter({ hasText: /^120 turns/ }).waitFor();
    assert.equal(await said(3).count(), 0);
    await frame.getByTestId("timeline-find").fill("question 3 about");
    await count.filter({ hasText: /^1 turn,/ }).waitFor();
    await frame.getByLabel("Fit all").click();
    assert.match(
      (await turns().first().getAttribute("aria-label")) ?? "",
      /^Turn 4, 1 message, done/,
    );
    await turns().first().click();
    const turn = chat.frame.locator('[data-testid="batch"]:focus');
    await turn.filter({ hasText: "question 3 about" }).waitFor();
    await inLog(turn);
    await frame.getByTestId("timeline-find").fill("");
    await frame.getByTestId("timeline-thread").selectOption("");
    await frame.getByTestId("timeline-agent").selectOption("Scripted");
    await count.filter({ hasText: /^3 turns/ }).waitFor();
  });

  it("axe finds nothing wrong with the chart, a card and the table, in any kind of theme", async () => {
    const shown = frame.getByTestId("timeline-table");
    await inAllThemes(lab().folder, frame, {
      chart: async () => {
        if (await shown.isVisible())
          await frame.getByTestId("timeline-as-table").click();
        await turns().last().focus();
        await frame.getByTestId("timeline-card").waitFor();
        await lab().picture(`timeline ${++looks}`);
      },
      table: async () => {
        await frame.getByTestId("timeline-as-table").click();
        await rows().first().waitFor();
      },
    });
  });

  it("opens as an editor tab too, where axe finds nothing wrong either", async () => {
    await lab().command("Turnline: Open Batch Timeline in Editor");
    await lab()
      .page.locator(".tab.active")
      .filter({ hasText: "Batch Timeline" })
      .waitFor();
    const tab = await frameWith(
      lab().page,
      '[data-testid="timeline-batch"]',
      30_000,
      frame,
    );
    assert.deepEqual(await violations(tab), []);
  });
});
