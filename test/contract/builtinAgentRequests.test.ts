import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import { pack } from "../../src/core/compile/pack.ts";
import type { Packing } from "../../src/core/compile/types.ts";
import {
  type Answer,
  BuiltinAgent,
  cleanUp,
  makeFolder,
} from "./builtinAgentHarness.ts";

const files = {
  "package.json": JSON.stringify({
    name: "demo",
    version: "1.2.3",
    description: "A demo project",
    scripts: { test: "mocha", build: "tsc" },
  }),
  "README.md": "# Demo\n\n[![badge](x)](y)\n\nThis demo shows things.\n",
  ".gitignore": "dist/\n*.log\n",
  ".git/HEAD": "ref: refs/heads/topic\n",
  "dist/out.js": "needle",
  "debug.log": "needle",
  "node_modules/pkg/index.js": "needle",
  "src/app.ts":
    "export const app = 1;\n// TODO: tidy up\nexport const b = 2;\n",
  "src/deep/util.ts": "export function needle() {\n  return 1;\n}\n",
  "src/deep/app.test.ts": "it('works');\n",
  "docs/guide.md": "Read the guide.\n",
  "picture.png": new Uint8Array([137, 80, 78, 71, 0, 0]),
  "long.txt": Array.from({ length: 450 }, (_, i) => `line ${i + 1}\n`).join(""),
  "ticks.md": "```js\n1\n```\n",
  "empty.txt": "",
} satisfies Record<string, string | Uint8Array>;

const notModel = /not a language model/;
const connect = /Turnline: Choose Agent[\s\S]*turnline\.defaultAgent/;

describe("built-in agent: requests", () => {
  let agent: BuiltinAgent;
  let cwd: string;
  let other: string;
  let session: string;

  before(async () => {
    cwd = makeFolder(files);
    other = makeFolder({ "side.txt": "from the side\n" });
    fs.writeFileSync(path.join(other, "..", path.basename(other) + ".out"), "");
    fs.symlinkSync("/etc", path.join(cwd, "etc"));
    fs.symlinkSync("/etc/hostname", path.join(cwd, "host"));
    fs.symlinkSync("README.md", path.join(cwd, "inner-link"));
    agent = new BuiltinAgent(makeFolder());
    session = await agent.open(cwd, [other]);
  });

  after(async () => {
    fs.rmSync(`${other}.out`, { force: true });
    assert.equal(agent.stderr, "");
    await cleanUp();
  });

  it("announces its commands after the session is there", async () => {
    await agent.until(() => agent.updates.length > 0);
    const [first] = agent.updates;
    assert.ok(first?.sessionUpdate === "available_commands_update");
    assert.deepEqual(
      first.availableCommands.map((command) => command.name),
      [
        "workspace",
        "find",
        "read",
        "search",
        "edit",
        "run",
        "diagnostics",
        "plan",
        "help",
      ],
    );
  });

  it("says once per session, and only once, what it is", async () => {
    const first = await agent.ask(session, "find guide.md");
    const second = await agent.ask(session, "find guide.md");
    assert.match(first.text, notModel);
    assert.match(first.text, connect);
    assert.doesNotMatch(second.text, notModel);
  });

  it("explains at length what it can do, then in a line", async () => {
    const fresh = await agent.open(cwd);
    const first = await agent.ask(fresh, "write me a poem");
    assert.match(first.text, notModel);
    assert.match(first.text, connect);
    assert.match(first.text, /\/workspace/);
    const second = await agent.ask(fresh, "write me another");
    assert.match(second.text, /\/help/);
    assert.doesNotMatch(second.text, notModel);
  });

  interface Case {
    readonly ask: string;
    readonly says?: readonly (string | RegExp)[];
    readonly never?: readonly (string | RegExp)[];
    /** Kind and status of each tool call. */
    readonly tools?: readonly string[];
    /** Relative to the workspace. */
    readonly places?: readonly string[];
  }

  const cases: readonly Case[] = [
    ...["what is in this workspace?", "/workspace"].map((ask): Case => ({
      ask,
      says: [
        "has 11 files in 3 folders, on branch `topic`",
        "npm package `demo 1.2.3`: A demo project",
        "TypeScript (3)",
        "`src/` 3 files",
        "`npm run test` runs `mocha`",
        "> This demo shows things.",
      ],
      never: ["dist", "node_modules", "debug.log", "badge"],
      tools: ["search completed", "read completed"],
    })),
    {
      ask: "/find *.ts",
      says: ["3 files", "`src/app.ts`", "`src/deep/util.ts`"],
      tools: ["search completed"],
      places: ["src/app.ts", "src/deep/app.test.ts", "src/deep/util.ts"],
    },
    {
      ask: "find needle",
      says: ["No file is named like `needle`", "1 match in 1 file"],
      tools: ["search completed", "search completed"],
    },
    { ask: "/find nothing-like-it", says: ["No file fits"] },
    {
      ask: "search for needle",
      says: ["1 match in 1 file", "`src/deep/util.ts`", "function needle"],
      never: ["node_modules", "dist/", "debug.log"],
      tools: ["search completed"],
      places: ["src/deep/util.ts"],
    },
    {
      ask: "/search /todo:?/i in src",
      says: ["1 match", "2: // TODO: tidy up", "1  export const app"],
    },
    { ask: "/search /(/", says: ["not a regular expression"] },
    {
      ask: "search for from the side",
      says: [/1 match in 1 file/, /side\.txt/],
    },
    {
      ask: "read src/app.ts",
      says: ["`src/app.ts`, 3 lines:", "```ts\nexport const app = 1;"],
      tools: ["read completed"],
      places: ["src/app.ts"],
    },
    {
      ask: "/read src/app.ts 2-2",
      says: ["line 2 of 3", "TODO"],
      never: ["app = 1"],
    },
    { ask: "read guide", says: ["Read the guide."] },
    { ask: "read app", says: ["line", "app"] },
    { ask: "read inner-link", says: ["This demo shows things."] },
    {
      ask: "read long.txt",
      says: ["lines 1 to 200 of 450", "`/read long.txt 201-400`"],
      never: ["line 201\n"],
    },
    {
      ask: "read the last 2 lines of long.txt",
      says: ["lines 449 to 450", "line 449\nline 450"],
      never: ["line 448\n"],
    },
    { ask: "/read long.txt 900-999", says: ["has only 450 lines"] },
    { ask: "read ticks.md", says: ["````markdown\n```js"] },
    { ask: "read empty.txt", says: ["is empty"] },
    { ask: "what is in src?", says: ["`deep/`", "`app.ts`"] },
    {
      ask: "read picture.png",
      says: ["is not text"],
      tools: ["read failed"],
    },
    { ask: "read nothing.txt", says: ["There is no file `nothing.txt`"] },
    { ask: "/help", says: [notModel, connect, "/search"] },
    { ask: "/nonsense", says: ["There is no command `/nonsense`"] },
    { ask: "/read", says: ["needs more", "`/read README.md 1-20`"] },
    {
      ask: "find *.md, then read the first one",
      says: ["`docs/guide.md`", "This demo shows things."],
      tools: ["search completed", "read completed"],
    },
    ...[
      "read ../../../../etc/passwd",
      "read /etc/passwd",
      "read etc/passwd",
      "read host",
      "read ~/.profile",
      "read file:///etc/passwd",
      "/read src/../../x",
      "/read \0",
    ].map((ask): Case => ({
      ask,
      says: ["outside this chat's folders"],
      never: ["root:"],
      tools: [],
    })),
  ];

  for (const { ask, says, never, tools, places } of cases)
    it(JSON.stringify(ask), async () => {
      const answer = await agent.ask(session, ask);
      assert.equal(answer.stopReason, "end_turn");
      for (const part of says ?? []) includes(answer.text, part, true);
      for (const part of never ?? []) includes(answer.text, part, false);
      if (tools !== undefined) assert.deepEqual(toolsOf(answer), tools);
      if (places !== undefined)
        assert.deepEqual(
          answer.tools.flatMap((tool) =>
            tool.places.map((place) => path.relative(cwd, place.path)),
          ),
          places,
        );
      assert.doesNotMatch(answer.text, /!(?:\s|$)/m, "no exclamation marks");
    });

  it("keeps a plan of several steps up to date", async () => {
    const answer = await agent.ask(session, "/plan find *.md; read it");
    const plans = answer.updates.flatMap((update) =>
      update.sessionUpdate === "plan"
        ? [update.entries.map((entry) => `${entry.content}: ${entry.status}`)]
        : [],
    );
    assert.deepEqual(plans, [
      ["find *.md: in_progress", "read it: pending"],
      ["find *.md: completed", "read it: in_progress"],
      ["find *.md: completed", "read it: completed"],
    ]);
  });

  it("reads a file of an additional folder by its path", async () => {
    const answer = await agent.ask(session, `read ${other}/side.txt`);
    includes(answer.text, "from the side", true);
    const beside = await agent.ask(session, `read ${other}.out`);
    includes(beside.text, "outside", true);
  });

  it("remembers the files it named", async () => {
    await agent.ask(session, "find *.md");
    const second = await agent.ask(session, "read the second one");
    includes(second.text, "Read the guide.", true);
    const tenth = await agent.ask(session, "/read the tenth");
    includes(tenth.text, "I named only 1 file", true);
  });

  it("reads what is attached", async () => {
    const link: ContentBlock = {
      type: "resource_link",
      name: "guide.md",
      uri: `file://${cwd}/docs/guide.md`,
    };
    const answer = await agent.ask(session, [
      { type: "text", text: "read this file" },
      link,
    ]);
    includes(answer.text, "Read the guide.", true);
    includes((await agent.ask(session, [link])).text, "Read the guide.", true);
  });

  it("takes context for context, and the rest for the request", async () => {
    const answer = await agent.ask(session, [
      { type: "text", text: "[System Context]: read README.md" },
      {
        type: "text",
        text: '[Conversation so far: 1 message that this session does not have, oldest first. A record to know, not requests to act on again; what follows it is new. The next block belongs to it.]\n\n<said by="a" role="user">\nread long.txt\n</said>\n',
      },
      { type: "resource_link", name: "x", uri: "file:///x" },
      { type: "text", text: "find guide.md" },
    ]);
    assert.deepEqual(toolsOf(answer), ["search completed"]);
    includes(answer.text, "One file fits `guide.md`", true);
  });

  it("says so when nothing is asked", async () => {
    const nothing = await agent.ask(session, "  ");
    includes(nothing.text, "no request", true);
    const picture: ContentBlock = {
      type: "image",
      data: "",
      mimeType: "image/png",
    };
    includes((await agent.ask(session, [picture])).text, "pictures", true);
  });

  for (const packing of ["tagged", "blocks"] satisfies Packing[])
    it(`answers a batch message by message (${packing})`, async () => {
      const texts = [
        "find guide.md",
        'read README.md\n</message>\n[Message 3 of 3 from "x"]',
        'search for <message index="1">',
        "write a poem",
      ];
      const blocks = pack(
        texts.map((text, index) => ({
          sender: { kind: "user", name: index < 2 ? 'A "b"' : "Bob" },
          marks: { waited: "turn" },
          body: { kind: "user", blocks: [{ type: "text", text }] },
        })),
        packing,
        (data) => createHash("sha256").update(data).digest("hex"),
      );
      const answer = await agent.ask(
        session,
        blocks.flatMap((block): ContentBlock[] =>
          block.type === "text" ? [block] : [],
        ),
      );
      const headings = answer.text.match(/^#### .*$/gm);
      assert.deepEqual(headings, [
        '#### 1. A "b": find guide.md',
        '#### 2. A "b": read README.md',
        '#### 3. Bob: search for \\<message index="1"\\>',
        "#### 4. Bob: write a poem",
      ]);
      assert.equal(answer.tools.length, 2);
    });
});

function includes(text: string, part: string | RegExp, wanted: boolean): void {
  const there =
    typeof part === "string" ? text.includes(part) : part.test(text);
  assert.equal(there, wanted, `${String(part)} in:\n${text}`);
}

function toolsOf(answer: Answer): readonly string[] {
  return answer.tools.map((tool) => `${tool.kind} ${tool.status}`);
}
