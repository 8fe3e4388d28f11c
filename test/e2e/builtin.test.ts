import assert from "node:assert/strict";
import { agentProcesses } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";

describe("the built-in agent, with no account", function () {
  this.timeout(120_000);
  const lab = withLab({ settings: { "turnline.defaultAgent": "builtin" } });
  let chat: Chat;

  before(async () => {
    chat = new Chat(await lab().chat());
  });

  it("answers what is in this workspace", async () => {
    await chat.send("what is in this workspace?");
    await chat.answered(/corner-shop|Corner shop/);
    await chat.ended(1);
    assert.equal(agentProcesses(lab().folder).length, 1);
  });

  it("reads a file by its slash command", async () => {
    await chat.send("/read src/cart.ts");
    await chat.answered(/export function total/);
    await chat.ended(2);
  });

  it("has its history back after the window is reloaded, each message once", async () => {
    await lab().reload();
    chat = new Chat(await lab().chat());
    await chat.ended(2);
    const said = await chat.messages("user").allInnerTexts();
    assert.equal(
      said.filter((text) => text.includes("what is in this workspace?")).length,
      1,
    );
    assert.equal(said.length, 2);
    await chat.send("find checkout");
    await chat.answered(/src\/checkout\.ts/);
    await chat.ended(3);
  });
});
