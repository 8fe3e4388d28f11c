import { chosen } from "../lab/long.ts";
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import {
  agentProcesses,
  killExtensionHost,
  processesNaming,
  until,
} from "../e2e/agents.ts";
import { watchLab } from "../e2e/lab.ts";
import type { Reply } from "../lab/model/reply.ts";
import { Panel, type PanelAgent } from "./panel.ts";
import { pixel } from "./realAgent.ts";

/** What any real agent must do in the real panel. */
export function panelSuite(agent: PanelAgent): void {
  describe(`${agent.label} in the real panel`, function () {
    this.timeout(120_000);
    let opened: Panel | undefined;
    let panel: Panel;
    const inside = (name: string): string => path.join(panel.lab.folder, name);

    before(async () => {
      panel = opened = await Panel.open(agent);
    });
    watchLab(
      () => opened?.lab,
      async () => opened?.close(),
    );

    it("is found by `auto`, and one text turn reaches the model as typed", async () => {
      const { chat, model } = panel;
      await panel.turn("How is the build?", {
        text: ["The build ", "is **green**."],
      });
      await chat.answered("The build is green.");
      const answer = chat.messages("agent").last();
      assert.equal(await answer.locator("strong").innerText(), "green");
      const [first] = model.conversation();
      assert.equal(first?.userTexts.at(-1), "How is the build?");
    });

    it("acts as its mode says when the user switches it", async () => {
      const { chat } = panel;
      await panel.option("mode", agent.modes.edits);
      const file = inside("unasked.txt");
      await panel.turn("Just write.", agent.edit(file, "unasked\n"), {
        text: "Unasked.",
      });
      assert.equal(readFileSync(file, "utf8"), "unasked\n");
      assert.equal(await chat.part("permission").count(), 0);
      await panel.option("mode", agent.modes.asks);
    });

    it("edits a file once that is allowed, and not when it is rejected", async () => {
      const { chat, model } = panel;
      const file = inside("made.txt");
      model.script(agent.edit(file, "by a tool\n"), { text: "Written." });
      await panel.send("Make a file.");
      await chat.part("permission").waitFor();
      await chat.status("waiting").waitFor();
      assert.equal(existsSync(file), false);
      await panel.answer("allow_once");
      await chat.answered("Written.");
      await panel.ended("Make a file.");
      assert.equal(readFileSync(file, "utf8"), "by a tool\n");
      const other = inside("never-made.txt");
      model.script(agent.edit(other, "no\n"), { text: "Then not." });
      await panel.send("Make another.");
      await panel.answer("reject_once");
      await panel.ended("Make another.", agent.rejected);
      assert.equal(existsSync(other), false);
      model.drop();
    });

    it("runs a command once that is allowed, and not when it is rejected", async () => {
      const { chat, model } = panel;
      model.script(agent.run("echo ran > ran.txt"), { text: "It ran." });
      await panel.send("Run it.");
      await panel.answer("allow_once");
      await chat.answered("It ran.");
      await panel.ended("Run it.");
      assert.equal(readFileSync(inside("ran.txt"), "utf8"), "ran\n");
      model.script(agent.run("echo no > never.txt"));
      await panel.send("Run the other one.");
      await panel.answer("reject_once");
      await panel.ended("Run the other one.", agent.rejected);
      assert.equal(existsSync(inside("never.txt")), false);
      model.drop();
    });

    const { plan } = agent;
    if (plan !== undefined)
      it("shows a plan", async () => {
        await panel.turn("Plan it.", plan, { text: "Planned." });
        await panel.chat
          .messages("plan")
          .filter({ hasText: "First step" })
          .waitFor();
      });

    const { question } = agent;
    if (question !== undefined)
      it("asks a question with choices, and the model gets the answer", async () => {
        const { chat, model } = panel;
        model.script(question, { text: "Blue it is." });
        await panel.send("Ask me which.");
        const card = chat.part("elicitation");
        await card.getByRole("radio", { name: /^Blue/ }).click();
        await panel.lab.picture(`${agent.label} asks a question`);
        await chat.part("elicitation-accept").click();
        await chat.answered("Blue it is.");
        await panel.ended("Ask me which.");
        assert.match(panel.sent(), /Which colour\?.{1,20}Blue/u);
        await panel
          .batch("Ask me which.")
          .getByText("Answered", { exact: true })
          .waitFor();
      });

    it("I17: what is typed during a turn arrives at the model as one user turn, in order", async () => {
      const { chat, model } = panel;
      const calls = model.conversation().length;
      model.script({ text: ["Slow", "ly."], everyMs: 1_500 });
      await panel.send("Begin.");
      await chat.answered("Slow");
      for (const text of ["one thing", "another thing", "a third thing"])
        await panel.send(text);
      await panel.ended("a third thing");
      assert.equal(model.conversation().length, calls + 2);
      const texts = model.conversation().at(-1)?.userTexts.join("\n") ?? "";
      assert.match(
        texts,
        /index="1" from="alice">\none thing\n[\s\S]*index="2" from="alice">\nanother thing\n[\s\S]*index="3" from="alice">\na third thing\n/,
      );
    });

    it("I31: a queued message never answers a permission; Stop closes it, and the queue goes on", async () => {
      const { chat, model } = panel;
      model.script(agent.run("echo asked > asked.txt"));
      await panel.send("Ask me.");
      await chat.part("permission").waitFor();
      await panel.send("yes, allow it");
      await chat.queues("yes, allow it");
      assert.equal(existsSync(inside("asked.txt")), false);
      assert.equal(await chat.part("permission").count(), 1);
      await chat.part("stop").click();
      await panel.ended("Ask me.", "cancelled");
      await panel.ended("yes, allow it");
      assert.equal(await chat.part("permission").count(), 0);
      assert.equal(existsSync(inside("asked.txt")), false);
      assert.match(panel.sent(), /yes, allow it/);
    });

    it("stops in mid-stream, and goes on with the queue", async () => {
      const { chat, model } = panel;
      model.script({ text: ["One ", "two "], then: "hang" });
      await panel.send("Count.");
      await chat.answered("One two");
      await panel.send("Go on.");
      await chat.queues("Go on.");
      model.script({ text: "Gone on." });
      await chat.part("stop").click();
      await panel.ended("Count.", "cancelled");
      await chat.answered("Gone on.");
      await panel.ended("Go on.");
    });

    /** What still runs of a command after its turn was stopped: nothing, or what the chat names, until it is ended there. */
    const endsLeft = async (file: string): Promise<void> => {
      const { chat } = panel;
      const tails = (): readonly number[] =>
        processesNaming(`tail\0-f\0${file}`);
      if (!agent.endsTools) {
        const notice = chat
          .part("notice")
          .filter({ hasText: `tail -f ${file}` });
        await notice.waitFor();
        await panel.lab.picture(`${agent.label} left ${file} running`);
        assert.ok(tails().length > 0);
        await notice.getByRole("button", { name: "End it" }).click();
        await notice.waitFor({ state: "detached" });
      }
      await until(() => tails().length === 0);
    };

    it("I35: stops in the middle of a command: none of it is left, or the chat says what and ends it", async () => {
      const { chat, model } = panel;
      // Named apart: another agent's suite may run beside this one.
      const file = `begun-${agent.label.replaceAll(" ", "")}.txt`;
      model.script(agent.run(`touch ${file}; tail -f ${file}`));
      await panel.send("Take your time.");
      await panel.answer("allow_once");
      await until(() => processesNaming(`tail\0-f\0${file}`).length > 0);
      const call = panel.batch("Take your time.").getByTestId("tool-call");
      await chat.until(
        () => call.last().getAttribute("data-status"),
        (status) => status === "pending" || status === "in_progress",
      );
      const calls = model.conversation().length;
      await panel.send("Then this.");
      await chat.queues("Then this.");
      await chat.part("stop").click();
      await panel.ended("Take your time.", "cancelled");
      await panel.ended("Then this.");
      // The model heard nothing of the command before the stop.
      assert.equal(model.conversation().length, calls + 1);
      await chat.until(
        () => call.last().getAttribute("data-status"),
        (status) => status === "failed" || status === "interrupted",
      );
      await endsLeft(file);
    });

    const { background } = agent;
    if (background !== undefined)
      it("I35: stops after a command outlived its call: the chat says what and ends it", async () => {
        const { chat, model } = panel;
        model.script(background("touch left.txt; tail -f left.txt"), {
          text: ["Waiting."],
          then: "hang",
        });
        await panel.send("Leave it running.");
        await panel.answer("allow_once");
        await chat.answered("Waiting.");
        await chat.part("stop").click();
        await panel.ended("Leave it running.", "cancelled");
        await endsLeft("left.txt");
      });

    it("sends a pasted picture", async () => {
      const { chat } = panel;
      await chat.part("composer").evaluate((composer, data) => {
        const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(
          new File([bytes], "dot.png", { type: "image/png" }),
        );
        composer.dispatchEvent(
          new ClipboardEvent("paste", {
            clipboardData,
            bubbles: true,
            cancelable: true,
          }),
        );
      }, pixel);
      await chat.frame.getByText("dot.png").waitFor();
      await panel.turn("What is this?", { text: "A dot." });
      assert.ok(panel.sent().includes(pixel));
    });

    it("I24: a slash command goes alone and is the agent's to read", async () => {
      const { chat, model } = panel;
      const { name, says } = agent.slash;
      model.script({ text: ["Stead", "ily."], everyMs: 1_000 });
      await panel.send("Begin again.");
      await chat.answered("Stead");
      const calls = model.conversation().length;
      await panel.send(name);
      await panel.send("and what comes after");
      await panel.ended("and what comes after");
      const turn = panel.batch(name);
      assert.match(await turn.innerText(), says);
      assert.equal(await turn.locator('[data-role="user"]').count(), 1);
      // The agent answered the command itself: the one call is of what came after.
      assert.equal(model.conversation().length, calls + 1);
      const texts = model.conversation().at(-1)?.userTexts.join("\n") ?? "";
      assert.match(texts, /and what comes after/);
      assert.doesNotMatch(texts, /<message index/);
    });

    const errors: readonly (readonly [Reply, RegExp])[] = [
      [{ status: 400, message: "too odd" }, /too odd/],
      [{ status: 401, message: "bad key" }, /sign in|bad key/i],
      [
        { status: 429, message: "slow down" },
        /slow down|429|rate limit|usage limit/i,
      ],
      [{ status: 500, message: "broken" }, /500 broken|high demand/],
      [
        { status: 529, message: "overloaded" },
        /529 overloaded|high demand|unexpected status 529/i,
      ],
      [
        { text: ["Half "], then: "cut" },
        /dropped|disconnected|closed|connection|terminated/i,
      ],
    ];
    // The others are seen without a panel in every run.
    for (const [reply, says] of chosen(
      errors,
      ([{ status, then }]) =>
        status === 401 || status === 500 || then === "cut",
    ))
      it(`shows the model's failure for what it is, once, keeps the message, and retries: ${String(reply.status ?? reply.then)}`, async () => {
        const { chat, model } = panel;
        const text = `Try ${String(reply.status ?? reply.then)}.`;
        model.fallback = reply;
        await panel.send(text);
        const retry = chat.frame.getByRole("button", { name: /^Retry/ });
        await retry.last().waitFor();
        const shown = [
          ...(await chat.part("notice").allInnerTexts()),
          ...(await panel.batch(text).allInnerTexts()),
        ].join("\n");
        assert.match(shown, says);
        const { message = "" } = reply;
        if (message !== "")
          assert.ok(shown.split(message).length <= 2, `Once: ${shown}`);
        const kept = chat.messages("user").filter({ hasText: text });
        const waits = chat.item(text);
        assert.equal((await kept.count()) + (await waits.count()), 1);
        model.fallback = { text: `Better after ${text}` };
        await panel.retry(text, retry.last());
        await chat.answered(`Better after ${text}`);
        await panel.ended(text);
        assert.deepEqual(model.conversation().at(-1)?.userTexts.at(-1), text);
        model.fallback = { text: "Done." };
      });

    it("shows that a hung model is silent while the agent is alive; Stop works, and the message is kept", async () => {
      const { chat, model } = panel;
      model.script({ then: "hang" });
      await panel.send("Are you there?");
      await chat.status("busy").waitFor();
      await panel
        .batch("Are you there?")
        .getByText(/Silent for 3\d s/)
        .waitFor({ timeout: 60_000 });
      await panel
        .batch("Are you there?")
        .getByText(/is alive/)
        .waitFor();
      await chat.part("stop").click();
      await panel.ended("Are you there?", "cancelled");
      assert.equal(
        await chat
          .messages("user")
          .filter({ hasText: "Are you there?" })
          .count(),
        1,
      );
      model.script({ text: "Here again." });
      await panel
        .batch("Are you there?")
        .getByRole("button", { name: "Turn actions" })
        .click();
      await chat.frame.getByRole("menuitem", { name: "Continue" }).click();
      await chat.answered("Here again.");
    });

    it("I41: a reloaded window goes on; the model has every message once", async () => {
      const { model } = panel;
      await panel.turn("Remember the teapot.", { text: "Noted." });
      model.script({ text: ["Well, "], then: "hang" });
      await panel.send("Which colour was it?");
      await panel.chat.answered("Well,");
      const calls = model.conversation().length;
      await panel.reload();
      await panel.ended("Which colour was it?", "interrupted");
      await panel.turn("What was it?", { text: "A teapot." });
      panel.hasEachOnce(calls, "What was it?");
      for (const text of [
        "Remember the teapot.",
        "Which colour was it?",
        "What was it?",
      ])
        assert.equal(
          await panel.chat.messages("user").filter({ hasText: text }).count(),
          1,
          text,
        );
    });

    it("I1: after `kill -9` of the extension host in mid-turn the same session goes on with what it has not seen", async () => {
      const { model } = panel;
      model.script({ text: ["Half an "], then: "hang" });
      await panel.send("Think of the kettle.");
      await panel.chat.answered("Half an");
      const session = agent.session(model.conversation().at(-1)?.body ?? {});
      assert.ok(session !== undefined);
      const calls = model.conversation().length;
      killExtensionHost(panel.lab);
      await panel.reload();
      await panel.ended("Think of the kettle.", "interrupted");
      await panel.turn("And now?", { text: "Now then." });
      const { chat } = panel;
      const last = model.conversation().at(-1);
      assert.deepEqual(agent.session(last?.body ?? {}), session);
      panel.hasEachOnce(calls, "And now?");
      const foot = await panel
        .batch("And now?")
        .locator("footer")
        .textContent();
      assert.match(foot ?? "", /delta/);
      assert.doesNotMatch(foot ?? "", /memory rebuilt/);
      for (const text of ["Think of the kettle.", "And now?"])
        assert.equal(
          await chat.messages("user").filter({ hasText: text }).count(),
          1,
          text,
        );
      assert.equal(
        await chat.messages("agent").filter({ hasText: "Half an" }).count(),
        1,
      );
    });

    it("switches its model when the user does, in the request itself", async () => {
      const { model } = panel;
      const before = model.conversation().at(-1)?.body["model"];
      await panel.option("model", agent.otherModel);
      // An agent may shorten its memory for another model first: a call of its own, so nothing is scripted.
      await panel.turn("Who is it?");
      const now = String(model.conversation().at(-1)?.body["model"]);
      assert.notEqual(now, before);
      assert.ok(now.includes(agent.otherModel), now);
    });

    it("I35: leaves no process when its window has gone", async () => {
      assert.ok(agentProcesses(panel.lab.folder).length > 0);
      await panel.lab.closeWindow();
      await until(() => agentProcesses(panel.lab.folder).length === 0);
    });
  });
}
