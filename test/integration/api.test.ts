import assert from "node:assert/strict";
import * as vscode from "vscode";
import type {
  ApiMessage,
  ApiThread,
  TurnlineApi,
} from "../../src/host/apiTypes.ts";

/** As another extension meets it: by its id, through what `activate()` returned. */
async function turnline(): Promise<TurnlineApi> {
  const extension =
    vscode.extensions.getExtension<TurnlineApi>("turnline.turnline");
  assert.ok(extension);
  return extension.activate();
}

const sender = { kind: "agent", id: "acme.helper", name: "Helper" } as const;

describe("the API", () => {
  let api: TurnlineApi;
  let thread: string;

  before(async () => {
    api = await turnline();
  });

  beforeEach(async () => {
    const made = await api.createThread({
      title: "From outside",
      agent: "builtin",
    });
    assert.ok(made.ok);
    thread = made.thread;
  });

  const submit = (
    more: Partial<ApiMessage> = {},
  ): ReturnType<TurnlineApi["submit"]> =>
    api.submit({ thread, text: "/help", sender, mentions: [thread], ...more });
  const info = (): ApiThread | undefined =>
    api.threads().find(({ id }) => id === thread);

  it("is frozen and says its version", () => {
    assert.equal(api.version, 1);
    assert.ok(Object.isFrozen(api));
    assert.ok(api.threads().every((one) => Object.isFrozen(one)));
  });

  it("tells of threads and of their changes", async () => {
    assert.equal(info()?.title, "From outside");
    assert.equal(info()?.state, "none");
    const seen: ApiThread[] = [];
    const stop = api.onDidChangeThread((one) => {
      if (one.id === thread) seen.push(one);
    });
    assert.ok((await submit()).ok);
    // It is ready before the turn too.
    await until(
      () =>
        seen.some(({ turn }) => turn?.sent === true) &&
        seen.at(-1)?.state === "ready",
    );
    stop.dispose();
    const states = seen.map(({ state }) => state);
    assert.ok(states.includes("starting") && states.includes("busy"));
    assert.ok(seen.some(({ turn }) => turn?.sent === true));
    for (const [index, one] of seen.entries())
      assert.notDeepEqual(one, seen[index - 1], "each tells something new");
  });

  it("a message makes a batch of its own type, and says what became of it", async () => {
    const answer = await submit({ sender: { ...sender, kind: "trigger" } });
    assert.ok(answer.ok);
    await until(
      async () => (await api.message(answer.id))?.state === "delivered",
    );
    const told = await api.message(answer.id);
    assert.equal(told?.thread, thread);
    assert.equal(told.batchType, "system_trigger");
    assert.match(told.batch ?? "", /^[0-9a-f]{16}$/);
    const next = await submit({ continues: told.batch ?? "" });
    assert.ok(next.ok);
    await until(
      async () => (await api.message(next.id))?.state === "delivered",
    );
    assert.equal((await api.message(next.id))?.batch, told.batch);
    const alone = await submit({ text: "/workspace" });
    assert.ok(alone.ok);
    await until(
      async () => (await api.message(alone.id))?.batchType === "agent_to_agent",
    );
  });

  it("I5: the same request of the same sender is accepted once; of another it is another", async () => {
    const [first, again, other] = [
      await submit({ requestId: "r1" }),
      await submit({ requestId: "r1" }),
      await submit({ requestId: "r1", sender: { ...sender, id: "other" } }),
    ];
    assert.ok(first.ok && again.ok && other.ok);
    assert.equal(again.id, first.id);
    assert.deepEqual(
      [first, again, other].map(({ duplicate }) => duplicate),
      [false, true, false],
    );
    assert.notEqual(other.id, first.id);
  });

  const refusals: readonly {
    readonly what: string;
    readonly message: Record<string, unknown>;
    readonly reason: string;
  }[] = [
    { what: "no mention", message: { mentions: [] }, reason: "gateClosed" },
    {
      what: "the mention of another thread",
      message: { mentions: ["x"] },
      reason: "gateClosed",
    },
    { what: "an empty text", message: { text: " \n" }, reason: "invalid" },
    {
      what: "the user as sender",
      message: { sender: { ...sender, kind: "user" } },
      reason: "invalid",
    },
    {
      what: "the user's name",
      message: { sender: { ...sender, name: " User " } },
      reason: "invalid",
    },
    {
      what: "no sender",
      message: { sender: undefined },
      reason: "invalid",
    },
    {
      what: "a thread that is not there",
      message: { thread: "gone", mentions: ["gone"] },
      reason: "noThread",
    },
    {
      what: "a batch that is not there",
      message: { continues: "0000000000000001" },
      reason: "noBatch",
    },
  ];
  for (const { what, message, reason } of refusals)
    it(`refuses ${what}: ${reason}`, async () => {
      const answer = await submit(message);
      assert.ok(!answer.ok);
      assert.equal(answer.reason, reason);
      assert.notEqual(answer.detail, "");
      assert.equal(info()?.queued, 0);
    });

  it("counts agents' messages in a row and refuses the eleventh", async () => {
    for (let n = 0; n < 10; n++) assert.ok((await submit()).ok);
    const answer = await submit();
    assert.ok(!answer.ok);
    assert.equal(answer.reason, "tooManyAgentMessages");
  });

  it("I22: is pending while a message waits past the cap, and answers when there is room", async () => {
    const settings = vscode.workspace.getConfiguration("turnline.dispatch");
    await settings.update("maxBufferedMessages", 1, true);
    try {
      // Three at once: the first is claimed, the second fills the queue, the third waits.
      const answers = [1, 2, 3].map((n) =>
        submit({ text: `/search nothing-${n}` }),
      );
      const removed = submit({ requestId: "removed" });
      const states: number[] = [];
      const stop = api.onDidChangeThread((one) => {
        if (one.id === thread) states.push(one.queued);
      });
      await until(() => info()?.queued === 3);
      assert.ok((await api.withdraw({ sender, requestId: "removed" })).ok);
      const told = await removed;
      assert.ok(!told.ok && told.reason === "removed");
      const settled = await Promise.all(answers);
      stop.dispose();
      assert.ok(
        settled.every((answer) => answer.ok && !answer.duplicate),
        JSON.stringify(settled),
      );
      assert.ok((info()?.queued ?? 9) <= 1, "there was room when it answered");
      assert.ok(Math.max(...states) >= 2, "it had waited");
    } finally {
      await settings.update("maxBufferedMessages", undefined, true);
    }
  });

  for (const { what, section, key, value, message, reason } of [
    {
      what: "agents' messages switched off",
      ...{ section: "gates", key: "allowAgentMessages", value: "off" },
      ...{ message: {}, reason: "gateClosed" },
    },
    {
      what: "only others trusted",
      ...{ section: "gates", key: "trustedAgents", value: ["api:other"] },
      ...{ message: {}, reason: "notTrusted" },
    },
    {
      what: "all let in",
      ...{ section: "gates", key: "allowAgentMessages", value: "all" },
      ...{ message: { mentions: [] }, reason: null },
    },
  ])
    it(`gates as they are set: ${what}`, () =>
      withSetting(section, key, value, async () => {
        const answer = await submit(message);
        assert.equal(answer.ok ? null : answer.reason, reason);
      }));

  for (const { what, key, value, turns } of [
    { what: "one message a turn", key: "mode", value: "per-message", turns: 3 },
    {
      what: "a window to collect",
      key: "collectWindowMs",
      value: 1_000,
      turns: 1,
    },
  ])
    it(`dispatch as it is set: ${what}`, () =>
      withSetting("dispatch", key, value, async () => {
        const answers = await Promise.all(
          ["one", "two", "three"].map((text) => submit({ text })),
        );
        const batches = new Set<string>();
        for (const answer of answers) {
          assert.ok(answer.ok);
          await until(
            async () => (await api.message(answer.id))?.state === "delivered",
          );
          batches.add((await api.message(answer.id))?.batch ?? "");
        }
        assert.equal(batches.size, turns);
      }));

  it("a queued message can be withdrawn, one that went cannot", async () => {
    const gone = await submit();
    assert.ok(gone.ok);
    const queued = await submit({ requestId: "withdrawn" });
    assert.ok(queued.ok);
    assert.ok((await api.withdraw({ sender, requestId: "withdrawn" })).ok);
    assert.equal((await api.message(queued.id))?.state, "discarded");
    await until(
      async () => (await api.message(gone.id))?.state === "delivered",
    );
    for (const which of [gone.id, queued.id, "nothing"])
      assert.equal((await api.withdraw(which)).ok, false);
  });

  it("what a thread hands to another is told to its agent until it is answered", async () => {
    const other = await api.createThread({ title: "Tests", agent: "nobody" });
    assert.ok(other.ok);
    const handed = await submit({
      thread: other.thread,
      mentions: [other.thread],
      from: thread,
      requestId: "handed",
    });
    assert.ok(handed.ok);
    await until(async () =>
      (await nextTurn(thread)).includes(
        'handed to other threads and is not answered yet:\n- "Tests": waits',
      ),
    );
    assert.ok((await api.withdraw({ sender, requestId: "handed" })).ok);
    assert.doesNotMatch(await nextTurn(thread), /handed to other threads/);
    const lost = await submit({ from: "gone" });
    assert.ok(!lost.ok && lost.reason === "noThread");
  });

  it("an agent is told of the file the user worked in last, while the chat has the focus", async () => {
    const settings = vscode.workspace.getConfiguration("turnline.context");
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, "worked-in.ts");
    await vscode.workspace.fs.writeFile(
      uri,
      new TextEncoder().encode("const a = 1;\nconst b = a +;\n"),
    );
    const problems = vscode.languages.createDiagnosticCollection("test");
    try {
      // Kept open: a tab that is only looked at would make room for the next, and be forgotten.
      const shown = await vscode.window.showTextDocument(uri, {
        preview: false,
      });
      shown.selection = new vscode.Selection(1, 6, 1, 7);
      problems.set(uri, [
        new vscode.Diagnostic(
          new vscode.Range(1, 13, 1, 14),
          "Expression expected.",
        ),
      ]);
      assert.doesNotMatch(await nextTurn(thread), /worked-in/);
      await settings.update(
        "editor",
        ["file", "selection", "diagnostics"],
        true,
      );
      // A tab that is no file takes its place, as the chat does.
      await vscode.commands.executeCommand("turnline.previewNextTurn");
      await until(async () =>
        (await nextTurn(thread)).includes(
          "The user has worked-in.ts open.\nSelected, line 2:\n```\nb\n```\nProblems in it:\n- line 2, error: Expression expected.",
        ),
      );
    } finally {
      problems.dispose();
      await settings.update("editor", undefined, true);
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      await vscode.workspace.fs.delete(uri);
    }
  });

  it("cancel and show answer for threads that are not there", async () => {
    assert.ok((await api.cancel(thread)).ok);
    for (const answer of [await api.cancel("gone"), await api.show("gone")])
      assert.ok(!answer.ok && answer.reason === "noThread");
  });
});

/** Runs with a setting changed, and changes it back. */
async function withSetting(
  section: string,
  key: string,
  value: unknown,
  run: () => Promise<void>,
): Promise<void> {
  const settings = vscode.workspace.getConfiguration(`turnline.${section}`);
  await settings.update(key, value, true);
  try {
    await run();
  } finally {
    await settings.update(key, undefined, true);
  }
}

/** What the preview says that the thread's next turn will send, now: a document that is open once keeps its text a while. */
async function nextTurn(thread: string): Promise<string> {
  asked += 1;
  const query = new URLSearchParams({ kind: "next", thread, n: `${asked}` });
  const document = await vscode.workspace.openTextDocument(
    vscode.Uri.from({
      scheme: "turnline-prompt",
      path: "/Next turn.md",
      query: query.toString(),
    }),
  );
  return document.getText();
}
let asked = 0;

async function until(is: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await is())) {
    if (Date.now() > end)
      throw new Error(`It did not happen: ${is.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
