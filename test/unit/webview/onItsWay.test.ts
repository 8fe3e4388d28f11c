import assert from "node:assert/strict";
import { base, message, queued, user } from "../../fixtures/webviewDev/make.ts";
import { open, texts } from "./appWorld.ts";

describe("What is on its way", () => {
  it("a message waits for what is to hang on it", async () => {
    const { app, host, heard } = open(base);
    const file = { kind: "file", uri: "file:///a", name: "a.ts" } as const;
    const answer = Promise.withResolvers<undefined>();
    host.answers = { takeUris: { kind: "attachments", attachments: [file] } };
    host.slow = { takeUris: answer.promise };
    app.drafts.type("with a file");
    const taken = app.hung.addUris(["file:///a"]);
    const sent = [app.drafts.submit("next"), app.drafts.submit("next")];
    assert.deepEqual(app.drafts.waiting.value, ["t1"]);
    assert.equal(app.drafts.draft.value.text, "with a file");
    answer.resolve(undefined);
    await Promise.all([taken, ...sent]);
    const told = heard("submit");
    assert.equal(told.length, 1);
    assert.ok(told[0]?.type === "submit");
    assert.deepEqual(told[0].attachments, [file]);
    assert.equal(app.drafts.draft.value.text, "");
    assert.deepEqual(app.drafts.waiting.value, []);
  });

  it("a message is not sent without what could not be attached", async () => {
    const { app, host, heard } = open(base);
    host.refuse = new Set(["takeUris"]);
    app.drafts.type("with a file");
    void app.hung.addUris(["file:///a"]);
    await app.drafts.submit("next");
    assert.deepEqual(heard("submit"), []);
    assert.equal(app.drafts.draft.value.text, "with a file");
    assert.match(app.trouble.value ?? "", /disk is full/);
    await app.drafts.submit("next");
    assert.equal(heard("submit").length, 1);
  });

  it("what is attached belongs to the thread it was dropped on, and goes with the message sent there", async () => {
    const { app, host, heard } = open(base);
    const file = { kind: "file", uri: "file:///a", name: "a.ts" } as const;
    const other = base.thread === null ? null : { ...base.thread, id: "t2" };
    const show = (thread: typeof other): void =>
      host.change((state) => ({ ...state, thread }));
    host.answers = { takeUris: { kind: "attachments", attachments: [file] } };
    for (const sends of [false, true]) {
      const answer = Promise.withResolvers<undefined>();
      host.slow = { takeUris: answer.promise };
      app.drafts.type("of the first");
      const taken = app.hung.addUris(["file:///a"]);
      const sent = sends ? app.drafts.submit("next") : undefined;
      show(other);
      answer.resolve(undefined);
      await Promise.all([taken, sent]);
      assert.deepEqual(app.drafts.attachments.value, []);
      assert.equal(app.drafts.draft.value.text, "");
      show(base.thread);
      assert.equal(app.drafts.draft.value.text, sends ? "" : "of the first");
      assert.equal(app.drafts.attachments.value.length, sends ? 0 : 1);
    }
    const [told] = heard("submit");
    assert.ok(told?.type === "submit");
    assert.equal(told.thread, "t1");
    assert.deepEqual(told.attachments, [file, file]);
  });

  it("I2: nothing is shown of a message before the host has it", async () => {
    const world = open(base);
    const answer = Promise.withResolvers<undefined>();
    world.host.slow = { submit: answer.promise };
    world.app.drafts.type("hello");
    const done = world.app.drafts.submit("next");
    assert.deepEqual(texts(world), []);
    assert.deepEqual(world.app.store.groups.value, []);
    answer.resolve(undefined);
    await done;
    assert.deepEqual(texts(world), ["hello"]);
  });

  it("I27: what was stopped before it was sent can be restored, whoever stopped it", async () => {
    const going = message(1, 0, user("go"), { state: "claimed" });
    const world = open({ ...base, messages: [going] });
    world.host.change((state) => ({ ...state, messages: [] }));
    const removed = { ids: ["m1.0"], before: null, unsent: true };
    assert.deepEqual(world.app.queue.removed.value, removed);
    await world.app.queue.restore(["m1.0"]);
    assert.deepEqual(world.heard("restore"), [
      { type: "restore", thread: "t1", ids: ["m1.0"] },
    ]);
    assert.equal(world.app.queue.removed.value, undefined);
  });

  it("I27: what went back to the queue, or was sent after all, needs no restoring", () => {
    const going = message(1, 0, user("go"), { state: "claimed" });
    const back = open({ ...base, messages: [going] });
    back.host.change((state) => ({
      ...state,
      messages: [],
      queue: [queued("m1.0", "go")],
    }));
    assert.equal(back.app.queue.removed.value, undefined);
    const sent = open({ ...base, messages: [going] });
    sent.host.change((state) => ({
      ...state,
      messages: [{ ...going, state: "sent" }],
    }));
    assert.equal(sent.app.queue.removed.value, undefined);
  });
});
