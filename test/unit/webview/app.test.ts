import assert from "node:assert/strict";
import {
  agent,
  base,
  message,
  queued,
  user,
} from "../../fixtures/webviewDev/make.ts";
import { open, texts } from "./appWorld.ts";

const items = [queued("q1", "one"), queued("q2", "two"), queued("q3", "three")];
const waiting = { ...base, queue: items };

describe("The view as a whole", () => {
  it("sends what was typed and shows it when the host has it", async () => {
    const world = open(base);
    world.app.drafts.type("hello");
    const done = world.app.drafts.submit("next");
    assert.equal(world.app.drafts.draft.value.text, "");
    await done;
    assert.deepEqual(texts(world), ["hello"]);
    const [sent] = world.heard("submit");
    assert.ok(sent?.type === "submit" && sent.requestId === "new1");
  });

  it("sends nothing that is empty", async () => {
    const world = open(base);
    world.app.drafts.type("  \n");
    await world.app.drafts.submit("next");
    assert.deepEqual(world.heard("submit"), []);
  });

  it("I6: keeps a text that was not accepted in the composer, in front of what was typed since", async () => {
    const { app, host } = open(base);
    host.refuse = new Set(["submit"]);
    app.drafts.type("hello");
    const done = app.drafts.submit("next");
    app.drafts.type("more");
    await done;
    assert.equal(app.drafts.draft.value.text, "hello\n\nmore");
    assert.match(app.trouble.value ?? "", /disk is full.*kept/);
  });

  it("sends a refused text again under the same request id", async () => {
    const { app, host, heard } = open(base);
    host.refuse = new Set(["submit"]);
    app.drafts.type("hello");
    await app.drafts.submit("next");
    host.refuse = new Set();
    await app.drafts.submit("next");
    const ids = heard("submit").map(
      (one) => one.type === "submit" && one.requestId,
    );
    assert.deepEqual(ids, ["new1", "new1"]);
  });

  it("I46: a draft, a fold and an edit come back in the next life", async () => {
    const first = open(waiting);
    first.app.drafts.type("half a thought");
    first.app.keeper.fold("m1.1", true);
    await first.app.queue.beginEdit("q2");
    first.app.queue.setEdit({ thread: "t1", id: "q2", text: "two, edited" });
    const second = open(waiting, first.saved());
    assert.equal(second.app.drafts.draft.value.text, "half a thought");
    assert.equal(second.app.keeper.isOpen("m1.1", false), true);
    assert.equal(second.app.queue.edit.value?.text, "two, edited");
    assert.equal(second.heard("editBegin").length, 1);
  });

  it("I46: what hangs on a draft comes back with it, in the view's next life and on a switch of threads", async () => {
    const file = { kind: "file", uri: "file:///a", name: "a.ts" } as const;
    const first = open(base);
    first.host.answers = {
      takeUris: { kind: "attachments", attachments: [file] },
    };
    await first.app.hung.addUris(["file:///a"]);
    first.app.drafts.type("with a file");
    const kept = first.saved();
    const told = first.heard("draft").at(-1);
    assert.ok(told?.type === "draft");
    assert.deepEqual(told.attachments, [file]);
    assert.deepEqual(open(base, kept).app.drafts.attachments.value, [file]);
    const other = base.thread === null ? null : { ...base.thread, id: "t2" };
    first.host.change((state) => ({ ...state, thread: other }));
    assert.deepEqual(first.app.drafts.attachments.value, []);
    first.host.change((state) => ({ ...state, thread: base.thread }));
    assert.deepEqual(first.app.drafts.attachments.value, [file]);
    assert.equal(first.app.drafts.draft.value.text, "with a file");
  });

  it("I46: tells the host of a draft before another thread takes its place", () => {
    const { app, host, heard } = open(base);
    app.drafts.type("half a thought");
    assert.deepEqual(heard("draft"), []);
    const other = base.thread === null ? null : { ...base.thread, id: "t2" };
    host.change((state) => ({ ...state, thread: other }));
    const [told] = heard("draft");
    assert.ok(told?.type === "draft");
    assert.deepEqual([told.thread, told.text], ["t1", "half a thought"]);
  });

  it("says why a file was not attached, and takes the others", async () => {
    const { app, host, heard } = open(base);
    const one = { kind: "file", uri: "file:///a", name: "a.ts" } as const;
    host.answers = { keepBytes: { kind: "attachments", attachments: [one] } };
    const large = new File([], "film.mov");
    Object.defineProperty(large, "size", { value: 21_000_000 });
    await app.hung.addFiles([large, new File(["x"], "a.ts")]);
    assert.match(app.trouble.value ?? "", /film\.mov.*larger than 20 MB/);
    assert.deepEqual(app.drafts.attachments.value, [one]);
    host.refuse = new Set(["keepBytes"]);
    await app.hung.addFiles([new File(["x"], "b.zip")]);
    assert.match(app.trouble.value ?? "", /disk is full/);
    assert.equal(heard("keepBytes").length, 2);
  });

  it("keeps what hangs on a queued message that is edited, but for what was taken off", async () => {
    const file = { kind: "file", uri: "file:///a", name: "a.ts" } as const;
    const item = queued("q1", "one", { attachments: [file, file, file] });
    const { app, heard } = open({ ...base, queue: [item] });
    await app.queue.beginEdit("q1");
    app.queue.drop(1);
    await app.queue.saveEdit();
    const [saved] = heard("editSave");
    assert.ok(saved?.type === "editSave");
    assert.deepEqual(saved.kept, [0, 2]);
  });

  it("shows a refusal of whatever is asked for, and says Copied only when it is so", async () => {
    const { app, host } = open(base);
    host.refuse = new Set(["copy"]);
    await app.copy("x");
    assert.match(app.trouble.value ?? "", /disk is full/);
    assert.equal(app.live.polite.value, "");
  });

  it("goes back with Up beyond what is in sight", async () => {
    const { app, host } = open({
      ...base,
      messages: [message(1, 0, user("two"))],
      more: { before: true, after: false },
    });
    host.answers = { said: { kind: "said", texts: ["one"], before: null } };
    assert.equal(app.said.step("", 1), "two");
    await new Promise<void>((done) => setImmediate(done));
    assert.equal(app.said.step("two", 1), "one");
    assert.equal(app.said.step("one", 1), undefined);
    assert.equal(app.said.step("one", -1), "two");
    assert.equal(app.said.step("something else", 1), undefined);
  });

  it("I46: a message that was on its way is neither lost nor repeated", () => {
    const first = open(base);
    first.host.receive = () => undefined;
    first.app.drafts.type("on its way");
    void first.app.drafts.submit("next");
    const kept = first.saved();
    const accepted = open(
      { ...base, queue: [queued("new1", "on its way")] },
      kept,
    );
    assert.equal(accepted.app.drafts.draft.value.text, "");
    const lost = open(base, kept);
    assert.equal(lost.app.drafts.draft.value.text, "on its way");
    assert.equal(lost.app.drafts.draft.value.requestId, "new1");
  });

  it("edits in place", async () => {
    const world = open(waiting);
    await world.app.queue.beginEdit("q2");
    world.app.queue.setEdit({ thread: "t1", id: "q2", text: "2" });
    await world.app.queue.saveEdit();
    assert.deepEqual(texts(world), ["one", "2", "three"]);
    assert.equal(world.app.queue.edit.value, undefined);
  });

  it("saves an edit as two messages with one request", async () => {
    const { app, heard } = open(waiting);
    await app.queue.beginEdit("q2");
    app.queue.setEdit({ thread: "t1", id: "q2", text: "one two" });
    await app.queue.split(7);
    assert.deepEqual(heard("editSave"), []);
    await app.queue.split(3);
    assert.deepEqual(heard("editSave"), [
      {
        ...{ type: "editSave", thread: "t1", id: "q2", text: "one two" },
        ...{ kept: [], split: { offset: 3, newId: "new1" } },
      },
    ]);
  });

  it("an edit that is not taken stays open with its words", async () => {
    const { app, host } = open(waiting);
    await app.queue.beginEdit("q2");
    app.queue.setEdit({ thread: "t1", id: "q2", text: "2" });
    host.refuse = new Set(["editSave"]);
    await app.queue.saveEdit();
    assert.equal(app.queue.edit.value?.text, "2");
    assert.equal(app.trouble.value, "The disk is full.");
  });

  it("keeps the words of an edit whose message was taken meanwhile", async () => {
    const { app, host } = open(waiting);
    await app.queue.beginEdit("q1");
    app.queue.setEdit({ thread: "t1", id: "q1", text: "one, edited" });
    host.change((state) => ({ ...state, queue: state.queue.slice(1) }));
    assert.equal(app.queue.edit.value, undefined);
    assert.equal(app.drafts.draft.value.text, "one, edited");
  });

  it("removes with undo, and clears with restore", async () => {
    const world = open(waiting);
    await world.app.queue.remove("q2");
    assert.deepEqual(texts(world), ["one", "three"]);
    assert.deepEqual(world.app.queue.removed.value, {
      ids: ["q2"],
      before: "q3",
    });
    await world.app.queue.restore(["q2"]);
    assert.deepEqual(texts(world), ["one", "two", "three"]);
    await world.app.queue.cancelAll();
    assert.deepEqual(texts(world), []);
    await world.app.queue.restore(["q1", "q2", "q3"]);
    assert.deepEqual(texts(world), ["one", "two", "three"]);
  });

  it("takes a removal back from sight when it is refused", async () => {
    const { app, host } = open(waiting);
    host.refuse = new Set(["remove"]);
    await app.queue.remove("q2");
    assert.equal(app.queue.removed.value, undefined);
    assert.equal(app.trouble.value, "The disk is full.");
  });

  it("tells only the message that grew", () => {
    const state = {
      ...base,
      messages: [message(1, 0, agent("a")), message(2, 0, agent("b", true))],
    };
    const { app, host } = open(state);
    const groups = app.store.groups.value;
    let told = 0;
    const stop = app.store.message("m1.0")?.subscribe(() => told++);
    host.change((now) => ({
      ...now,
      messages: now.messages.with(1, message(2, 0, agent("b!", true))),
    }));
    assert.equal(told, 1);
    assert.equal(app.store.groups.value, groups);
    assert.deepEqual(app.store.message("m2.0")?.value.body, agent("b!", true));
    stop?.();
  });

  it("asks again after a gap and goes on", () => {
    const { app, host, heard } = open(base);
    host.post({ type: "delta", instance: "dev", n: 7, ops: [] });
    assert.equal(heard("ready").length, 2);
    host.change((state) => ({ ...state, readOnly: "x" }));
    assert.equal(app.store.is.readOnly.value, "x");
  });
});
