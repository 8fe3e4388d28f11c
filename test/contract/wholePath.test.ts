import assert from "node:assert/strict";
import { isAlive } from "./builtinAgentHarness.ts";
import { Path } from "./wholePathWorld.ts";

describe("the whole path, over real stdio and on a real disk", function () {
  this.timeout(30_000);

  it("I17: three messages make two turns, the second carrying two, in order and attributed", async () => {
    const way = await Path.open();
    await way.say("do:late=300 check the build");
    await way.say("actually wait");
    await way.say("check the build and run e2e");
    await way.status("busy");
    await way.status("ready");
    await way.until(() => way.prompts().length === 2);
    const [first, second = ""] = way.prompts();
    assert.equal(first, "do:late=300 check the build");
    assert.match(
      second,
      /<message index="1" from="alice">\nactually wait\n<\/message>[^]*<message index="2" from="alice">\ncheck the build and run e2e/u,
    );
    await way.close();
  });

  it("I28: what comes after the end goes to the ended batch, marked late", async () => {
    const way = await Path.open();
    await way.say("do:say=done do:after=1000 do:tool=late,1200");
    await way.shown("after the end");
    await way.until(() =>
      way.changes.some(
        (change) =>
          change.kind === "message" &&
          change.message.body.kind === "toolResult",
      ),
    );
    await way.say("do:say=new");
    await way.shown("new");
    await way.status("ready");
    const rows = await way.transcript();
    const kinds = rows.map((row) => row.replace(/tool-\d+-/u, ""));
    assert.deepEqual(kinds, [
      "user do:say=done do:after=1000 do:tool=late,1200",
      "start full",
      "agent done",
      "call 1 in_progress",
      "end end_turn",
      "agent late after the end",
      "result late 1 completed",
      "user do:say=new",
      "start delta",
      "agent new",
      "end end_turn",
    ]);
    await way.close();
  });

  it("I31: a permission is answered by the user alone; a cancel answers it `cancelled`", async () => {
    const way = await Path.open();
    await way.say("do:permission");
    await way.status("waiting");
    await way.say("yes");
    const [asked] = way.engine.snapshot(way.thread)?.permissions ?? [];
    assert.equal(asked?.title, "Remove everything");
    await way.engine.cancel(way.thread);
    await way.until(() => way.prompts().length === 2);
    await way.status("ready");
    const rows = await way.transcript();
    assert.ok(rows.some((row) => /^permission tool-\d+-1 null$/u.test(row)));
    assert.ok(rows.includes("end cancelled"));
    await way.close();
  });

  it("I29 I30: an agent that ignores a cancel is ended after its grace; the queue goes on in a new process", async () => {
    const way = await Path.open({ haste: 20 });
    await way.say("do:say=working do:deaf");
    await way.shown("working");
    await way.say("next");
    await way.engine.cancel(way.thread);
    await way.shown("echo: next");
    await way.status("ready");
    assert.ok((await way.transcript()).includes("end cancelled"));
    assert.equal(await way.state("do:say=working do:deaf"), "delivered");
    assert.equal(way.heard("session/resume").length, 1);
    await way.close();
  });

  it("I34: a stopped agent is recovered, its session resumed, and pending messages go on", async () => {
    const way = await Path.open({ haste: 20 });
    await way.say("hello");
    await way.status("ready");
    await way.say("do:stop");
    await way.say("next");
    await way.status("stuck");
    await way.shown("echo: next");
    await way.status("ready");
    assert.equal(await way.state("do:stop"), "uncertain");
    assert.ok((await way.transcript()).includes("end stuck"));
    await way.close();
  });

  it("I34: also one that stops at the very first prompt of its life", async () => {
    const way = await Path.open({ haste: 20 });
    await way.say("do:stop");
    await way.say("next");
    await way.status("stuck");
    await way.shown("echo: next");
    await way.status("ready");
    assert.equal(await way.state("do:stop"), "uncertain");
    await way.close();
  });

  it("I32: an agent that is silent but answers probes is left alone", async () => {
    const way = await Path.open({ haste: 50 });
    await way.say("hello");
    await way.status("ready");
    await way.say("do:say=begun do:late=2000 do:say=ended");
    await way.shown("ended");
    await way.status("ready");
    assert.equal(
      await way.state("do:say=begun do:late=2000 do:say=ended"),
      "delivered",
    );
    await way.close();
  });

  for (const [words, state] of [
    ["do:die", "uncertain"],
    ["do:say=half do:die", "seenAborted"],
    ["do:say=half do:closeout", "seenAborted"],
  ] as const)
    it(`I35: "${words}" settles the turn: ${state}; the next message resumes`, async () => {
      const way = await Path.open();
      await way.say(words);
      await way.status("none");
      assert.equal(await way.state(words), state);
      await way.say("again");
      await way.shown("echo: again");
      await way.status("ready");
      assert.equal(way.heard("session/resume").length, 1);
      await way.close();
    });

  it("I25: an agent that wants a sign-in leaves its message at the head, held", async () => {
    const way = await Path.open();
    await way.say("do:signin");
    await way.until(
      () => way.engine.snapshot(way.thread)?.queue.held === "signIn",
    );
    assert.equal(await way.state("do:signin"), "queued");
    await way.close();
  });

  it("I35: a tool that outlives its turn does not outlive the engine", async () => {
    const way = await Path.open();
    await way.say("do:child=60");
    await way.shown("child");
    await way.status("ready");
    const [, pid] =
      /child (\d+)/u.exec((await way.transcript()).join("\n")) ?? [];
    assert.ok(await isAlive(Number(pid)), "it outlives its turn");
    await way.close();
    assert.ok(!(await isAlive(Number(pid))));
  });

  it("goes on after a restart with the delta alone; what was queued waits for a click", async () => {
    const way = await Path.open();
    await way.say("first");
    await way.status("busy");
    await way.status("ready");
    await way.say("do:say=begun do:silent");
    await way.shown("begun");
    await way.say("queued");
    const next = await way.reopen();
    assert.equal(await next.state("do:say=begun do:silent"), "seenAborted");
    assert.equal(next.engine.snapshot(next.thread)?.queue.held, "restored");
    await next.engine.resume(next.thread);
    await next.shown("echo: queued");
    await next.status("ready");
    assert.equal(next.prompts().at(-1), "queued");
    assert.equal(next.heard("session/resume").length, 1);
    await next.close();
  });

  it("streams without a commit per chunk, and shows text without waiting for one", async () => {
    const way = await Path.open();
    await way.say("do:chunks=400,1");
    await way.shown("chunk 399");
    await way.status("ready");
    const texts = way.changes.filter(({ kind }) => kind === "text").length;
    const rows = (await way.transcript()).filter((row) =>
      row.startsWith("agent"),
    );
    assert.ok(texts > 100, `${texts} pieces were shown`);
    assert.equal(rows.length, 1);
    await way.close();
  });

  it("an agent that names its sessions is told what the user called the thread; one that doesn't is not", async () => {
    for (const [flags, told] of [
      [[], 1],
      [["--plain"], 0],
    ] as const) {
      const way = await Path.open({ flags });
      await way.say("do:say=one");
      await way.status("busy");
      await way.status("ready");
      assert.ok((await way.engine.rename(way.thread, "Mine")).ok);
      await way.say("do:say=two");
      await way.shown("two");
      const named = way.heard("session/set_title");
      assert.equal(named.length, told);
      assert.ok(named.every(({ params }) => params["title"] === "Mine"));
      await way.close();
    }
  });
});
