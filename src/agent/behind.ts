import { randomUUID } from "node:crypto";
import type { LeftProcess } from "../core/agentFeatures.ts";
import type { ProcessIdentity } from "../core/message.ts";
import { endTree, memberRows } from "./endTree.ts";
import { commandOf, type ProcessRow } from "./processTable.ts";

const commandChars = 200;

/** What an agent started and left running: some agents go on with a command after its turn was cancelled. */
export class Behind {
  readonly #identity: ProcessIdentity;
  readonly #own = new Set<string>();

  constructor(identity: ProcessIdentity) {
    this.#identity = identity;
  }

  /** To be asked before a session is opened: what an earlier one left. Before the first, all that runs is the agent. */
  async strangers(): Promise<ReadonlySet<string>> {
    if (this.#own.size === 0) return new Set();
    return new Set((await this.#newcomers()).map(key));
  }

  /** What runs now is the agent itself, but for those. */
  async remember(strangers: ReadonlySet<string>): Promise<void> {
    for (const row of await memberRows(this.#identity, true))
      if (!strangers.has(key(row))) this.#own.add(key(row));
  }

  /** Newcomers; what they started in turn is theirs. */
  async left(): Promise<readonly LeftProcess[]> {
    const rows = await this.#newcomers();
    const pids = new Set(rows.map(({ pid }) => pid));
    return Promise.all(
      rows
        .filter(({ parent }) => !pids.has(parent))
        .map(async ({ pid, startTime }) => {
          const words = await Promise.all(leaves(pid, rows).map(nameOf));
          const command = words.join(", ").slice(0, commandChars);
          return { pid, startTime, command };
        }),
    );
  }

  async end({ pid, startTime }: LeftProcess): Promise<void> {
    // A nonce that marks nothing: only this process and what it started.
    const identity = { nonce: randomUUID(), pid, startTime };
    await endTree(identity, { graceMs: 500, limitMs: 5_000, ownGroup: false });
  }

  async #newcomers(): Promise<readonly ProcessRow[]> {
    return (await memberRows(this.#identity, true)).filter(
      (row) => !this.#own.has(key(row)),
    );
  }
}

function key({ pid, startTime }: ProcessRow): string {
  return `${pid} ${startTime}`;
}

/** Agents wrap commands in shells and sandboxes: the innermost processes are what the user would know. */
function leaves(pid: number, rows: readonly ProcessRow[]): readonly number[] {
  const children = rows.filter(({ parent }) => parent === pid);
  return children.length === 0
    ? [pid]
    : children.flatMap((child) => leaves(child.pid, rows));
}

async function nameOf(pid: number): Promise<string> {
  return (await commandOf(pid)) || `process ${pid}`;
}
