import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { nonceName } from "./environment.ts";

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly startTime: string;
  /** Dead, but its parent has not asked yet: it runs nothing. */
  readonly zombie: boolean;
  /** Its environment names the run; false where the system hides it. */
  readonly marked: boolean;
}

/** All processes that can be seen, and whether each carries the nonce; Windows shows no environment, so there none does. */
export async function processTable(
  nonce: string,
): Promise<readonly ProcessRow[]> {
  if (process.platform === "win32") return windowsTable();
  return process.platform === "linux" ? linuxTable(nonce) : psTable(nonce);
}

/** When a process started, in the system's own words; empty when it is gone. */
export async function startTimeOf(pid: number): Promise<string> {
  if (process.platform === "win32")
    return powershell(
      `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CreationDate.ToFileTimeUtc()`,
    );
  if (process.platform === "linux")
    return (await linuxRow(pid, undefined, await bootId()))?.startTime ?? "";
  const words = await run("/bin/ps", ["-o", "lstart=", "-p", String(pid)]);
  return words.split(/\s+/u).join(" ");
}

/** The command line a process was started with; empty when it is gone or the system hides it. */
export async function commandOf(
  pid: number,
  platform: NodeJS.Platform = process.platform,
): Promise<string> {
  if (platform === "win32") return "";
  const line =
    platform === "linux"
      ? await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")
      : "";
  const words = line.replaceAll("\0", " ").trim();
  if (words !== "") return words;
  return run("/bin/ps", ["-ww", "-o", "command=", "-p", String(pid)]);
}

async function windowsTable(): Promise<readonly ProcessRow[]> {
  const table = await powershell(
    "Get-CimInstance Win32_Process | ForEach-Object { '{0} {1} {2}' -f $_.ProcessId, $_.ParentProcessId, $_.CreationDate.ToFileTimeUtc() }",
  );
  return table.split("\n").flatMap((line) => windowsRow(line) ?? []);
}

/** One line of our own making: pid, parent, start time; the system's own processes have none of the last. */
export function windowsRow(line: string): ProcessRow | undefined {
  const found = /^(\d+) (\d+) (\d+)$/u.exec(line.trim());
  const [, pid, parent, startTime] = found ?? [];
  if (startTime === undefined) return undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: 0,
    startTime,
    zombie: false,
    marked: false,
  };
}

function powershell(command: string): Promise<string> {
  return run("powershell.exe", [
    "-NoProfile",
    "-NonInteractive",
    "-Command",
    command,
  ]);
}

async function linuxTable(nonce: string): Promise<readonly ProcessRow[]> {
  const boot = await bootId();
  const mark = `${nonceName}=${nonce}`;
  const names = await readdir("/proc").catch(() => undefined);
  if (names === undefined) return psTable(nonce);
  const pids = names.filter((name) => /^\d+$/u.test(name));
  const rows = await Promise.all(
    pids.map((pid) => linuxRow(Number(pid), mark, boot)),
  );
  return rows.filter((row) => row !== undefined);
}

async function linuxRow(
  pid: number,
  mark: string | undefined,
  boot: string,
): Promise<ProcessRow | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  // The name may hold spaces and brackets: fields begin after its last bracket.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parent, group] = fields;
  const started = fields[19];
  if (state === undefined || started === undefined) return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    startTime: `${boot}-${started}`,
    zombie: state === "Z" || state === "X",
    marked:
      mark !== undefined &&
      (await readFile(`/proc/${pid}/environ`, "latin1").catch(() => ""))
        .split("\0")
        .includes(mark),
  };
}

/** Ticks since boot repeat from boot to boot: a start time names the boot too. */
async function bootId(): Promise<string> {
  const id = await readFile("/proc/sys/kernel/random/boot_id", "latin1").catch(
    () => "",
  );
  return id.slice(0, 8);
}

async function psTable(nonce: string): Promise<readonly ProcessRow[]> {
  const mark = `${nonceName}=${nonce}`;
  const table = await run("/bin/ps", [
    process.platform === "linux" ? "-axeww" : "-axEww",
    "-o",
    "pid=,ppid=,pgid=,state=,lstart=,command=",
  ]);
  return table.split("\n").flatMap((line) => {
    const row = psRow(line, mark);
    return row === undefined ? [] : [row];
  });
}

/** One line of `ps`: three numbers, a state, a date of five words, the command with its environment. */
export function psRow(line: string, mark: string): ProcessRow | undefined {
  const words = line.trim().split(/\s+/u);
  const [pid, parent, group, state] = words;
  if (pid === undefined || state === undefined || !/^\d+$/u.test(pid))
    return undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    startTime: words.slice(4, 9).join(" "),
    zombie: state.startsWith("Z"),
    marked: words.slice(9).includes(mark),
  };
}

function run(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      file,
      args,
      {
        maxBuffer: 64 * 1024 * 1024,
        env: { ...process.env, LC_ALL: "C" },
        windowsHide: true,
      },
      (_, stdout) => resolve(stdout.trim()),
    );
  });
}
