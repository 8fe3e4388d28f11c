import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { StringDecoder } from "node:string_decoder";
import type {
  Asker,
  Denied,
  Granted,
  Terminal,
  TerminalExit,
  TerminalPort,
  TerminalRequest,
} from "../core/agentFeatures.ts";
import type { Log } from "../core/ports.ts";
import { spawnCommand, type SpawnCommand } from "./command.ts";
import { endTree } from "./endTree.ts";
import { agentEnvironment, type Environment } from "./environment.ts";
import { isFile, isFolder, isWithin } from "./fileKinds.ts";
import { OutputTail } from "./outputTail.ts";
import { startTimeOf } from "./processTable.ts";

export interface TerminalsOptions {
  readonly log: Log;
  readonly inherit?: readonly string[];
  readonly graceMs?: number;
  /** Where commands are looked for; empty for where the host looks. */
  readonly searchPath?: () => string;
}

const defaultOutputLimit = 1024 * 1024;
/** What a command started may hold its pipes open for ever. */
const drainMs = 250;

/** Terminals as plain child processes: no terminal is emulated, so nothing they print can act as one. */
export function createTerminals(options: TerminalsOptions): TerminalPort {
  return {
    create: (asker, request, run) => start(asker, request, run, options),
  };
}

async function start(
  asker: Asker,
  request: TerminalRequest,
  run: string,
  { log, inherit = [], graceMs = 1_000, searchPath }: TerminalsOptions,
): Promise<Granted<Terminal>> {
  const path = searchPath?.() ?? "";
  const folder = request.folder ?? asker.folders[0] ?? ".";
  if (!isFolder(folder))
    return failed("notFound", `There is no folder ${folder}`);
  if (!isWithin(folder, asker.folders))
    return failed(
      "denied",
      `The folder ${folder} is outside of the folders of this conversation`,
    );
  const host = { ...process.env, ...(path === "" ? {} : { PATH: path }) };
  const env = agentEnvironment(host, request.env, run, inherit);
  const command = shellOrCommand(request, env, folder);
  const child = spawn(command.file, command.args, {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    windowsHide: true,
    windowsVerbatimArguments: command.verbatim,
  });
  const error = await new Promise<Error | undefined>((resolve) => {
    child.once("spawn", () => resolve(undefined));
    child.once("error", resolve);
  });
  const { pid } = child;
  if (error !== undefined || pid === undefined)
    return failed("failed", error?.message ?? "It could not be started");
  log.info("terminal.started", { agent: asker.agent, pid });

  const tail = new OutputTail(request.outputLimit ?? defaultOutputLimit);
  const listeners: (() => void)[] = [];
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder("utf8");
    stream.on("data", (piece: Buffer) => {
      tail.push(decoder.write(piece));
      changed();
    });
    stream.on("error", () => undefined);
  }
  child.on("error", (late) =>
    log.debug("terminal.error", { error: late.message }),
  );
  let exit: TerminalExit | undefined;
  const exited = new Promise<TerminalExit>((resolve) => {
    const done = (code: number | null, signal: string | null): void => {
      if (exit !== undefined) return;
      exit = { code, signal };
      changed();
      resolve(exit);
    };
    child.once("close", done);
    child.once("exit", (code, signal) => {
      setTimeout(() => done(code, signal), drainMs).unref();
    });
  });
  const startTime = await startTimeOf(pid);
  return {
    ok: true,
    value: {
      state: () => {
        const state = { output: tail.text(), truncated: tail.truncated() };
        return exit === undefined ? state : { ...state, exit };
      },
      exited,
      onChange: (listener) => listeners.push(listener),
      async kill() {
        // The nonce of its own marks nothing: the agent's run goes on, only this command's group ends.
        const identity = { nonce: randomUUID(), pid, startTime };
        await endTree(identity, {
          graceMs,
          limitMs: graceMs + 10_000,
          ownGroup: exit === undefined,
        });
      },
    },
  };
}

/** Some agents send a whole line as the command: that is for a shell. */
function shellOrCommand(
  { command, args }: TerminalRequest,
  environment: Environment,
  folder: string,
): SpawnCommand {
  const { platform } = process;
  if (args.length > 0 || !/\s/u.test(command) || isFile(command))
    return spawnCommand(command, args, {
      platform,
      environment,
      folder,
      isFile,
    });
  return platform === "win32"
    ? {
        file: "cmd.exe",
        args: ["/d", "/s", "/c", `"${command}"`],
        verbatim: true,
      }
    : { file: "/bin/sh", args: ["-c", command], verbatim: false };
}

function failed(kind: Denied["kind"], message: string): Granted<never> {
  return { ok: false, denied: { kind, message } };
}
