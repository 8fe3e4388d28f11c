import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { ProcessIdentity } from "../core/message.ts";
import type { AgentSpec, Answer } from "../core/agentPort.ts";
import type { Log } from "../core/ports.ts";
import { spawnCommand } from "./command.ts";
import { endTree } from "./endTree.ts";
import { agentEnvironment } from "./environment.ts";
import { notRunnable, noFolder } from "./errors.ts";
import { isFile, isFolder } from "./fileKinds.ts";
import { openingOf } from "./quirks.ts";
import { startTimeOf } from "./processTable.ts";
import { Tail } from "./tail.ts";

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ProcessOptions {
  readonly log: Log;
  /** Names of host variables to pass on beyond the usual ones. */
  readonly inherit: readonly string[];
  readonly graceMs: number;
  /** Leaves secrets out of what is shown. */
  readonly redact: (text: string) => string;
}

/** One process of an agent, in a group of its own. */
export interface AgentProcess {
  readonly identity: ProcessIdentity;
  readonly child: ChildProcessWithoutNullStreams;
  /** Settles when its output has ended, or it has exited and what it wrote was read. */
  readonly outputEnded: Promise<void>;
  exit(): Exit | undefined;
  readonly stderr: () => string;
  readonly redact: (text: string) => string;
  /** Ends it and all it started. Every call settles when nothing of the run is left. */
  end(graceMs?: number): Promise<void>;
}

const stderrTailChars = 8 * 1024;
/** A tool that outlives the agent can hold its pipes open for ever. */
const drainMs = 250;
const endLimitMs = 10_000;

export async function startProcess(
  spec: AgentSpec,
  folder: string,
  options: ProcessOptions,
): Promise<Answer<AgentProcess>> {
  if (!isFolder(folder)) return noFolder(folder);
  const nonce = randomUUID();
  const environment = agentEnvironment(
    process.env,
    { ...openingOf(spec).env, ...spec.env },
    nonce,
    options.inherit,
  );
  const command = spawnCommand(spec.command, spec.args, {
    platform: process.platform,
    environment,
    folder,
    isFile,
  });
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(command.file, command.args, {
      cwd: folder,
      env: environment,
      stdio: "pipe",
      detached: process.platform !== "win32",
      windowsHide: true,
      windowsVerbatimArguments: command.verbatim,
    });
  } catch (error) {
    return notRunnable(spec, error);
  }
  const failed = await new Promise<Error | undefined>((resolve) => {
    child.once("spawn", () => resolve(undefined));
    child.once("error", resolve);
  });
  const { pid } = child;
  if (failed !== undefined || pid === undefined)
    return notRunnable(spec, failed);
  return { ok: true, value: await follow(child, pid, nonce, spec, options) };
}

async function follow(
  child: ChildProcessWithoutNullStreams,
  pid: number,
  nonce: string,
  spec: AgentSpec,
  { log, graceMs, redact }: ProcessOptions,
): Promise<AgentProcess> {
  let exit: Exit | undefined;
  const stderr = new Tail(stderrTailChars);
  child.stderr.setEncoding("utf8");
  child.stderr.on("data", (text: string) => {
    stderr.push(text);
    log.debug("agent.stderr", { agent: spec.id, text });
  });
  for (const stream of [child, child.stdin, child.stdout, child.stderr])
    stream.on("error", (error: Error) =>
      log.debug("agent.pipe", { agent: spec.id, error: error.message }),
    );
  const ended = (stream: NodeJS.EventEmitter): Promise<void> =>
    new Promise((resolve) => {
      stream.once("end", resolve);
      stream.once("close", resolve);
    });
  const bothEnded = Promise.all([ended(child.stdout), ended(child.stderr)]);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", (code, signal) => {
      exit = { code, signal };
      resolve();
    });
  });
  const soon = (): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, drainMs).unref();
    });
  const outputEnded = Promise.race([
    exited.then(() => Promise.race([bothEnded, soon()])),
    ended(child.stdout).then(() =>
      Promise.race([Promise.all([exited, bothEnded]), soon()]),
    ),
  ]).then(() => undefined);
  const startTime = await startTimeOf(pid);
  const identity = { nonce, pid, startTime };
  log.info("agent.started", { agent: spec.id, pid, nonce });

  let ending: Promise<void> | undefined;
  const end = async (grace: number): Promise<void> => {
    child.stdin.end();
    const left = await endTree(identity, {
      graceMs: grace,
      limitMs: grace + endLimitMs,
      ownGroup: true,
    }).catch((error: unknown) => [String(error)]);
    if (left.length > 0) log.error("agent.left", { agent: spec.id, left });
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.destroy();
    log.info("agent.gone", { agent: spec.id, pid, ...exit });
  };
  return {
    identity,
    child,
    outputEnded,
    exit: () => exit,
    stderr: () => stderr.toString(),
    redact,
    end: (grace = graceMs) => (ending ??= end(grace)),
  };
}
