import assert from "node:assert/strict";
import type { ToHost } from "../../src/protocol/toHost.ts";
import type { ViewState } from "../../src/protocol/viewState.ts";
import { at } from "../fixtures/webviewDev/make.ts";
import { mount, type Mounted } from "../fixtures/webviewDev/mount.ts";
import { scenarios } from "../fixtures/webviewDev/scenarios.ts";
import { Keeper } from "../../webview/chat/keeper.ts";

type Answer = Extract<ToHost, { type: "answerElicitation" }>;

const answers = ({ heard }: Mounted["host"]): readonly Answer[] =>
  heard.filter(
    (message): message is Answer => message.type === "answerElicitation",
  );

describe("what the agent asks", () => {
  let page: Mounted | undefined;
  const open = async (state: ViewState): Promise<Mounted> =>
    (page = await mount(state));
  afterEach(() => page?.close());
  const stateOf = (name: keyof typeof scenarios): ViewState =>
    scenarios[name].state;

  it("shows what a tool without a preview would be called with, and where", async () => {
    const { one } = await open(stateOf("unseen"));
    const card = one('article [data-testid="permission"]');
    assert.match(card.textContent, /"project": "shop"/);
    assert.match(card.textContent, /src\/checkout\/pay\.ts:12/);
  });

  const asking = (
    change: Partial<ViewState["permissions"][number]>,
  ): ViewState => {
    const state = stateOf("permission");
    const permissions = state.permissions.map((one) => ({ ...one, ...change }));
    return { ...state, permissions };
  };
  const hiding = "rm -rf ~/work\recho hi \u202etxt.\u001b]0;rm -rf ~";
  const shown = "rm -rf ~/work\\u000decho hi \\u202etxt.\\u001b]0;rm -rf ~";

  for (const [what, change] of [
    ["title", { title: `\`${hiding}\`` }],
    ["preview", { content: [{ type: "text", text: hiding }] }],
    [
      "change",
      {
        content: [{ type: "diff", path: "a", oldText: null, newText: hiding }],
      },
    ],
    ["input", { content: [], input: hiding }],
  ] as const)
    it(`nothing in what is to be allowed hides or moves the rest of it: ${what}`, async () => {
      const { one } = await open(asking(change));
      const card = one('article [data-testid="permission"]');
      assert.ok(card.textContent.includes(shown), card.textContent);
    });

  it("shows all of a long preview, and the backticks of a command", async () => {
    const text = `rm -rf ~\n${"echo\n".repeat(10_000)}`;
    const { one } = await open(
      asking({ title: "echo `rm -rf ~`", content: [{ type: "text", text }] }),
    );
    const card = one('article [data-testid="permission"]');
    assert.ok(card.textContent.includes(text.trimEnd()));
    assert.match(card.textContent, /echo `rm -rf ~`/);
  });

  for (const [what, newText] of [
    ["with lines left out", "line\n".repeat(1_000)],
    ["too large to preview", "line\n".repeat(300_000)],
  ] as const)
    it(`opens a change that is to be allowed and is not all there: ${what}`, async () => {
      const { one, host, settled } = await open(
        asking({
          message: "m7",
          content: [
            { type: "text", text: "First" },
            { type: "diff", path: "a", oldText: null, newText },
          ],
        }),
      );
      const whole = one(
        'article [data-testid="permission"] [data-testid="open-diff-whole"]',
      );
      assert.equal(whole.getAttribute("tabindex"), "0");
      whole.click();
      await settled();
      assert.deepEqual(
        host.heard.filter(({ type }) => type === "openDiff"),
        [{ type: "openDiff", thread: "t1", message: "m7", index: 1 }],
      );
    });

  it("shows a question whose turn is not in the window above the queue", async () => {
    const state = stateOf("permission");
    const { all, document, host, settled } = await open({
      ...state,
      permissions: state.permissions.map((one) => ({ ...one, batch: at(1) })),
    });
    assert.equal(all('[data-testid="permission"]').length, 1);
    assert.equal(all('.below [data-testid="permission"]').length, 1);
    host.post({ type: "reveal", what: { kind: "permission" } });
    const has = (): string | null | undefined =>
      document.activeElement?.getAttribute("data-testid");
    for (let i = 0; i < 100 && has() !== "permission"; i++) await settled();
    assert.equal(has(), "permission");
  });

  it("goes to the question from the head", async () => {
    const { one, document, settled } = await open(stateOf("form"));
    one('[data-testid="agent-status"] button').click();
    const has = (): string | null | undefined =>
      document.activeElement?.getAttribute("data-testid");
    for (let i = 0; i < 100 && has() !== "elicitation"; i++) await settled();
    assert.equal(has(), "elicitation");
  });

  it("says what is missing next to its field, and sends what fits", async () => {
    const { one, all, host, settled, press } = await open(stateOf("form"));
    one('[data-testid="elicitation-accept"]').click();
    await settled();
    const problems = all('[data-testid="field-problem"]');
    assert.deepEqual(
      problems.map(({ textContent }) => textContent),
      ["Needs an answer."],
    );
    assert.ok(problems[0]?.closest('[data-field="0"]') !== null);
    assert.equal(answers(host).length, 0);
    one('[data-field="0"] input').click();
    await settled();
    assert.equal(all('[data-testid="field-problem"]').length, 0);
    press(one('[data-field="3"] input'), "Enter");
    await settled();
    assert.deepEqual(answers(host), [
      {
        type: "answerElicitation",
        thread: "t1",
        elicitation: "e1",
        answer: {
          action: "accept",
          values: { db: "pg", n: 2, keep: false },
        },
      },
    ]);
  });

  for (const action of ["decline", "cancel"] as const)
    it(`lets the user ${action}`, async () => {
      const { one, host, settled } = await open(stateOf("page"));
      one(`[data-testid="elicitation-${action}"]`).click();
      await settled();
      const [told] = answers(host);
      assert.deepEqual(told?.answer, { action });
    });

  it("a secret answer is masked and sent", async () => {
    const state = stateOf("form");
    const { one, enter, host, settled } = await open({
      ...state,
      elicitations: state.elicitations.map((asked) =>
        asked.mode === "form"
          ? {
              ...asked,
              fields: [
                {
                  id: "s",
                  title: "Key",
                  required: true,
                  type: "text",
                  secret: true,
                },
              ],
            }
          : asked,
      ),
    });
    const input = one('[data-field="0"] input') as HTMLInputElement;
    assert.equal(input.type, "password");
    enter(input, "s3cr3t");
    await settled();
    one('[data-testid="elicitation-accept"]').click();
    await settled();
    assert.deepEqual(answers(host)[0]?.answer, {
      action: "accept",
      values: { s: "s3cr3t" },
    });
  });

  it("a secret answer is not kept for the view's next life", () => {
    const kept: unknown[] = [];
    const keeper = new Keeper(
      { drafts: {}, folds: {} },
      (saved) => kept.push(saved),
      (run) => run(),
    );
    keeper.keepSecret("form", "key", "s3cr3t");
    keeper.keepForm("form", "name", "Alice");
    assert.deepEqual(keeper.filled("form"), { key: "s3cr3t", name: "Alice" });
    keeper.flush();
    assert.match(JSON.stringify(kept), /Alice/);
    assert.doesNotMatch(JSON.stringify(kept), /s3cr3t/);
    keeper.forgetForm("form");
    assert.deepEqual(keeper.filled("form"), {});
  });

  it("names the host of a page apart from its address", async () => {
    const { one } = await open(stateOf("page"));
    assert.equal(
      one('[data-testid="elicitation-url"] b').textContent,
      "tracker.example.org",
    );
  });

  it("offers the raw input and output of a tool, folded", async () => {
    const state = stateOf("permission");
    const { all, one, settled } = await open({
      ...state,
      messages: state.messages.map((message) =>
        message.body.kind === "tool"
          ? { ...message, body: { ...message.body, input: "raw in" } }
          : message,
      ),
    });
    const tool = '[data-testid="tool-call"]';
    assert.equal(all(`${tool} .folded .term`).length, 0);
    one(`${tool} .folded button`).click();
    await settled();
    assert.equal(one(`${tool} .folded .term`).textContent, "raw in");
  });
});
