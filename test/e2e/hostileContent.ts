import { mkdtempSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const home = mkdtempSync(path.join(os.tmpdir(), "turnline-hostile-"));
const beacon = "http://127.0.0.1:9/turnline-beacon";
export const boom = "window.top.pwned=1;window.pwned=1";

/** Written as an agent would write them; each tries to run, to load, or to get out. */
export const markdown: Readonly<Record<string, string>> = {
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

export const names = [
  "invoice\u202Egnp.exe",
  `"><img src=x onerror=${boom}>.ts`,
  "a\nb\u0000c.ts",
  "../../../../etc/passwd",
  "command:workbench.action.terminal.new",
];

export const updates = names.map((name, n) => ({
  sessionUpdate: "tool_call",
  toolCallId: `hostile-${n}`,
  title: `Edit ${name} <script>${boom}</script>`,
  kind: "edit",
  status: "completed",
  // What is changed is named by its change; another place has a link of its own.
  locations: [
    { path: name, line: 1 },
    { path: `beside/${name}`, line: 2 },
  ],
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

export const file = (name: string, text: string): string => {
  const at = path.join(home, name.replaceAll(" ", "-"));
  writeFileSync(at, text);
  return at;
};

const line = {
  sessionUpdate: "tool_call",
  toolCallId: "long-line",
  title: "cat one-line.json",
  kind: "execute",
  status: "failed",
  content: [
    { type: "content", content: { type: "text", text: "y".repeat(1_050_000) } },
  ],
};

/** As much of what agents usually say, as fast: what the rest is compared with. */
export const ordinary = `do:play=${file(
  "prose.md",
  "Some **words** about `code`, and what became of it.\n\n".repeat(20_000),
)},8000,1`;

/** What the agent is told to do, by what comes of it. */
export const flood: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(heavy).map(([name, text]) => [
      name,
      `do:play=${file(`${name}.md`, text)},8000,1`,
    ]),
  ),
  "a line of 1 MB in a tool's output": `do:updates=${file("line.json", JSON.stringify([line]))} do:say=end`,
};
