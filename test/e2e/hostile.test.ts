import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { faultAgent, until } from "./agents.ts";
import { Chat } from "./chat.ts";
import {
  boom,
  file,
  flood,
  markdown,
  names,
  ordinary,
  updates,
} from "./hostileContent.ts";
import { keyToPaint } from "./keyToPaint.ts";
import { chosen } from "../lab/long.ts";
import { chatFrame, withLab } from "./lab.ts";

/**
 * How many times longer a key may take to be painted than while as much ordinary text comes, which lets keys go first.
 * What is laid out as one takes a frame that is longer than its others; what would freeze the panel takes thousands.
 */
const mostTimes = 25;

describe("hostile content", function () {
  this.timeout(180_000);
  const lab = withLab({
    settings: {
      "turnline.agents": { scripted: faultAgent("Scripted") },
      "turnline.defaultAgent": "scripted",
    },
  });
  const asked: string[] = [];
  let chat: Chat;
  let turns = 0;
  let usual = 0;

  before(async () => {
    chat = new Chat(await lab().chat());
    await chat.send("hello");
    await chat.answered("echo: hello");
    await chat.ended(1);
    lab().page.on("request", (request) => asked.push(request.url()));
    lab().page.on("dialog", (dialog) => {
      asked.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
  });

  /** Nothing ran, nothing was loaded, nothing left the frame. */
  async function harmless(): Promise<void> {
    const found = await chat.frame.locator("body").evaluate((body) => ({
      pwned: [window, window.top].some((one) => one !== null && "pwned" in one),
      elements: [
        ...body.querySelectorAll(
          "script:not([nonce]), iframe, object, embed, link, meta, base, style, svg image, form[action], .md [style], .md input, .md form",
        ),
      ].map((one) => one.outerHTML.slice(0, 200)),
      handlers: [...body.querySelectorAll("*")].flatMap((one) =>
        [...one.attributes]
          .filter(({ name }) => name.startsWith("on"))
          .map(({ name }) => `${one.tagName} ${name}`),
      ),
      links: [...body.querySelectorAll("[href], [src]")]
        .map((one) => one.getAttribute("href") ?? one.getAttribute("src") ?? "")
        .filter(
          (url) =>
            !/^(https?:|mailto:|#|data:image\/(png|jpeg|gif|webp))/u.test(url),
        ),
    }));
    assert.deepEqual(found, {
      pwned: false,
      elements: [],
      handlers: [],
      links: [],
    });
    assert.deepEqual(
      asked.filter((url) => url.includes("beacon") || url.includes("dialog")),
      [],
    );
    assert.equal(await lab().page.locator(".terminal-wrapper").count(), 0);
  }

  async function turn(words: string): Promise<void> {
    const said = `(${++turns})`;
    await chat.send(`${said} ${words}`);
    await ended(said);
  }

  async function ended(said: string): Promise<void> {
    await chat
      .batches("completed")
      .filter({ hasText: said })
      .waitFor({ timeout: 60_000 });
  }

  it("I49: markdown of an agent runs nothing, loads nothing and stays in its frame", async () => {
    const all = Object.entries(markdown);
    const says = all.map(
      ([name, text]) => `do:play=${file(`${name}.md`, `${text}\n\n`)}`,
    );
    await turn(says.join(" "));
    await harmless();
    const answer = chat.messages("agent").last();
    const links = await answer.locator("a").all();
    assert.ok(links.length >= 2, `${links.length} links`);
    for (const link of links) {
      const url = (await link.getAttribute("data-url")) ?? "";
      await link.click({ noWaitAfter: true });
      // VS Code asks before it opens a page, unless it is one of this machine.
      if (url.includes("127.0.0.1")) continue;
      const asks = lab().page.locator(".monaco-dialog-box");
      await asks.waitFor();
      await lab().page.keyboard.press("Escape");
      await asks.waitFor({ state: "detached" });
    }
    await harmless();
  });

  it("I49: nor do tool calls, their output, their changes and the names of files", async () => {
    const from = file("updates.json", JSON.stringify(updates));
    await turn(`do:updates=${from} do:say=end`);
    for (const row of await chat.part("tool-call").locator("> button").all())
      if ((await row.getAttribute("aria-expanded")) === "false")
        await row.click();
    await harmless();
    const shown = await chat.frame.locator("body").innerText();
    assert.equal(shown.includes("\u202E"), false, "overrides are made visible");
    assert.match(shown, /invoice\\u202egnp\.exe/u);
    const places = await chat.frame.locator(".places button").all();
    assert.ok(places.length >= names.length, `${places.length} places`);
    for (const place of places) await place.click();
    const chips = await chat.frame.locator(".chip").all();
    assert.ok(chips.length >= names.length, `${chips.length} chips`);
    // What leads nowhere says so by being disabled; what is not is tried.
    for (const chip of chips) if (await chip.isEnabled()) await chip.click();
    await harmless();
  });

  it("I49: nor does what the user types or pastes", async () => {
    await turn(
      `<img src=x onerror="${boom}"> [x](javascript:${boom}) do:say=ok`,
    );
    await harmless();
  });

  /** How long a key takes to be painted now. */
  async function delay(): Promise<number> {
    const composer = chat.part("composer");
    await composer.fill("");
    const now = await keyToPaint(composer);
    assert.equal(await composer.inputValue(), "still here");
    await composer.fill("");
    return now;
  }

  /** While what is asked for comes, and once it is there. */
  async function delays(
    word: string,
  ): Promise<{ readonly during: number; readonly after: number }> {
    const said = `(${++turns})`;
    await chat.send(`${said} ${word}`);
    const during = await delay();
    await ended(said);
    return { during, after: await delay() };
  }

  /** On the same machine, under the same load: a time alone would say little. */
  function proportionate(now: number, when: string): void {
    const times = now / usual;
    assert.ok(times < mostTimes, `${times.toFixed(1)} times ${when}`);
  }

  const always = /of 1 MB$|10 000 rows|never closed/u;
  for (const [name, word] of chosen(Object.entries(flood), ([name]) =>
    always.test(name),
  ))
    it(`I49: stays as responsive as with ordinary text with ${name}`, async () => {
      if (usual === 0) usual = (await delays(ordinary)).during;
      const { during, after } = await delays(word);
      proportionate(during, "while it comes");
      proportionate(after, "once it is there");
      await harmless();
    });

  it("I49: and with all of it after a reload", async () => {
    await lab().reload();
    chat = new Chat(chatFrame(lab().page));
    await chat.batches().last().waitFor({ timeout: 60_000 });
    proportionate(await delay(), "after a reload");
    await harmless();
  });

  it("I50: a message that does not fit the protocol is refused and logged, and nothing else happens", async () => {
    const thread = "00000000-0000-4000-8000-000000000000";
    const misfits: readonly unknown[] = [
      null,
      42,
      "command",
      { command: "workbench.action.terminal.new" },
      { kind: "post" },
      {
        kind: "post",
        body: { type: "command", command: "workbench.action.terminal.new" },
      },
      { kind: "post", body: { type: "openFile", path: "/etc/passwd" } },
      { kind: "post", body: { type: "openThread", thread, extra: 1 } },
      { kind: "request", id: -1, body: { type: "newThread" } },
      { kind: "request", id: 900, body: { type: "submit", thread, text: 1 } },
      { kind: "reply", id: "x", body: {} },
      { kind: "post", body: { type: "deleteThread" } },
    ];
    const passwd = lab().page.locator(".tab", { hasText: "passwd" });
    const tabs = await passwd.count();
    // A thread whose whole transcript is on screen: what is drawn of a long one depends on where it is scrolled to.
    await chat.frame.getByRole("button", { name: "New thread" }).click();
    await chat.part("empty").waitFor();
    await turn("do:say=quiet");
    const before = await chat.frame.locator("main").innerText();
    const logged = (): number => refusals(lab().data);
    const known = logged();
    // The way VS Code itself carries what a webview posts.
    await lab()
      .page.frameLocator("iframe.webview.ready >> nth=0")
      .locator("html")
      .evaluate((_, messages) => {
        const carry = (
          window as unknown as Record<
            string,
            (channel: string, data: unknown, transfer: unknown[]) => void
          >
        )["__vscode_post_message__"];
        for (const message of messages)
          carry?.("onmessage", { message, transfer: [] }, []);
      }, misfits);
    await until(() => logged() === known + misfits.length);
    assert.equal(await chat.frame.locator("main").innerText(), before);
    assert.equal(await lab().page.locator(".terminal-wrapper").count(), 0);
    assert.equal(await passwd.count(), tabs);
    await turn("do:say=alive");
    await chat.answered("alive");
  });
});

/** Lines of the extension's log that tell of a refused message. */
function refusals(data: string): number {
  return globSync("data/logs/**/*Turnline*.log", { cwd: data })
    .map((name) => readFileSync(path.join(data, name), "utf8"))
    .join("")
    .split("\n")
    .filter(
      (line) => line.includes("webview.message") && line.includes("refused"),
    ).length;
}
