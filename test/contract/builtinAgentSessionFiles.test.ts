import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { SessionRecord } from "../../src/builtinAgent/record.ts";
import { replay } from "../../src/builtinAgent/session.ts";
import { SessionStore } from "../../src/builtinAgent/sessions.ts";

const records: readonly SessionRecord[] = [
  { kind: "title", title: "find it" },
  { kind: "prompt", blocks: [{ type: "text", text: "find it" }] },
  {
    kind: "tool",
    id: "1",
    title: "Find",
    toolKind: "search",
    status: "in_progress",
    places: [{ path: "/w/a", line: 3 }],
    input: { pattern: "it" },
  },
  {
    kind: "tool",
    id: "1",
    status: "completed",
    content: [{ type: "diff", path: "/w/a", oldText: null, newText: "x" }],
  },
  { kind: "found", files: ["/w/a"] },
  { kind: "plan", entries: [{ content: "find", status: "completed" }] },
  { kind: "text", text: "one " },
  { kind: "text", text: "two\u2028😀" },
  { kind: "explained" },
  { kind: "end", stop: "end_turn" },
];

describe("built-in agent: sessions on disk", () => {
  let home: string;
  let store: SessionStore;
  let id: string;
  let file: string;

  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), "turnline-sessions-"));
    store = new SessionStore(home);
    ({ id } = store.create("/w", ["/x"]));
    file = path.join(home, `${id}.jsonl`);
    for (const record of records) store.append(id, record);
  });
  afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

  const header: SessionRecord = {
    kind: "session",
    id: "",
    cwd: "/w",
    extra: ["/x"],
  };

  it("reads back what was written", () => {
    assert.deepEqual(store.read(id), [{ ...header, id }, ...records]);
  });

  it("cut at any byte, it is whole up to there and can be written on", () => {
    const bytes = fs.readFileSync(file);
    const next: SessionRecord = { kind: "text", text: "next" };
    for (let length = 0; length < bytes.length; length++) {
      fs.writeFileSync(file, bytes.subarray(0, length));
      const reopened = new SessionStore(home);
      const before = reopened.read(id);
      const lines = bytes.subarray(0, length).toString().split("\n");
      // The last line may be whole though its end is missing.
      const whole = lines.slice(0, -1).length;
      if (before === undefined) {
        assert.equal(whole, 0, `at byte ${String(length)}`);
        continue;
      }
      assert.ok(before.length === whole || before.length === whole + 1);
      reopened.append(id, next);
      const after = new SessionStore(home).read(id);
      if (whole === 0) assert.equal(after, undefined);
      else assert.deepEqual(after, [...before.slice(0, whole), next]);
    }
  });

  it("passes over lines that are no records", () => {
    fs.appendFileSync(
      file,
      [
        "null",
        "[]",
        "{}",
        '{"kind":"later"}',
        '{"kind":"text"}',
        '{"kind":"tool","id":1}',
        '{"kind":"plan","entries":[{"content":"x","status":"?"}]}',
        '{"kind":"prompt","blocks":[{"type":"video"}]}',
        '{"kind":"found","files":[1]}',
        '{"kind":"tool","id":"2","status":"odd","content":[{"type":"x"}]}',
        "",
      ].join("\n"),
    );
    assert.deepEqual(store.read(id)?.slice(records.length + 1), [
      { kind: "tool", id: "2" },
    ]);
  });

  it("names no file but its own", () => {
    fs.writeFileSync(path.join(home, "x.jsonl"), "{}");
    for (const strange of ["../x", "x", "", `${id}/`, id.toUpperCase() + "0"]) {
      assert.equal(store.read(strange), undefined);
      assert.equal(store.delete(strange), false);
      store.append(strange, { kind: "explained" });
    }
    assert.deepEqual(
      fs.readdirSync(home).sort(),
      [`${id}.jsonl`, "x.jsonl"].sort(),
    );
  });

  it("is for its owner only", () => {
    assert.equal(fs.statSync(file).mode & 0o077, 0);
  });

  it("tells a client again what was said, and closes what a dead process left open", () => {
    const open: SessionRecord = {
      kind: "tool",
      id: "2",
      title: "Run",
      toolKind: "execute",
      status: "in_progress",
    };
    const updates = replay([{ ...header, id }, ...records, open]);
    assert.deepEqual(
      updates.map((update) => update.sessionUpdate),
      [
        "user_message_chunk",
        "tool_call",
        "tool_call_update",
        "plan",
        "agent_message_chunk",
        "tool_call",
        "tool_call_update",
      ],
    );
    assert.deepEqual(updates[4], {
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text: "one two\u2028😀" },
    });
    const last = updates[6];
    assert.ok(last?.sessionUpdate === "tool_call_update");
    assert.deepEqual([last.toolCallId, last.status], ["2", "failed"]);
  });
});
