import assert from "node:assert/strict";
import type { ViewState } from "../../src/protocol/viewState.ts";
import {
  agent,
  base,
  batch,
  message,
  queued,
  user,
} from "../fixtures/webviewDev/make.ts";
import { mount } from "../fixtures/webviewDev/mount.ts";
import type { Mounted } from "../fixtures/webviewDev/mount.ts";
import { scenarios } from "../fixtures/webviewDev/scenarios.ts";

describe("The panel", () => {
  let page: Mounted;
  const shows = async (state: ViewState): Promise<void> => {
    page = await mount(state);
  };
  afterEach(async () => {
    const { problems } = page.host;
    await page.close();
    assert.deepEqual(problems, []);
  });
  const of = (testid: string, name: string): readonly (string | null)[] =>
    page
      .all(`[data-testid=${testid}]`)
      .map((element) => element.getAttribute(`data-${name}`));
  /** What the view says of itself comes at any time; the rest was asked for. */
  const ofItself = new Set(["draft", "memory", "focus"]);
  const lastHeard = (): string | undefined =>
    page.host.heard.findLast(({ type }) => !ofItself.has(type))?.type;

  it("shows a running turn under its contract", async () => {
    await shows(scenarios.permission.state);
    assert.deepEqual(of("agent-status", "state"), ["waiting"]);
    assert.deepEqual(of("batch", "status"), ["processing"]);
    assert.deepEqual(of("batch", "type"), ["user_request"]);
    assert.deepEqual(of("message", "role"), ["user", "tool", "agent"]);
    assert.deepEqual(of("message", "state"), ["sent", "", ""]);
    assert.deepEqual(of("tool-call", "status"), ["in_progress"]);
    assert.deepEqual(of("permission-option", "kind"), [
      "allow_once",
      "allow_always",
      "reject_once",
    ]);
    for (const part of ["composer", "send", "stop", "queue", "usage"])
      assert.equal(page.all(`[data-testid=${part}]`).length, 1, part);
  });

  it("I48: each queued message shows its own state", async () => {
    await shows({
      ...base,
      queue: [
        queued("a", "one"),
        queued("b", "two", { separate: true }),
        queued("c", "three", { waiting: true }),
      ],
    });
    assert.deepEqual(of("queue-item", "state"), [
      "queued",
      "queued",
      "waiting",
    ]);
    const receipts = page
      .all("[data-testid=queue-item] .receipt")
      .map(({ title }) => title);
    assert.equal(new Set(receipts).size, 3);
    page.host.change((state) => ({
      ...state,
      queue: state.queue.with(2, queued("c", "three")),
    }));
    await page.settled();
    assert.equal(of("queue-item", "state")[2], "queued");
  });

  it("I51: an answer that is not saved stands there, marked so, and can be copied", async () => {
    await shows({
      ...base,
      messages: [message(1, 0, user("q")), message(1, 1, agent("the answer"))],
      batches: [batch(1, { status: "processing", notSaved: true })],
    });
    assert.match(page.all("footer.foot")[0]?.textContent ?? "", /Not saved/);
    page.all("[data-action=copy]")[0]?.click();
    await page.settled();
    assert.deepEqual(
      page.host.heard.findLast(({ type }) => type === "copy"),
      { type: "copy", text: "the answer" },
    );
    page.host.change((state) => ({
      ...state,
      batches: [batch(1, { status: "completed" })],
    }));
    await page.settled();
    assert.equal(page.all("[data-action=copy]").length, 0);
  });

  it("I47: shows the final text, whatever comes late", async () => {
    const state = {
      ...base,
      messages: [message(1, 0, user("q")), message(1, 1, agent("Hel", true))],
      batches: [batch(1, { status: "processing", endedAt: undefined })],
    };
    await shows(state);
    const text = (): string => page.one("[data-role=agent]").textContent.trim();
    page.host.change((now) => ({
      ...now,
      messages: now.messages.with(1, message(1, 1, agent("Hello, all of it."))),
    }));
    page.host.post({
      type: "delta",
      instance: "dev",
      n: 2,
      ops: [{ op: "text", id: "m1.1", offset: 3, text: "lo, a part" }],
    });
    await page.settled();
    assert.equal(text(), "Hello, all of it.");
  });

  it("grows an answer without touching what stands", async () => {
    const growing = (text: string): ViewState => ({
      ...base,
      messages: [message(1, 0, user("q")), message(1, 1, agent(text, true))],
      batches: [batch(1, { status: "processing", endedAt: undefined })],
    });
    await shows(growing("First.\n\nSecond.\n\nThi"));
    const [first] = page.all(".md .part > p");
    const asked = page.one("[data-role=user]");
    page.host.change(() => growing("First.\n\nSecond.\n\nThird"));
    await page.settled();
    assert.ok(page.all(".md .part > p")[0] === first);
    assert.ok(page.one("[data-role=user]") === asked);
    assert.equal(page.all(".md .part > p").length, 3);
  });

  it("offers to restore what was discarded, but not while its turn goes on", async () => {
    const restores = (): number => page.all(".said button.link").length;
    const said = (status: "completed" | "processing"): ViewState => ({
      ...base,
      messages: [{ ...message(1, 0, user("q")), state: "discarded" }],
      batches: [batch(1, { status })],
    });
    await shows(said("processing"));
    assert.equal(restores(), 0);
    await shows(said("completed"));
    assert.equal(restores(), 1);
  });

  it("answers a permission by its card alone", async () => {
    await shows(scenarios.permission.state);
    page.press(page.one("[data-testid=composer]"), "1");
    await page.settled();
    assert.notEqual(lastHeard(), "answerPermission");
    page.press(page.one("[data-testid=permission]"), "1");
    await page.settled();
    assert.equal(lastHeard(), "answerPermission");
    assert.equal(page.all("[data-testid=permission]").length, 0);
  });

  it("offers no first choice where delivery is unknown", async () => {
    await shows(scenarios.unknown.state);
    const buttons = page.all(".after [data-action]");
    assert.deepEqual(
      buttons.map(({ dataset }) => dataset["action"]),
      ["retry", "continue", "discard"],
    );
    assert.ok(buttons.every(({ classList }) => !classList.contains("primary")));
    buttons[0]?.click();
    await page.settled();
    assert.equal(lastHeard(), "batchAction");
  });

  it("changes nothing in a window that may only read", async () => {
    await shows(scenarios.readOnly.state);
    assert.equal(page.all("[data-testid=queue-remove]").length, 0);
    assert.equal(page.all("[data-testid=queue-hold]").length, 0);
    const composer = page.one("[data-testid=composer]");
    assert.ok(composer.hasAttribute("readonly"));
    const [item] = page.all("[data-testid=queue-item]");
    assert.ok(item);
    for (const key of ["Delete", "Enter", "s", "h"]) page.press(item, key);
    await page.settled();
    assert.equal(lastHeard(), "ready");
  });

  it("teaches in an empty thread, and asks who shall answer", async () => {
    await shows(scenarios.empty.state);
    assert.equal(page.all("[data-testid=batch]").length, 0);
    page.one("[data-agent=claude]").click();
    await page.settled();
    assert.equal(
      page.one("[data-agent=claude]").getAttribute("aria-checked"),
      "true",
    );
  });

  it("shows a notice with its ways out, and names the one taken", async () => {
    await shows(scenarios.error.state);
    const actions = page.all("[data-testid=notice] [data-action]");
    assert.equal(actions.length, 3);
    actions[0]?.click();
    await page.settled();
    assert.equal(lastHeard(), "noticeAction");
  });

  it("lists threads, and opens one", async () => {
    await shows(scenarios.threads.state);
    page.one(".head-title").click();
    await page.settled();
    assert.deepEqual(of("thread", "mark"), [
      "needsYou",
      "working",
      "unread",
      "held",
      "interrupted",
    ]);
    page.all(".thread-open")[2]?.click();
    await page.settled();
    assert.equal(lastHeard(), "openThread");
    assert.equal(page.all("[data-testid=threads]").length, 0);
  });

  const others = [
    "streaming",
    "interrupted",
    "restored",
    "full",
    "restarting",
    "silent",
    "plan",
    "long",
  ] as const;
  for (const name of others)
    it(`shows "${name}" without a problem`, async () => {
      await shows(scenarios[name].state);
      assert.ok(page.one("header"));
    });

  it("takes in a text sent from elsewhere once, below what was typed", async () => {
    await shows(base);
    const area = (): HTMLTextAreaElement =>
      page.one("[data-testid=composer]") as HTMLTextAreaElement;
    const insert = (text: string): void =>
      page.host.post({
        type: "reveal",
        what: { kind: "composer", insert: text },
      });
    insert("one");
    await page.settled();
    insert("two");
    await page.settled();
    assert.equal(area().value, "one\n\ntwo");
    page.one(".head-title").click();
    await page.settled();
    page.one(".head-title").click();
    await page.settled();
    assert.equal(area().value, "one\n\ntwo");
  });

  it("asks for a turn it does not have when that is to be shown", async () => {
    await shows(base);
    page.host.post({ type: "reveal", what: { kind: "batch", id: "far" } });
    await page.settled();
    const asked = page.host.heard.findLast(({ type }) => type === "page");
    assert.deepEqual(asked, {
      type: "page",
      thread: base.thread?.id,
      to: "around",
      batch: "far",
    });
  });
});
