import assert from "node:assert/strict";
import { agentProcesses, faultAgent } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

interface Case {
  readonly agent: string;
  /** What the message in the chat names as the cause. */
  readonly cause: RegExp;
}

const cases: readonly Case[] = [
  { agent: "Nobody", cause: /no-such-agent-command/ },
  { agent: "Quitter", cause: /exit(ed)?.*(code )?3|code 3/i },
  { agent: "Sleeper", cause: /did not answer|no answer/i },
  { agent: "Babbler", cause: /does not speak ACP/ },
  { agent: "muddled", cause: /"muddled" in turnline\.agents.*args\.0/s },
];

describe("agents that do not start", function () {
  this.timeout(180_000);
  const lab = withLab({
    settings: {
      "turnline.agents": {
        nobody: { label: "Nobody", command: "no-such-agent-command" },
        quitter: faultAgent("Quitter", [
          "--initialize=exit,3",
          "--stderr=no+licence",
        ]),
        sleeper: faultAgent("Sleeper", ["--initialize=never"]),
        babbler: faultAgent("Babbler", ["--initialize=garbage"]),
        muddled: { label: "Muddled", command: "node", args: [1] },
      },
      "turnline.agent.startTimeoutSeconds": 3,
      "turnline.defaultAgent": "unknown-id",
    },
  });
  let chat: Chat;

  before(async () => {
    chat = new Chat(await lab().chat());
  });

  it("names an agent id that is unknown", async () => {
    await chat.send("hello");
    await offers(chat, /unknown-id/);
  });

  for (const { agent, cause } of cases)
    it(`names the cause when ${agent} fails, and offers a way out`, async () => {
      await lab().command("Turnline: New Thread");
      await chat.focused();
      await lab().command("Turnline: Choose Agent");
      await lab()
        .page.locator(".quick-input-list .monaco-list-row")
        .filter({ hasText: agent })
        .click();
      await chat.part("agent-status").filter({ hasText: agent }).waitFor();
      await chat.send(`hello ${agent}`);
      await offers(chat, cause);
      assert.equal(
        await chat.part("queue-item").count(),
        1,
        "the message is kept, at the head of the queue",
      );
    });

  it("leaves no process behind", () => {
    assert.deepEqual(agentProcesses(lab().folder), []);
  });

  it("goes on with another agent from the notice itself", async () => {
    await chat.frame.getByRole("button", { name: /another agent/i }).click();
    await lab()
      .page.locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: "Built-in" })
      .click();
    await chat.answered(/not a language model|help/i);
  });
});

async function offers(chat: Chat, cause: RegExp): Promise<void> {
  const notice = chat.part("notice").filter({ hasText: cause });
  await notice.first().waitFor({ timeout: 30_000 });
  for (const name of [/retry/i, /another agent/i, /log/i])
    await notice.first().getByRole("button", { name }).waitFor();
  await chat.status("failed").waitFor();
}
