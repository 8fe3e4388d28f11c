import { setTimeout as sleep } from "node:timers/promises";
import type { ProcessIdentity } from "../core/message.ts";
import { processTable, type ProcessRow } from "./processTable.ts";

export interface EndOptions {
  /** How long processes have to go by themselves after SIGTERM; 0 kills at once. */
  readonly graceMs: number;
  /** When to give up on what even SIGKILL does not end, such as a process in an uninterruptible wait. */
  readonly limitMs: number;
  /** The root's group is known to be its own: true while its child handle is held, false for a leftover of another host. */
  readonly ownGroup: boolean;
}

const pollMs = 40;

/** Ends a run's process, its group, its descendants and all that carries its nonce. Answers the pids that would not go. */
export async function endTree(
  identity: ProcessIdentity,
  options: EndOptions,
): Promise<readonly number[]> {
  const started = performance.now();
  let terminated = false;
  // One look can miss a process born while it was taken, from a parent that died meanwhile: only two empty ones count.
  for (let empty = 0; ;) {
    const members = await runMembers(identity, options.ownGroup);
    empty = members.length === 0 ? empty + 1 : 0;
    if (empty === 2) return [];
    const elapsed = performance.now() - started;
    if (elapsed > options.limitMs) return members;
    if (empty === 1) continue;
    if (elapsed >= options.graceMs) signalAll(members, "SIGKILL");
    else if (!terminated) signalAll(members, "SIGTERM");
    terminated = true;
    await sleep(pollMs);
  }
}

/** Pids of the run that still run. */
export async function runMembers(
  identity: ProcessIdentity,
  ownGroup: boolean,
): Promise<readonly number[]> {
  return (await memberRows(identity, ownGroup)).map(({ pid }) => pid);
}

export async function memberRows(
  identity: ProcessIdentity,
  ownGroup: boolean,
): Promise<readonly ProcessRow[]> {
  const rows = await processTable(identity.nonce);
  return process.platform === "win32"
    ? membersOnWindows(rows, identity)
    : membersOf(rows, identity, ownGroup);
}

/** The rule alone: marked, the root itself, its group while that is surely its own, and descendants of any of these. */
export function membersOf(
  rows: readonly ProcessRow[],
  identity: ProcessIdentity,
  ownGroup: boolean,
): readonly ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings === undefined) children.set(row.parent, [row]);
    else siblings.push(row);
  }
  const members = new Map<number, ProcessRow>();
  const add = (row: ProcessRow): void => {
    if (members.has(row.pid) || row.pid === process.pid) return;
    members.set(row.pid, row);
    for (const child of children.get(row.pid) ?? []) add(child);
  };
  for (const row of rows)
    if (
      row.marked ||
      (row.pid === identity.pid && row.startTime === identity.startTime) ||
      (ownGroup && row.group === identity.pid)
    )
      add(row);
  return [...members.values()].filter((row) => !row.zombie);
}

/**
 * The rule on Windows, where a process names its parent even after that has died, by a number that may be another's by now:
 * a child began after its parent did, and before anyone else got the parent's number.
 */
export function membersOnWindows(
  rows: readonly ProcessRow[],
  identity: ProcessIdentity,
): readonly ProcessRow[] {
  const members = new Map<number, ProcessRow>();
  const holder = rows.find(({ pid }) => pid === identity.pid);
  const root = holder?.startTime === identity.startTime ? holder : undefined;
  const until =
    holder === undefined || root !== undefined
      ? Number.POSITIVE_INFINITY
      : Number(holder.startTime);
  const add = (row: ProcessRow): void => {
    if (members.has(row.pid) || row.pid === process.pid) return;
    members.set(row.pid, row);
    addChildren(row.pid, Number(row.startTime), Number.POSITIVE_INFINITY);
  };
  const addChildren = (parent: number, since: number, before: number): void => {
    for (const row of rows) {
      const start = Number(row.startTime);
      if (row.parent === parent && start >= since && start < before) add(row);
    }
  };
  if (root !== undefined) add(root);
  else if (identity.startTime !== "")
    addChildren(identity.pid, Number(identity.startTime), until);
  return [...members.values()];
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {
      // It went meanwhile, or is not ours to end; the next look at the table tells.
    }
}
