import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import * as vscode from "vscode";
import type { TurnlineApi } from "../../src/host/apiTypes.ts";

interface Manifest {
  readonly contributes: { readonly commands: readonly { command: string }[] };
}

/** VS Code refuses to ask modally while it runs a suite: these are run by `test/e2e`. */
const askModally = ["turnline.deleteWorkspaceData", "turnline.deleteAllData"];

/** Runs a command and closes whatever it asks with; answers as the command does. */
async function ran(command: string): Promise<unknown> {
  const waits = {};
  const answer = Promise.resolve(vscode.commands.executeCommand(command)).catch(
    (error: unknown) => error,
  );
  for (let tries = 0; tries < 200; tries++) {
    const now = await Promise.race([answer, sleep(100, waits)]);
    if (now !== waits) return now;
    await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
  }
  return "it never answered";
}

/** What did not go well. */
async function runEach(): Promise<readonly string[]> {
  const extension =
    vscode.extensions.getExtension<TurnlineApi>("turnline.turnline");
  const { commands } = (extension?.packageJSON as Manifest).contributes;
  assert.ok(commands.length > 50);
  const wrong: string[] = [];
  for (const { command } of commands) {
    if (askModally.includes(command)) continue;
    const answer = await ran(command);
    if (answer !== true) wrong.push(`${command}: ${String(answer)}`);
  }
  return wrong;
}

describe(`every command, ${process.env["TURNLINE_SITUATION"] ?? "in a folder"}`, function () {
  this.timeout(240_000);
  let api: TurnlineApi;

  before(async () => {
    const extension =
      vscode.extensions.getExtension<TurnlineApi>("turnline.turnline");
    assert.ok(extension);
    api = await extension.activate();
  });

  it("answers with no thread", async () => {
    assert.deepEqual(await runEach(), []);
  });

  it("answers with a thread", async () => {
    const made = await api.createThread({ agent: "builtin" });
    assert.ok(made.ok);
    assert.deepEqual(await runEach(), []);
  });
});
