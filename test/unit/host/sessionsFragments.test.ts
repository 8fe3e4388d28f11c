import assert from "node:assert/strict";
import { filesReadBy } from "../../../src/agent/quirks.ts";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { ThreadChange } from "../../../src/core/dispatch/changes.ts";
import type { Body, Message, Sender } from "../../../src/core/message.ts";
import type { Page } from "../../../src/core/writes.ts";
import { Delegations } from "../../../src/host/fragments/delegations.ts";
import {
  editorText,
  type EditorFacts,
} from "../../../src/host/fragments/editorText.ts";
import { Fragments } from "../../../src/host/fragments/fragments.ts";
import { PlanBook } from "../../../src/host/fragments/planBook.ts";
import { ProjectFiles } from "../../../src/host/fragments/projectFiles.ts";
import {
  projectText,
  type FolderFiles,
} from "../../../src/host/fragments/projectText.ts";
import { askersText, nudgesText } from "../../../src/host/fragments/texts.ts";
import type { EditorPart } from "../../../src/host/settings.ts";
import { settled } from "../../fakes/clock.ts";
import { MemoryLog } from "../../fakes/log.ts";
import { threadOf } from "../../fakes/recordBuilder.ts";
import { World } from "../../fakes/world.ts";
import { typedMessage } from "../../../src/core/dispatch/nextPrompt.ts";

const alice: Sender = { kind: "user", name: "alice" };
const bot: Sender = { kind: "agent", id: "api:acme", name: "Reviewer" };

function message(change: Partial<Message>): Message {
  return { ...typedMessage("t1", []), ...change };
}

function changed(message: Message): ThreadChange {
  return { thread: message.thread, kind: "message", message };
}

describe("project context", () => {
  const files: FolderFiles = {
    languages: ["TypeScript", "CSS"],
    packages: ["package.json"],
    guides: [],
  };
  const facts = {
    folder: "/shop",
    others: [],
    open: true,
    files,
    readsItself: [],
  };

  it("is a few lines, and only what was found", () => {
    assert.equal(
      projectText({ ...facts, others: ["/lib"] }),
      "Workspace folder: /shop\nOther folders: /lib\nLanguages: TypeScript, CSS\nPackage files: package.json",
    );
    assert.equal(
      projectText({
        ...facts,
        files: { languages: [], packages: [], guides: [] },
      }),
      "Workspace folder: /shop",
    );
    assert.match(
      projectText({ ...facts, open: false }),
      /^No folder is open in VS Code; \/shop is an empty one/,
    );
  });

  const both = [
    { name: "AGENTS.md", covers: [] },
    { name: "CLAUDE.md", covers: [] },
  ];
  const same = [
    { name: "AGENTS.md", covers: ["CLAUDE.md"] },
    { name: "CLAUDE.md", covers: ["AGENTS.md"] },
  ];
  const drawnIn = [
    { name: "AGENTS.md", covers: [] },
    { name: "CLAUDE.md", covers: ["AGENTS.md"] },
  ];
  const cases: readonly [
    string,
    FolderFiles["guides"],
    readonly string[],
    string | undefined,
  ][] = [
    ["an agent that reads none", both, ["mine"], "AGENTS.md and CLAUDE.md"],
    ["Claude Code", both, ["claude-code"], "AGENTS.md"],
    ["Codex", both, ["codex"], "CLAUDE.md"],
    ["one found by its command", both, ["x", "/bin/codex-acp"], "CLAUDE.md"],
    ["one file under two names", same, ["mine"], "AGENTS.md"],
    ["one file that the agent reads", same, ["claude-code"], undefined],
    ["a guide that draws in another", drawnIn, ["mine"], "CLAUDE.md"],
    ["a guide drawn in by what it reads", drawnIn, ["claude-code"], undefined],
    ["no guide at all", [], ["mine"], undefined],
  ];
  for (const [name, guides, names, pointed] of cases)
    it(`points to instructions the agent does not read itself: ${name}`, () => {
      const text = projectText({
        ...facts,
        files: { ...files, guides },
        readsItself: filesReadBy(names),
      });
      const found = /are in (.*): read/.exec(text)?.[1];
      assert.equal(found, pointed);
    });

  it("looks into the folder, not into what was built or installed, and not again at once", async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), "turnline-files-"));
    const put = async (name: string, text = "") => {
      const file = path.join(folder, name);
      await fs.mkdir(path.dirname(file), { recursive: true });
      await fs.writeFile(file, text);
    };
    try {
      for (const name of ["a.ts", "src/b.ts", "src/c.css", "tool/d.py"])
        await put(name);
      await put("node_modules/x/package.json");
      await put("package.json");
      await put("tool/pyproject.toml");
      await put("AGENTS.md", "be kind");
      await put("CLAUDE.md", "See @AGENTS.md");
      let now = 0;
      const found = new ProjectFiles(() => now);
      const first = await found.of(folder);
      assert.deepEqual(first, {
        languages: ["TypeScript", "CSS", "Python"],
        packages: ["package.json", "tool/pyproject.toml"],
        guides: [
          { name: "AGENTS.md", covers: [] },
          { name: "CLAUDE.md", covers: ["AGENTS.md"] },
        ],
      });
      await put("Makefile");
      assert.equal(await found.of(folder), first);
      now = 10 * 60_000;
      const later = await found.of(folder);
      assert.deepEqual(later.packages.toSorted(), [
        "Makefile",
        "package.json",
        "tool/pyproject.toml",
      ]);
      assert.deepEqual(await found.of(path.join(folder, "gone")), {
        languages: [],
        packages: [],
        guides: [],
      });
    } finally {
      await fs.rm(folder, { recursive: true });
    }
  });
});

describe("dynamic context", () => {
  it("tells who asks only when it is not the user alone", () => {
    assert.equal(askersText([message({ sender: alice })]), "");
    assert.match(
      askersText([message({ sender: bot })]),
      /not asked for by the user but by "Reviewer"/,
    );
    assert.match(
      askersText([message({ sender: alice }), message({ sender: bot })]),
      /Besides the user, "Reviewer"/,
    );
  });

  it("joins reminders, blank ones left out", () => {
    assert.equal(nudgesText([" ", ""]), "");
    assert.equal(nudgesText(["one", " "]), "one");
    assert.equal(nudgesText(["one", "two"]), "- one\n- two");
  });

  const facts: EditorFacts = {
    file: "src/a.ts",
    selection: { from: 3, to: 4, text: "let a = `b`;" },
    problems: [{ line: 7, level: "error", text: "no\nsuch name" }],
  };
  const cases: readonly [readonly EditorPart[], EditorFacts, string][] = [
    [["file"], facts, "The user has src/a.ts open."],
    [
      ["selection"],
      facts,
      "The user has src/a.ts open.\nSelected, lines 3 to 4:\n```\nlet a = `b`;\n```",
    ],
    [
      ["diagnostics"],
      facts,
      "The user has src/a.ts open.\nProblems in it:\n- line 7, error: no such name",
    ],
    [["selection"], { file: "a", problems: [] }, ""],
    [["file", "selection", "diagnostics"], { problems: [] }, ""],
  ];
  for (const [shown, found, text] of cases)
    it(`tells of the editor what was asked for: ${shown.join(", ")} of ${found.file ?? "nothing"}`, () => {
      assert.equal(editorText(found, shown), text);
    });

  const handed = message({
    id: "m",
    thread: "t2",
    sender: bot,
    marks: { from: "t1" },
  });
  const titles: Record<string, string> = { t1: "Mine", t2: "Tests" };
  const delegationsOf = (...recorded: readonly Message[]) =>
    new Delegations({
      title: (id) => titles[id],
      recorded: () => Promise.resolve(recorded),
    });

  it("tells of what was handed to other threads, until it is answered", async () => {
    const delegations = delegationsOf();
    assert.equal(await delegations.text("t1"), "");
    const words: (string | undefined)[] = [];
    for (const state of ["queued", "sent", "seenAborted"] as const) {
      delegations.take(changed({ ...handed, state }));
      words.push((await delegations.text("t1")).split("\n").at(-1));
    }
    assert.deepEqual(words, [
      '- "Tests": waits',
      '- "Tests": in work',
      '- "Tests": failed',
    ]);
    delegations.take(changed({ ...handed, id: "n", state: "queued" }));
    assert.match(await delegations.text("t1"), /"Tests": waits$/);
    for (const id of ["m", "n"])
      delegations.take(changed({ ...handed, id, state: "delivered" }));
    assert.equal(await delegations.text("t1"), "");
    assert.equal(await delegations.text("t2"), "");
  });

  it("forgets what is answered", async () => {
    const asked: string[] = [];
    const delegations = new Delegations({
      title: (id) => {
        asked.push(id);
        return titles[id];
      },
      recorded: () => Promise.resolve([]),
    });
    delegations.take(changed({ ...handed, state: "delivered" }));
    delegations.take(changed({ ...handed, id: "n", state: "queued" }));
    await delegations.text("t1");
    delegations.take(changed({ ...handed, id: "n", state: "delivered" }));
    asked.length = 0;
    assert.equal(await delegations.text("t1"), "");
    assert.deepEqual(asked, []);
  });

  it("knows from the record what was handed over before, and believes what it heard since", async () => {
    const delegations = delegationsOf(
      { ...handed, state: "uncertain" },
      { ...handed, id: "n", state: "queued" },
      message({ id: "o", thread: "t2", state: "queued" }),
    );
    delegations.take(changed({ ...handed, id: "n", state: "delivered" }));
    assert.match(await delegations.text("t1"), /:\n- "Tests": failed$/);
  });

  it("a message keeps whose it is in the record, through a restart and a retry", async () => {
    const world = await World.create();
    const other = await world.newThread();
    const told = (of: World) =>
      new Delegations({
        title: (id) => (of.engine.snapshot(id) ? "Tests" : undefined),
        recorded: async () => [
          ...(await of.store.page(of.thread, { limit: 100 })).messages,
          ...(of.engine.snapshot(of.thread)?.queue.items ?? []).map(
            (item) => item.message,
          ),
        ],
      }).text(other);
    await world.say("handed", { from: other });
    assert.match(await told(world), /in work$/);
    const next = await world.crash();
    assert.match(await told(next), /failed$/);
    const { batch } = await next.message("handed");
    await next.engine.retry(next.thread, batch ?? "");
    await settled();
    assert.match(await told(next), /in work$/);
    await next.endTurn();
    assert.equal(await told(next), "");
  });
});

describe("the open plan", () => {
  const start = (session: string): Body => ({
    kind: "turnStart",
    agent: "a",
    session,
    generation: 1,
    process: { nonce: "", pid: 1, startTime: "" },
    recipe: {
      kind: "delta",
      packer: "1",
      positions: [],
      fragments: [],
      reason: "",
      bytes: 0,
      hash: "",
    },
  });
  const plan = (content: string, status: "pending" | "completed"): Body => ({
    kind: "plan",
    entries: [{ content, priority: "low", status }],
  });
  const stored = (bodies: readonly Body[]) => ({
    page: (): Promise<Page> =>
      Promise.resolve({
        messages: bodies.map((body) => message({ body })),
        more: false,
      }),
  });

  it("is told to a session that did not make it, and is the newest of the others", async () => {
    const book = new PlanBook(stored([start("s1"), plan("first", "pending")]));
    const told = async (session: string | null) =>
      (await book.ofOthers("t1", session))?.map(({ content }) => content);
    assert.deepEqual(await told("s2"), ["first"]);
    assert.equal(await told("s1"), undefined);
    book.take(changed(message({ body: start("s2") })));
    book.take(changed(message({ body: plan("second", "pending") })));
    assert.deepEqual(await told("s1"), ["second"]);
    assert.deepEqual(await told("s2"), ["first"], "what it was told stays");
    assert.deepEqual(await told(null), ["second"]);
    book.take(changed(message({ body: plan("second", "completed") })));
    assert.equal(await told("s1"), undefined, "nothing is left to do");
  });
});

describe("all fragments", () => {
  const context = {
    workspace: true,
    instructions: "",
    nudges: [],
    editor: [],
    compactAtTokens: 0,
  };
  const sources = {
    settings: () => context,
    roots: () => ["/work"],
    agent: () => undefined,
    files: new ProjectFiles(),
    plans: new PlanBook({
      page: () => Promise.resolve({ messages: [], more: false }),
    }),
    delegations: new Delegations({
      title: () => undefined,
      recorded: () => Promise.resolve([]),
    }),
    editor: () => ({ problems: [] }),
    readsItself: filesReadBy,
    log: new MemoryLog(),
  };

  it("I19: say nothing dynamic by themselves", async () => {
    const fragments = await new Fragments(sources).of(threadOf("t1"), {
      session: null,
      batch: [message({ sender: alice })],
    });
    assert.deepEqual(
      fragments
        .filter(({ lifecycle }) => lifecycle === "dynamic")
        .map(({ text }) => text)
        .join(""),
      "",
    );
  });

  it("are short", async () => {
    const fragments = await new Fragments(sources).of(threadOf("t1"));
    const length = fragments.reduce((sum, { text }) => sum + text.length, 0);
    assert.ok(length < 600, String(length));
  });

  it("cost no turn when one of them fails", async () => {
    const broken = {
      ...sources,
      plans: new PlanBook({ page: () => Promise.reject(new Error("no disk")) }),
    };
    const fragments = await new Fragments(broken).of(threadOf("t1"));
    assert.equal(fragments.find(({ id }) => id === "plan")?.text, "");
  });
});
