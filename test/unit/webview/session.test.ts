import assert from "node:assert/strict";
import type { Op } from "../../../src/protocol/ops.ts";
import type { ToView } from "../../../src/protocol/toView.ts";
import { Inbox } from "../../../webview/chat/inbox.ts";
import { advance } from "../../../webview/chat/session.ts";
import type { Session } from "../../../webview/chat/session.ts";
import { agent, base, message } from "../../fixtures/webviewDev/make.ts";

type Numbered = Extract<ToView, { type: "snapshot" | "delta" }>;

const state = { ...base, messages: [message(1, 0, agent("ab", true))] };
const snapshot = (n: number, instance = "i"): Numbered => ({
  type: "snapshot",
  instance,
  n,
  now: 5_000,
  state,
});
const delta = (n: number, offset: number, instance = "i"): Numbered => {
  const op: Op = { op: "text", id: "m1.0", offset, text: "c" };
  return { type: "delta", instance, n, ops: [op] };
};

/** Number and text after each message; "gap" where one was noticed. */
function trace(...messages: readonly Numbered[]): string[] {
  let session: Session | undefined;
  return messages.map((one) => {
    const next = advance(session, one, 1_000);
    if (next === "gap") return "gap";
    session = next;
    const body = session?.state.messages[0]?.body;
    return `${session?.n ?? "-"} ${body?.kind === "agent" ? body.text : ""}`;
  });
}

describe("A view's session", () => {
  const stories: readonly (readonly [
    string,
    readonly Numbered[],
    readonly string[],
  ])[] = [
    ["follows the numbers", [snapshot(4), delta(5, 2)], ["4 ab", "5 abc"]],
    ["shows nothing before a snapshot", [delta(1, 2)], ["- "]],
    [
      "I46: takes a repeated delta once",
      [snapshot(4), delta(5, 2), delta(5, 2), delta(5, 3)],
      ["4 ab", "5 abc", "5 abc", "5 abc"],
    ],
    [
      "I46: a snapshot replaces everything, also one of another life",
      [snapshot(4), delta(5, 2), snapshot(0, "j"), delta(1, 2, "j")],
      ["4 ab", "5 abc", "0 ab", "1 abc"],
    ],
    [
      "leaves alone what was meant for an earlier life",
      [snapshot(4, "j"), delta(5, 2, "i")],
      ["4 ab", "4 ab"],
    ],
    ["notices a missing number", [snapshot(4), delta(6, 2)], ["4 ab", "gap"]],
    [
      "notices a missing piece of text",
      [snapshot(4), delta(5, 3)],
      ["4 ab", "gap"],
    ],
  ];
  for (const [name, messages, expected] of stories)
    it(name, () => assert.deepEqual(trace(...messages), expected));

  it("counts seconds as the host does", () => {
    const session = advance(undefined, snapshot(0), 1_000);
    assert.ok(session !== undefined && session !== "gap");
    assert.equal(session.skew, 4_000);
  });
});

describe("The inbox", () => {
  function opened(): {
    inbox: Inbox;
    frames: (() => void)[];
    freeFrames: (() => void)[];
    shown: number[];
    asked: (string | undefined)[];
  } {
    const frames: (() => void)[] = [];
    const freeFrames: (() => void)[] = [];
    const shown: number[] = [];
    const asked: (string | undefined)[] = [];
    const inbox = new Inbox({
      show: ({ n }) => shown.push(n),
      ask: (instance) => asked.push(instance),
      frame: (run) => frames.push(run),
      freeFrame: (run) => freeFrames.push(run),
      clock: () => 0,
    });
    return { inbox, frames, freeFrames, shown, asked };
  }

  it("shows many messages once a frame", () => {
    const { inbox, frames, freeFrames, shown } = opened();
    inbox.take(snapshot(0));
    for (let i = 1; i <= 50; i++) inbox.take(delta(i, i + 1));
    assert.equal(frames.length, 1);
    assert.equal(freeFrames.length, 0);
    frames.shift()?.();
    assert.deepEqual(shown, [50]);
  });

  it("lets text that only grows wait for a free frame, until anything else comes", () => {
    const { inbox, frames, freeFrames, shown } = opened();
    inbox.take(snapshot(0));
    frames.shift()?.();
    inbox.take(delta(1, 2));
    inbox.take(delta(2, 3));
    assert.deepEqual([frames.length, freeFrames.length], [0, 1]);
    const other: Op = { op: "parts", parts: {} };
    inbox.take({ type: "delta", instance: "i", n: 3, ops: [other] });
    inbox.take(delta(4, 4));
    assert.deepEqual([frames.length, freeFrames.length], [1, 1]);
    frames.shift()?.();
    assert.deepEqual(shown, [0, 4]);
    freeFrames.shift()?.();
    assert.deepEqual(shown, [0, 4]);
    inbox.take(delta(5, 4));
    freeFrames.shift()?.();
    assert.deepEqual(shown, [0, 4, 5]);
  });

  it("asks for a snapshot once per gap", () => {
    const { inbox, asked, shown } = opened();
    for (const one of [snapshot(0), delta(2, 2), delta(3, 2), delta(4, 2)])
      inbox.take(one);
    inbox.flush();
    assert.deepEqual(asked, ["i"]);
    inbox.take(snapshot(4));
    inbox.take(delta(9, 2));
    inbox.flush();
    assert.deepEqual(asked, ["i", "i"]);
    assert.deepEqual(shown, [0, 4]);
  });
});
