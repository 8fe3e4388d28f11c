import assert from "node:assert/strict";
import { globSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { faultAgent, until } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

const home = mkdtempSync(path.join(os.tmpdir(), "turnline-hostile-"));
const beacon = "http://127.0.0.1:9/turnline-beacon";
const boom = "window.top.pwned=1;window.pwned=1";

/** Written as an agent would write them; each tries to run, to load, or to get out. */
const markdown: Readonly<Record<string, string>> = {
  script: `<script>${boom}</script>\n\n<script src="${beacon}.js"></script>`,
  onerror: `<img src=x onerror="${boom}"><svg onload="${boom}"><details open ontoggle="${boom}">`,
  links: `[a](javascript:${boom}) [b](JaVaScRiPt:${boom}) [c](java\tscript:${boom}) [d](vbscript:x) [e](data:text/html,<script>${boom}</script>) <javascript:${boom}>`,
  commands: `[run](command:workbench.action.terminal.new) [open](vscode://turnline.turnline/x) [f](vscode-resource:/etc/passwd)`,
  images: `![x](${beacon}.png) ![y](//127.0.0.1:9/turnline-beacon.png "t") ![z][ref]\n\n[ref]: ${beacon}-ref.png`,
  frames: `<iframe src="${beacon}"></iframe><object data="${beacon}"></object><embed src="${beacon}"><link rel="stylesheet" href="${beacon}.css"><meta http-equiv="refresh" content="0;url=${beacon}"><base href="${beacon}/"><form action="${beacon}"><button>go</button></form>`,
  styles: `<style>@import url(${beacon}.css);body{display:none}</style><div style="position:fixed;inset:0;background:url(${beacon})">over all</div>`,
  attributes: `[x](https://example.test/"onmouseover="${boom} "t\\" onclick=\\"${boom}") \`\`\`"><script>${boom}</script>`,
  language: `\`\`\`"><img src=x onerror=${boom}>\ncode\n\`\`\``,
  escapes:
    "\u001b]8;;javascript:1\u0007link\u001b]8;;\u0007 \u001b[2J\u001b[31mred\u001b[0m \u009b31m",
  clobber: `<form id=root name=app><input name=postMessage id=acquireVsCodeApi></form>`,
};

const names = [
  "invoice\u202Egnp.exe",
  `"><img src=x onerror=${boom}>.ts`,
  "a\nb\u0000c.ts",
  "../../../../etc/passwd",
  "command:workbench.action.terminal.new",
];

const updates = names.map((name, n) => ({
  sessionUpdate: "tool_call",
  toolCallId: `hostile-${n}`,
  title: `Edit ${name} <script>${boom}</script>`,
  kind: "edit",
  status: "completed",
  locations: [{ path: name, line: 1 }],
  rawInput: { html: `<img src=x onerror=${boom}>` },
  content: [
    {
      type: "diff",
      path: name,
      oldText: `<script>${boom}</script>\n`,
      newText: `<img src="${beacon}.png" onerror="${boom}">\n`,
    },
    {
      type: "content",
      content: {
        type: "text",
        text: `\u001b]0;title\u0007\u001b]8;;${beacon}\u0007here\u001b]8;;\u0007<script>${boom}</script>\u001b[?1049h\u001b[31mred`,
      },
    },
    {
      type: "content",
      content: {
        type: "resource_link",
        uri: "command:workbench.action.terminal.new",
        name,
      },
    },
    {
      type: "content",
      content: {
        type: "image",
        mimeType: "image/svg+xml",
        data: Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" onload="${boom}"><image href="${beacon}.png"/><script>${boom}</script></svg>`,
        ).toString("base64"),
      },
    },
  ],
}));

/** Large or never ending: the panel must go on answering while it shows them. */
const heavy: Readonly<Record<string, string>> = {
  "a line of 1 MB": "word ".repeat(210_000),
  "a line of 1 MB without a break": "x".repeat(1_050_000),
  "a table of 10 000 rows": `| a | b |\n|---|---|\n${"| 1 | <b>2</b> |\n".repeat(10_000)}`,
  "a fence that is never closed": `\`\`\`ts\n${"const a = `<script>`;\n".repeat(5_000)}`,
  "brackets without end": `${"[".repeat(20_000)}${"*_".repeat(5_000)}`,
  "quotes within quotes": `${">".repeat(2_000)} deep\n\n${"- ".repeat(500)}deep`,
};

const file = (name: string, text: string): string => {
  const at = path.join(home, name.replaceAll(" ", "-"));
  writeFileSync(at, text);
  return at;
};

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
    for (const link of await answer.locator("a").all())
      await link
        .click({ force: true, noWaitAfter: true, timeout: 2_000 })
        .catch(() => undefined);
    await lab().page.keyboard.press("Escape");
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
    for (const place of await chat.frame.locator(".places button").all())
      await place.click();
    for (const chip of await chat.frame.locator(".chip").all())
      await chip.click({ timeout: 2_000 }).catch(() => undefined);
    await harmless();
  });

  it("I49: nor does what the user types or pastes", async () => {
    await turn(
      `<img src=x onerror="${boom}"> [x](javascript:${boom}) do:say=ok`,
    );
    await harmless();
  });

  for (const [name, text] of Object.entries(heavy))
    it(`I49: stays responsive with ${name}`, async () => {
      const said = `(${++turns})`;
      await chat.send(`${said} do:play=${file(`${name}.md`, text)},8000,1`);
      const composer = chat.part("composer");
      await composer.pressSequentially("still here", { timeout: 10_000 });
      assert.equal(await composer.inputValue(), "still here");
      await composer.fill("");
      await ended(said);
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
    assert.equal(
      await lab().page.locator(".tab", { hasText: "passwd" }).count(),
      0,
    );
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
