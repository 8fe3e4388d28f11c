import assert from "node:assert/strict";
import { stretches } from "../../../webview/chat/ansi.ts";
import { changeOf } from "../../../webview/chat/changes.ts";
import {
  history,
  openingDraft,
  putBack,
} from "../../../webview/chat/drafts.ts";
import {
  bytes,
  compact,
  running,
  visible,
} from "../../../webview/chat/format.ts";
import { took } from "../../../src/util/took.ts";
import { enterMeans, queueMeans } from "../../../webview/chat/keys.ts";
import type { Keys } from "../../../webview/chat/keys.ts";
import { linkTarget } from "../../../webview/chat/links.ts";
import { revived } from "../../../webview/chat/saved.ts";
import { titleParts } from "../../../webview/chat/toolLook.ts";
import {
  agent,
  base,
  message,
  queued,
  user,
} from "../../fixtures/webviewDev/make.ts";

/** One `it` for each line of a table. */
function table<In, Out>(
  name: string,
  of: (input: In) => Out,
  rows: readonly (readonly [In, Out])[],
): void {
  describe(name, () => {
    for (const [input, output] of rows)
      it(JSON.stringify(input).slice(0, 70), () =>
        assert.deepEqual(of(input), output),
      );
  });
}

table("I49: where a link may lead", linkTarget, [
  [
    "https://example.com/a?b#c",
    { kind: "url", url: "https://example.com/a?b#c" },
  ],
  ["HTTP://example.com", { kind: "url", url: "HTTP://example.com" }],
  ["mailto:a@example.com", { kind: "url", url: "mailto:a@example.com" }],
  ["src/a.ts", { kind: "file", path: "src/a.ts", line: undefined }],
  ["src/a.ts#L12", { kind: "file", path: "src/a.ts", line: 12 }],
  ["src/a.ts:12:3", { kind: "file", path: "src/a.ts", line: 12 }],
  ["a.ts:12", { kind: "file", path: "a.ts", line: 12 }],
  ["/abs/a%20b.ts", { kind: "file", path: "/abs/a b.ts", line: undefined }],
  ["C:\\x\\a.ts", { kind: "file", path: "C:\\x\\a.ts", line: undefined }],
  ["file:///x/a.ts#L3", { kind: "file", path: "/x/a.ts", line: 3 }],
  ["file:///C:/a.ts", { kind: "file", path: "C:/a.ts", line: undefined }],
  ["javascript:alert(1)", undefined],
  ["JaVaScRiPt:alert(1)", undefined],
  ["java\tscript:alert(1)", undefined],
  [" javascript:alert(1)", undefined],
  ["command:workbench.action.quit", undefined],
  ["vscode://x", undefined],
  ["vscode-resource:/x", undefined],
  ["data:text/html,x", undefined],
  ["blob:https://x", undefined],
  ["file://server/share", undefined],
  ["//example.com/x", undefined],
  ["\\\\server\\share", undefined],
  ["#top", undefined],
  ["", undefined],
  ["a%00b", undefined],
  ["%E0%A4%A", undefined],
]);

table("a duration that is over", took, [
  [0, "0 s"],
  [400, "0.4 s"],
  [6_000, "6 s"],
  [9_960, "10 s"],
  [41_000, "41 s"],
  [102_000, "1m 42s"],
  [3_720_000, "1h 02m"],
]);
table("a duration that runs", running, [
  [-5, "0:00"],
  [48_900, "0:48"],
  [725_000, "12:05"],
  [3_723_000, "1:02:03"],
]);
table("a count", compact, [
  [940, "940"],
  [18_400, "18.4k"],
  [212_000, "212k"],
  [1_200_000, "1.2M"],
]);
table("a size", bytes, [
  [307, "307 B"],
  [217_000, "212 KB"],
  [1_500_000, "1.4 MB"],
]);
table("I49: a name with hidden characters", visible, [
  ["plain name.ts", "plain name.ts"],
  ["photo\u202egnp.exe", "photo\\u202egnp.exe"],
  ["a\u0007b\u200bc", "a\\u0007b\\u200bc"],
  ["é 日本 🎉", "é 日本 🎉"],
]);

table("terminal output", stretches, [
  ["plain\nlines", [{ text: "plain\nlines", style: "" }]],
  [
    "\u001b[32m✓\u001b[0m ok",
    [
      { text: "✓", style: "a-green" },
      { text: " ok", style: "" },
    ],
  ],
  [
    "\u001b[1;91mbad\u001b[22m still\u001b[39m end",
    [
      { text: "bad", style: "a-red a-bold" },
      { text: " still", style: "a-red" },
      { text: " end", style: "" },
    ],
  ],
  ["\u001b[38;5;196mx\u001b[38;2;1;2;3my", [{ text: "xy", style: "" }]],
  [
    "\u001b]0;title\u0007a\u001b]8;;https://x\u001b\\b",
    [{ text: "ab", style: "" }],
  ],
  ["\u001b[2J\u001b[H\u001bcx\u001b[?25l", [{ text: "x", style: "" }]],
  ["10%\r50%\r100%\ndone\r\n", [{ text: "100%\ndone\n", style: "" }]],
  ["cut off \u001b[3", [{ text: "cut off ", style: "" }]],
  ["bell\u0007\u0000", [{ text: "bell", style: "" }]],
]);

table("a title with code", titleParts, [
  ["Read file", [{ text: "Read file", code: false }]],
  [
    "Edit `a.ts` now",
    [
      { text: "Edit ", code: false },
      { text: "a.ts", code: true },
      { text: " now", code: false },
    ],
  ],
]);

describe("a change", () => {
  it("counts and numbers its lines", () => {
    const change = changeOf({
      type: "diff",
      path: "a",
      oldText: "1\n2\n3\n4\n",
      newText: "1\n2\nthree\n4\n",
    });
    assert.ok(change !== "large");
    assert.deepEqual([change.added, change.removed], [1, 1]);
    assert.deepEqual(
      change.lines.map(({ kind, number, text }) => [kind, number, text]),
      [
        ["same", 1, "1"],
        ["same", 2, "2"],
        ["del", 3, "3"],
        ["add", 3, "three"],
        ["same", 4, "4"],
      ],
    );
  });
  it("says how much of it is left out", () => {
    const newText = Array.from({ length: 1_000 }, (_, i) => `${i}\n`).join("");
    const change = changeOf({
      type: "diff",
      path: "a",
      oldText: null,
      newText,
    });
    assert.ok(change !== "large");
    assert.deepEqual([change.lines.length, change.hidden], [400, 600]);
  });
  it("of a new file is all additions", () => {
    const change = changeOf({
      type: "diff",
      path: "a",
      oldText: null,
      newText: "a\nb\n",
    });
    assert.ok(change !== "large");
    assert.deepEqual([change.added, change.removed], [2, 0]);
  });
});

const none: Keys = {
  key: "Enter",
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
};
table(
  "Enter that sends",
  (keys: Partial<Keys>) => enterMeans({ ...none, ...keys }, "send"),
  [
    [{}, "send"],
    [{ shiftKey: true }, "newline"],
    [{ ctrlKey: true }, "now"],
    [{ metaKey: true }, "now"],
    [{ isComposing: true }, undefined],
    [{ key: "a" }, undefined],
  ],
);
table(
  "Enter that adds a line",
  (keys: Partial<Keys>) => enterMeans({ ...none, ...keys }, "newline"),
  [
    [{}, "newline"],
    [{ ctrlKey: true }, "send"],
    [{ ctrlKey: true, shiftKey: true }, "now"],
  ],
);
table(
  "keys in the queue",
  (keys: Partial<Keys>) => queueMeans({ ...none, ...keys }),
  [
    [{}, "edit"],
    [{ key: "ArrowUp" }, "up"],
    [{ key: "ArrowUp", altKey: true }, "moveUp"],
    [{ key: "Delete" }, "remove"],
    [{ key: "z", ctrlKey: true }, "undo"],
    [{ key: "z" }, undefined],
    [{ key: "s" }, "separate"],
    [{ key: "s", ctrlKey: true }, undefined],
    [{ key: "S" }, "separate"],
    [{ key: "H" }, "hold"],
    [{ key: "Z", ctrlKey: true }, "undo"],
    [{ key: "S", shiftKey: true }, undefined],
  ],
);

describe("a draft", () => {
  const state = {
    ...base,
    draft: { text: "of the host", at: 5 },
    queue: [queued("q1", "x")],
  };
  it("is the view's own, else the host's", () => {
    assert.equal(openingDraft(undefined, state).text, "of the host");
    assert.equal(openingDraft({ text: "mine", at: 5 }, state).text, "mine");
  });
  it("I46: is the host's where VS Code brought back an old state of the view", () => {
    const old = { text: "old", at: 4 };
    assert.equal(openingDraft(old, state).text, "of the host");
    const cleared = { ...state, draft: { text: "", at: 5 } };
    assert.equal(openingDraft(old, cleared).text, "");
  });
  it("is gone when its message was accepted after all", () => {
    const kept = { text: "x", at: 6, requestId: "q1" };
    assert.equal(openingDraft(kept, state).text, "");
    assert.deepEqual(openingDraft(kept, { ...state, queue: [] }), kept);
  });
  it("comes back in front of what was typed since", () => {
    const refused = { text: "a", at: 2, requestId: "r" };
    assert.deepEqual(putBack(refused, { text: "", at: 1 }), refused);
    assert.deepEqual(putBack(refused, { text: "b", at: 3 }), {
      text: "a\n\nb",
      at: 3,
    });
    const file = { kind: "file", uri: "file:///a", name: "a" } as const;
    const other = { ...file, name: "b" };
    assert.deepEqual(
      putBack(
        { ...refused, attachments: [file] },
        { text: "", at: 3, attachments: [other] },
      ),
      { text: "a", at: 3, attachments: [file, other] },
    );
  });
  it("can be what was said before, newest first", () => {
    const messages = [
      message(1, 0, user("one")),
      message(1, 1, agent("no")),
      message(2, 0, user("two")),
      message(3, 0, user("one")),
    ];
    assert.deepEqual(history(messages, [queued("q", "three")]), [
      "three",
      "one",
      "two",
    ]);
  });
});

table("what an earlier life left", revived, [
  [null, { drafts: {}, folds: {} }],
  ["nonsense", { drafts: {}, folds: {} }],
  [
    { drafts: [], folds: 1, thread: 2 },
    { drafts: {}, folds: {} },
  ],
  [
    {
      thread: "t",
      drafts: { t: { text: "a", at: 1, requestId: "r" }, u: { text: "b" } },
      folds: { m: true, n: "x" },
      scroll: { thread: "t", key: "k", offset: 3 },
      edit: { thread: "t", id: "q" },
    },
    {
      thread: "t",
      drafts: { t: { text: "a", at: 1, requestId: "r" } },
      folds: { m: true },
      scroll: { thread: "t", key: "k", offset: 3 },
    },
  ],
]);
