import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { TurnlineApi } from "../../src/host/apiTypes.ts";

interface Manifest {
  readonly contributes: {
    readonly commands: readonly {
      command: string;
      title: string;
      category?: string;
    }[];
    readonly menus: Readonly<Record<string, readonly { command?: string }[]>>;
  };
}

const aboutTheQueue = [
  "hold",
  "resume",
  "cancel",
  "cancelAll",
  "restoreRemoved",
  "sendNow",
  "sendQueuedNow",
  "editQueued",
  "removeQueued",
  "moveQueuedUp",
  "moveQueuedDown",
  "toggleSeparate",
  "resetSession",
  "retryTurn",
  "continueTurn",
  "discardTurn",
];

/** Ask nothing of the user where there is nothing to choose from. */
const aboutTurns = [
  "forkTurn",
  "agentOptions",
  "switchMode",
  "switchModel",
  "deleteSecret",
];

describe("commands", () => {
  let manifest: Manifest;
  let api: TurnlineApi;

  before(async () => {
    const extension =
      vscode.extensions.getExtension<TurnlineApi>("turnline.turnline");
    assert.ok(extension);
    api = await extension.activate();
    manifest = extension.packageJSON as Manifest;
  });

  it("each that is offered is there, under a title that names Turnline", async () => {
    const there = new Set(await vscode.commands.getCommands(true));
    for (const one of manifest.contributes.commands) {
      assert.ok(there.has(one.command), one.command);
      // The palette joins them as "Turnline: Open Chat"; a menu shows the title alone.
      assert.equal(one.category, "Turnline");
      assert.match(one.title, /^[A-Z](?!.*Turnline: )/);
    }
    for (const item of Object.values(manifest.contributes.menus).flat())
      if (item.command !== undefined)
        assert.ok(there.has(item.command), item.command);
  });

  const answer = async (): Promise<void> => {
    for (const name of aboutTheQueue)
      assert.equal(
        await vscode.commands.executeCommand(`turnline.${name}`),
        true,
        name,
      );
  };

  it("each answers where there is no thread", answer);

  it("those with nothing to choose from answer", async () => {
    for (const name of aboutTurns)
      assert.equal(
        await vscode.commands.executeCommand(`turnline.${name}`),
        true,
        name,
      );
  });

  it("each answers where nothing is queued and nothing runs", async () => {
    const made = await api.createThread({ agent: "builtin" });
    assert.ok(made.ok);
    await answer();
  });
});
