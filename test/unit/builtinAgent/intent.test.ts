import assert from "node:assert/strict";
import { parseIntent } from "../../../src/builtinAgent/intent.ts";
import type {
  Change,
  Intent,
  LineRange,
  Request,
} from "../../../src/builtinAgent/request.ts";

const help: Intent = { kind: "help" };
const workspace: Intent = { kind: "workspace" };
const diagnostics: Intent = { kind: "diagnostics" };
const unknown: Intent = { kind: "unknown" };
const find = (pattern: string, orText = false): Request => ({
  kind: "find",
  pattern,
  orText,
});
const read = (path: string, range?: LineRange): Request => ({
  kind: "read",
  target: { kind: "path", path },
  ...(range && { range }),
});
const readAt = (at: number): Request => ({
  kind: "read",
  target: { kind: "ordinal", at },
});
const search = (text: string, within?: string): Request => ({
  kind: "search",
  pattern: { kind: "literal", text },
  ...(within !== undefined && { within }),
});
const regex = (
  source: string,
  ignoreCase = false,
  within?: string,
): Request => ({
  kind: "search",
  pattern: { kind: "regex", source, ignoreCase },
  ...(within !== undefined && { within }),
});
const edit = (path: string, change: Change): Request => ({
  kind: "edit",
  path,
  change,
});
const replace = (path: string, old: string, to: string): Request =>
  edit(path, { kind: "replace", old, new: to });
const run = (command: string): Request => ({ kind: "run", command });
const plan = (...steps: readonly (readonly [string, Request])[]): Intent => ({
  kind: "plan",
  steps: steps.map(([text, request]) => ({ text, request })),
});
const incomplete = (command: string): Intent => ({
  kind: "incomplete",
  command,
});

const cases: readonly (readonly [string, Intent])[] = [
  ["help", help],
  ["/help", help],
  ["What can you do?", help],
  ["hello", help],

  ["what is in this workspace?", workspace],
  ["What's in the project", workspace],
  ["could you please describe this repo?", workspace],
  ["summarise my codebase.", workspace],
  ["/workspace", workspace],
  ["/WORKSPACE", workspace],

  ["find package.json", find("package.json")],
  ["find *.ts", find("*.ts")],
  ["find all test files", find("test")],
  ["find files named foo", find("foo")],
  ["find files ending in .md", find("*.md")],
  ["find all TypeScript files", find("*.{ts,mts,cts,tsx,}")],
  ["list files", find("*")],
  ["list files in src", find("src/**/*")],
  ["find dispatcher", find("dispatcher", true)],
  ["where is the README?", find("README")],
  ["/find my notes", find("my notes")],
  ["/find", incomplete("find")],

  ["read README.md", read("README.md")],
  ["please show me the README", read("README")],
  ["cat 'my file.txt'", read("my file.txt")],
  ["what is in src?", read("src")],
  ["read src/a.ts lines 10-20", read("src/a.ts", { from: 10, to: 20 })],
  ["read lines 20 to 10 of src/a.ts", read("src/a.ts", { from: 10, to: 20 })],
  ["read src/a.ts from line 7", read("src/a.ts", { from: 7 })],
  ["show the first 5 lines of a.txt", read("a.txt", { from: 1, to: 5 })],
  ["show the last 5 lines of a.txt", read("a.txt", { last: 5 })],
  ["open src/a.ts:12", read("src/a.ts", { from: 12, to: 12 })],
  ["open src/a.ts#L3-L9", read("src/a.ts", { from: 3, to: 9 })],
  ["/read src/a.ts 3-9", read("src/a.ts", { from: 3, to: 9 })],
  ["/read a.txt 0-0", read("a.txt", { from: 1, to: 1 })],
  ["/read", incomplete("read")],
  ["read the second one", readAt(2)],
  ["open it", readAt(1)],
  ["read number 3", readAt(3)],
  ["read the last one", readAt(-1)],
  ["read this file", { kind: "read", target: { kind: "attached" } }],

  ["search for TODO", search("TODO")],
  ["search for TODO in src", search("TODO", "src")],
  ["search this project for two words", search("two words")],
  ["look for dispatcher in this workspace", search("dispatcher")],
  ['search for "a in b" in the src folder', search("a in b", "src")],
  ["grep import in TypeScript files", search("import", "*.{ts,mts,cts,tsx,}")],
  ["where is parseIntent used?", search("parseIntent")],
  ["which files mention zod?", search("zod")],
  ["find all references to Foo", search("Foo")],
  ['find "hello world"', search("hello world")],
  ["search /fo+/i in *.ts", regex("fo+", true, "*.ts")],
  ["search for the regex ^a.c$", regex("^a.c$")],
  ["/search", incomplete("search")],

  ['replace "a b" with "c" in x.ts', replace("x.ts", "a b", "c")],
  ["in src/a.ts, change foo to bar", replace("src/a.ts", "foo", "bar")],
  ["rename foo to bar in src/x.ts", replace("src/x.ts", "foo", "bar")],
  [
    "replace all occurrences of foo with bar in the file a.ts",
    replace("a.ts", "foo", "bar"),
  ],
  ['/edit a.md "teh" -> "the"', replace("a.md", "teh", "the")],
  ['/edit a.md "gone" -> ""', replace("a.md", "gone", "")],
  [
    "/edit a.ts\n```ts\nold\n  line\n```\n```\nnew\n```",
    replace("a.ts", "old\n  line", "new"),
  ],
  ["/edit n.md\n```\nhi\n```", edit("n.md", { kind: "create", text: "hi\n" })],
  [
    'create notes.md with "hello there"',
    edit("notes.md", { kind: "create", text: "hello there\n" }),
  ],
  ["/edit", incomplete("edit")],
  ["/edit a.md", incomplete("edit")],

  ["run npm test", run("npm test")],
  ["run `npm run build`", run("npm run build")],
  ["/run ls && echo 'a; then b'", run("ls && echo 'a; then b'")],
  ["/run", incomplete("run")],

  ["explain the errors", diagnostics],
  ["what do these diagnostics mean?", diagnostics],
  ["/diagnostics", diagnostics],

  [
    "find *.md, then read the first one",
    plan(["find *.md", find("*.md")], ["read the first one", readAt(1)]),
  ],
  [
    "find *.md and read it",
    plan(["find *.md", find("*.md")], ["read it", readAt(1)]),
  ],
  [
    "1. find *.md\n2. search for TODO in src",
    plan(
      ["find *.md", find("*.md")],
      ["search for TODO in src", search("TODO", "src")],
    ),
  ],
  [
    '/plan find *.md; search for "a; b"',
    plan(["find *.md", find("*.md")], ['search for "a; b"', search("a; b")]),
  ],
  ["/plan", incomplete("plan")],
  ["find *.md, then write a poem", unknown],

  ["/nonsense now", { kind: "noSuchCommand", name: "nonsense" }],
  ["/etc/passwd", unknown],
  ["write me a poem", unknown],
  ["write a poem with rhymes", unknown],
  ["fix the bug in the parser and add tests", unknown],
  ["run the tests", unknown],
  ["change the tone to friendly in the intro", unknown],
  ["how does the dispatcher work?", unknown],
  ["", unknown],
];

describe("built-in agent: what a message asks for", () => {
  for (const [message, intent] of cases)
    it(JSON.stringify(message), () => {
      assert.deepEqual(parseIntent(message), intent);
    });

  it("is quick on any text", () => {
    const hostile = [
      " ".repeat(50_000),
      `/search ${"x ".repeat(50_000)}`,
      `/edit a.md ${"````\n```\n".repeat(20_000)}`,
      `find ${'"'.repeat(50_000)}`,
      `read ${"a".repeat(3_000)} lines`,
      `search for ${" in".repeat(1_300)}`,
      `what ${"this ".repeat(780)}`,
    ];
    const started = process.cpuUsage();
    for (const text of hostile) parseIntent(text);
    const { user } = process.cpuUsage(started);
    assert.ok(user < 2_000_000, `${String(user / 1000)} ms of work`);
  });
});
