import { writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as vscode from "vscode";
import type { TurnlineApi } from "../../../src/host/apiTypes.ts";

/** Others may say so much in a row before the user has to say something. */
const mostInARow = 10;

/** Sends message after message with the chat open, and tells the host's heap after each of the given numbers of turns. */
export async function run(): Promise<void> {
  const file = process.env["TURNLINE_FIGURE"] ?? "";
  const counts = (process.env["TURNLINE_TURNS"] ?? "").split(" ").map(Number);
  const extension =
    vscode.extensions.getExtension<TurnlineApi>("turnline.turnline");
  if (extension === undefined) throw new Error("Nothing to measure.");
  await useStampAgent();
  const api = await extension.activate();
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument({
      content: "A message as people type them",
    }),
  );
  const heaps: number[] = [];
  let turns = 0;
  for (const count of counts) {
    for (; turns < count; turns++)
      await over(api, () =>
        turns % mostInARow === 0 ? sayAsUser() : sayAsAnother(api),
      );
    heaps.push(await heapInUse());
  }
  writeFileSync(file, JSON.stringify(heaps));
}

/** Says something; settles when its turn is over. */
async function over(
  api: TurnlineApi,
  say: () => PromiseLike<unknown>,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let began = false;
  const stop = api.onDidChangeThread(({ turn: running, queued }) => {
    began ||= running?.sent === true;
    if (began && running === null && queued === 0) resolve(undefined);
  });
  await say();
  await promise;
  stop.dispose();
}

/** Opens the chat, if it is not, and sends what is selected in its thread. */
function sayAsUser(): PromiseLike<unknown> {
  return vscode.commands.executeCommand("turnline.explainSelection");
}

async function sayAsAnother(api: TurnlineApi): Promise<void> {
  const [thread] = api.threads();
  if (thread === undefined) throw new Error("There is no thread.");
  const sender = { kind: "agent", id: "acme.bench", name: "Bench" } as const;
  const { id } = thread;
  const said = await api.submit({
    ...{ thread: id, text: "A message as people type them" },
    ...{ sender, mentions: [id] },
  });
  if (!said.ok) throw new Error(said.detail);
}

/** What is left when collecting again frees nothing more. */
async function heapInUse(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  let least = Number.POSITIVE_INFINITY;
  for (let idle = 0; idle < 5; idle++) {
    gc();
    await setImmediate();
    const { heapUsed } = process.memoryUsage();
    if (heapUsed < least) idle = 0;
    least = Math.min(least, heapUsed);
  }
  return least;
}

async function useStampAgent(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("turnline");
  const global = vscode.ConfigurationTarget.Global;
  const args = [process.env["TURNLINE_AGENT"] ?? ""];
  const stamp = { label: "Stamp", command: process.execPath, args };
  await settings.update("agents", { stamp }, global);
  await settings.update("defaultAgent", "stamp", global);
}
