import assert from "node:assert/strict";
import type { ThreadSummary, ViewState } from "../../src/protocol/viewState.ts";
import { base } from "../fixtures/webviewDev/make.ts";
import { mount } from "../fixtures/webviewDev/mount.ts";
import type { Mounted } from "../fixtures/webviewDev/mount.ts";

const summary = (
  id: string,
  more: Partial<ThreadSummary> = {},
): ThreadSummary => ({
  id,
  title: `Thread ${id}`,
  agent: "Claude Code",
  mark: "none",
  unread: false,
  queued: 0,
  updatedAt: 0,
  archived: false,
  ...more,
});

describe("The list of threads", () => {
  let page: Mounted;
  const here = base.thread?.id ?? "";
  const state: ViewState = {
    ...base,
    threads: [summary(here), summary("b"), summary("c")],
  };
  beforeEach(async () => {
    page = await mount(state);
    page.one(".head-title").click();
    await page.settled();
  });
  afterEach(async () => {
    const { problems } = page.host;
    await page.close();
    assert.deepEqual(problems, []);
  });
  const titles = (): readonly string[] =>
    page
      .all("[data-testid=thread]")
      .map((row) => row.getAttribute("data-thread") ?? "");
  const row = (id: string): HTMLElement =>
    page.one(`[data-thread="${id}"] .thread-open`);
  const focused = (): string | null | undefined =>
    page.document.activeElement?.getAttribute("data-testid");

  it("deletes by key, leaves a way back in focus where it stood, and takes it", async () => {
    page.press(row("b"), "Delete");
    await page.settled();
    assert.deepEqual(titles(), [here, "c"]);
    assert.equal(focused(), "thread-undo");
    const gone = page.one("[data-testid=thread-gone]");
    assert.match(gone.textContent, /Deleted "Thread b"\./);
    assert.equal(gone.nextElementSibling?.getAttribute("data-thread"), "c");
    page.one("[data-testid=thread-undo]").click();
    await page.settled();
    await page.settled();
    assert.deepEqual(titles(), [here, "b", "c"]);
    assert.equal(page.document.activeElement, row("b"));
    assert.equal(page.all("[data-testid=thread-gone]").length, 0);
    assert.equal(
      page.host.heard.filter(({ type }) => type === "openThread").length,
      0,
    );
  });

  it("opens a deleted thread again when it was the one shown", async () => {
    page.press(row(here), "Delete");
    await page.settled();
    page.one("[data-testid=thread-undo]").click();
    await page.settled();
    assert.equal(
      page.host.heard.findLast(({ type }) => type !== "memory")?.type,
      "openThread",
    );
  });

  it("says why a thread was not deleted, and offers nothing to undo", async () => {
    page.host.refuse = new Set(["deleteThread"]);
    page.press(row("b"), "Delete");
    await page.settled();
    assert.deepEqual(titles(), [here, "b", "c"]);
    assert.equal(page.all("[data-testid=thread-gone]").length, 0);
    assert.match(page.one("[role=alert]").textContent, /disk is full/);
  });

  it("renames by F2 and gives the focus back to the row", async () => {
    page.press(row("c"), "F2");
    await page.settled();
    const field = page.one("[data-testid=thread-rename]") as HTMLInputElement;
    field.value = "Better";
    page.press(field, "Enter");
    await page.settled();
    assert.match(row("c").textContent, /Better/);
    assert.equal(page.document.activeElement, row("c"));
    assert.equal(
      page.host.heard.filter(({ type }) => type === "renameThread").length,
      1,
    );
  });
});
