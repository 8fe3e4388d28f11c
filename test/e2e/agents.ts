import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Lab } from "./lab.ts";

const root = path.resolve(import.meta.dirname, "..", "..");
const script = path.join(
  root,
  "test",
  "fixtures",
  "faultAgent",
  "faultAgent.mjs",
);

/** An entry of `turnline.agents` that runs the scripted fault agent. */
export function faultAgent(
  label: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Record<string, unknown> {
  return { label, command: process.execPath, args: [script, ...flags], env };
}

/** The fault agent as the only one: it writes down what it is told, and keeps its sessions. */
export function recordingAgent(flags: readonly string[] = []): {
  readonly record: string;
  readonly settings: Readonly<Record<string, unknown>>;
} {
  const home = mkdtempSync(path.join(os.tmpdir(), "turnline-recorded-"));
  const record = path.join(home, "record.jsonl");
  const scripted = faultAgent("Scripted", flags, {
    FAULT_RECORD: record,
    FAULT_SESSIONS: path.join(home, "sessions"),
  });
  return {
    record,
    settings: {
      "turnline.agents": { scripted },
      "turnline.defaultAgent": "scripted",
    },
  };
}

/** An `npm` that writes down how it is called and installs the fault agent as Codex, for the environment of VS Code. */
export function fakeNpm(calls: string): {
  readonly PATH: string;
  readonly SHELL: string;
} {
  const folder = mkdtempSync(path.join(os.tmpdir(), "turnline-npm-"));
  const executable = (name: string, ...lines: readonly string[]): string => {
    const file = path.join(folder, name);
    writeFileSync(file, ["#!/bin/sh", ...lines, ""].join("\n"));
    chmodSync(file, 0o755);
    return file;
  };
  const made = "node_modules/@agentclientprotocol/codex-acp/dist";
  executable(
    "npm",
    `echo "$@" >> ${calls}`,
    `mkdir -p ${made}`,
    `echo 'import("${script}")' > ${made}/index.js`,
  );
  return {
    PATH: `${folder}${path.delimiter}${process.env["PATH"] ?? ""}`,
    // VS Code asks the login shell for its PATH: one that leaves it as it is.
    SHELL: executable("shell", "for last; do :; done", `exec sh -c "$last"`),
  };
}

/** What the fault agent was told, by method, in order. */
export function received(
  record: string,
  method: string | RegExp,
): readonly {
  readonly method: string;
  readonly params: Record<string, unknown>;
}[] {
  if (!existsSync(record)) return [];
  return readFileSync(record, "utf8")
    .trim()
    .split("\n")
    .map(
      (line) =>
        JSON.parse(line) as {
          method?: string;
          params: Record<string, unknown>;
        },
    )
    .flatMap((entry) => {
      const { method: name = "", params } = entry;
      const asked =
        typeof method === "string" ? name === method : method.test(name);
      return asked ? [{ method: name, params }] : [];
    });
}

/** The texts of each prompt, in order. */
export function prompts(record: string): readonly string[] {
  return received(record, "session/prompt").map(({ params }) =>
    (params["prompt"] as readonly { text?: string }[])
      .map((block) => block.text ?? "")
      .join("\n"),
  );
}

/** Processes that Turnline started as agents in a folder, wherever they hang in the tree. */
export function agentProcesses(folder: string): readonly number[] {
  return processes(
    (pid) =>
      readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) &&
      readFileSync(`/proc/${pid}/environ`, "utf8").includes("TURNLINE_RUN="),
  );
}

/** Processes with a text in their command line. */
export function processesNaming(text: string): readonly number[] {
  return processes((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text),
  );
}

function processes(are: (pid: number) => boolean): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return are(pid);
      } catch {
        return false;
      }
    });
}

/** Waits for something that happens outside the page. */
export async function until(
  is: () => boolean,
  limitMs = 30_000,
): Promise<void> {
  const end = Date.now() + limitMs;
  while (!is()) {
    if (Date.now() > end)
      throw new Error(`It did not happen: ${is.toString()}`);
    await sleep(50);
  }
}

/** As a crash would: no time for anything. */
export function killExtensionHost(lab: Lab): void {
  lab.forgive(/Extension host .*terminated unexpectedly/);
  const lines = execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" });
  const server = lines
    .split("\n")
    .find((line) => line.includes("server-main.js") && line.includes(lab.data));
  assert.ok(server);
  const pid = Number(server.trim().split(" ")[0]);
  const hosts = execFileSync("ps", ["-eo", "pid,ppid,args"], {
    encoding: "utf8",
  })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, parent, ...args]) =>
        Number(parent) === pid && args.join(" ").includes("type=extensionHost"),
    );
  assert.ok(hosts.length > 0);
  for (const [host] of hosts) process.kill(Number(host), "SIGKILL");
}
