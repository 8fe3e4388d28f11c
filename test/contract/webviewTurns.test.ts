import assert from "node:assert/strict";
import type { ViewState } from "../../src/protocol/viewState.ts";
import {
  base,
  batch,
  message,
  queued,
  start,
  user,
} from "../fixtures/webviewDev/make.ts";
import { mount } from "../fixtures/webviewDev/mount.ts";
import type { Mounted } from "../fixtures/webviewDev/mount.ts";
import { scenarios } from "../fixtures/webviewDev/scenarios.ts";

describe("The panel and its turns", () => {
  let page: Mounted;
  const shows = async (state: ViewState): Promise<void> => {
    page = await mount(state);
  };
  const textOf = (selector: string): string => page.one(selector).textContent;
  const composer = (): HTMLTextAreaElement =>
    page.one("[data-testid=composer]") as HTMLTextAreaElement;
  const type = (text: string): void => {
    composer().value = text;
    composer().dispatchEvent(new (windowOf(page).Event)("input"));
  };
  afterEach(async () => {
    const { problems } = page.host;
    await page.close();
    assert.deepEqual(problems, []);
  });

  it("I2: shows no row and no receipt of a message before the host has it", async () => {
    await shows(base);
    const answer = Promise.withResolvers<undefined>();
    page.host.slow = { submit: answer.promise };
    type("hello");
    await page.settled();
    page.press(composer(), "Enter");
    await page.settled();
    assert.equal(composer().value, "");
    for (const sign of ["[data-testid=message]", ".q", ".receipt", ".batch"])
      assert.equal(page.all(sign).length, 0, sign);
    answer.resolve(undefined);
    await page.settled();
    assert.equal(page.all("[data-testid=queue-item] .receipt").length, 1);
  });

  const starting: ViewState = {
    ...base,
    status: { state: "starting", since: start },
    messages: [message(1, 0, user("go"), { state: "claimed" })],
    batches: [
      batch(1, { status: "collecting", endedAt: undefined, startedAt: start }),
    ],
    queue: [queued("q1", "later")],
  };

  it("I27: a turn whose agent starts has a clock and a Stop, and what it leaves can be restored", async () => {
    await shows(starting);
    assert.match(textOf("footer.foot"), /Starting Claude Code 0:0\d/);
    assert.match(textOf(".head-state"), /turn 0:0\d/);
    assert.match(composer().placeholder, /Add to the next turn/);
    assert.match(textOf("#hint"), /adds to the next turn/);
    assert.match(textOf(".queue-head"), /Goes when this turn ends/);
    page.press(composer(), "Escape");
    await page.settled();
    assert.match(textOf("#hint"), /Press Esc again to stop/);
    page.press(composer(), "Escape");
    await page.settled();
    assert.ok(page.host.heard.some(({ type }) => type === "stop"));
    page.host.change((state) => ({ ...state, messages: [], batches: [] }));
    await page.settled();
    assert.equal(page.all("[data-testid=stop]").length, 0);
    assert.match(textOf(".q.gone"), /Stopped before it was sent/);
    page.one("[data-testid=queue-undo]").click();
    await page.settled();
    assert.deepEqual(
      page.host.heard.findLast(({ type }) => type === "restore"),
      { type: "restore", thread: "t1", ids: ["m1.0"] },
    );
  });

  it("asks about a tool in its card alone, and shows its input only where that says more", async () => {
    const { state } = scenarios.permission;
    const [asked] = state.permissions;
    assert.ok(asked);
    const call = message(30, 3, {
      ...{ kind: "tool", toolCallId: asked.toolCallId, title: asked.title },
      ...{ toolKind: "execute", status: "pending" },
      ...{ locations: [], content: [] },
    });
    const asks = (input: object): ViewState => ({
      ...state,
      messages: [...state.messages, call],
      permissions: [{ ...asked, input: JSON.stringify(input) }],
    });
    const command = asked.title;
    await shows(asks({ command, description: "Starts the database" }));
    const rows = (): number =>
      page
        .all("[data-testid=tool-call]")
        .filter(({ textContent }) => textContent.includes(command)).length;
    assert.equal(rows(), 0);
    assert.equal(page.all(".ask .fold").length, 0);
    page.host.change(() => asks({ command, cwd: "/elsewhere" }));
    await page.settled();
    assert.equal(page.all(".ask .fold").length, 1);
    page.host.change((now) => ({ ...now, permissions: [] }));
    await page.settled();
    assert.equal(rows(), 1);
  });

  it("gives the focus to the composer when what had it is gone", async () => {
    const { state } = scenarios.restored;
    await shows(state);
    const button = page.one(".note vscode-button");
    button.tabIndex = 0;
    button.focus();
    page.host.change((now) => ({ ...now, notices: [] }));
    await page.settled();
    await page.settled();
    assert.ok(page.document.activeElement === composer());
  });

  it("goes back with Up from the first line of what was said, and moves within the others", async () => {
    await shows({
      ...base,
      messages: [message(1, 0, user("older")), message(2, 0, user("one\ntwo"))],
      batches: [batch(1), batch(2)],
    });
    const up = async (at?: number): Promise<string> => {
      if (at !== undefined) composer().setSelectionRange(at, at);
      page.press(composer(), "ArrowUp");
      await page.settled();
      return composer().value;
    };
    assert.equal(await up(), "one\ntwo");
    assert.equal(await up(7), "one\ntwo");
    assert.equal(await up(2), "older");
  });
});

function windowOf({ document }: Mounted): typeof globalThis {
  const { defaultView } = document;
  assert.ok(defaultView);
  return defaultView;
}
