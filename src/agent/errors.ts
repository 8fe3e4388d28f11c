import type { RequestError } from "@agentclientprotocol/sdk/unstable";
import type {
  AgentFailure,
  AgentFailureKind,
  AgentSpec,
} from "../core/ports.ts";
import { fields, text } from "./parse.ts";
import { saysUnknownSession } from "./quirks.ts";

/** Every sentence about a failing agent that a user may read is made here. */
export interface Failed {
  readonly ok: false;
  readonly failure: AgentFailure;
}

const authRequired = -32000;

export function failed(failure: AgentFailure): Failed {
  return { ok: false, failure };
}

export function notRunnable(spec: AgentSpec, error: unknown): Failed {
  const code = fields(error)?.["code"];
  const said = error instanceof Error ? error.message : "";
  const why =
    code === "ENOENT"
      ? "was not found"
      : code === "EACCES" || code === "EPERM"
        ? "may not be run"
        : `could not be started (${text(code) ?? said})`;
  return failed(
    make(
      "notFound",
      `The command of ${spec.label}, “${spec.command}”, ${why}.`,
      said,
    ),
  );
}

export function noFolder(folder: string): Failed {
  return failed(
    make("refused", `The folder “${folder}” is not there or can't be opened.`),
  );
}

export function exited(
  spec: AgentSpec,
  exit:
    | { readonly code: number | null; readonly signal: string | null }
    | undefined,
  detail: string,
): AgentFailure {
  const how =
    exit === undefined
      ? "closed its output"
      : exit.signal !== null
        ? `was ended by ${exit.signal}`
        : `exited with code ${exit.code ?? "unknown"}`;
  const last = detail.split("\n").findLast((line) => line.trim() !== "");
  const why = last === undefined ? "." : `: ${shorten(last.trim())}`;
  return make("exited", `${spec.label} ${how}${why}`, detail);
}

export function ended(spec: AgentSpec): AgentFailure {
  return make("exited", `${spec.label} was ended.`);
}

export function timedOut(
  spec: AgentSpec,
  what: string,
  ms: number,
  detail: string,
): AgentFailure {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return make(
    "timeout",
    `${spec.label} did not answer within ${seconds} s (${what}).`,
    detail,
  );
}

export function notAcp(
  spec: AgentSpec,
  what: string,
  detail: string,
): AgentFailure {
  return make("protocol", `${spec.label} does not speak ACP: ${what}.`, detail);
}

/** What an agent's error answer means. `agent` is the name it gave itself. */
export function refused(
  spec: AgentSpec,
  agent: string,
  error: RequestError,
  inSession: boolean,
): AgentFailure {
  const said = wordsOf(error);
  const detail = `${error.code} ${said}`;
  if (error.code === authRequired)
    return make(
      "signIn",
      `${spec.label} needs you to sign in: ${shorten(said)}`,
      detail,
    );
  if (inSession && saysUnknownSession(agent, { code: error.code, said }))
    return make(
      "noSession",
      `${spec.label} does not know this session any more.`,
      detail,
    );
  return make("refused", `${spec.label} answered: ${shorten(said)}`, detail);
}

/** JSON-RPC keeps the useful words in `data` as often as in `message`. */
function wordsOf(error: RequestError): string {
  const data = fields(error.data);
  const more = [
    text(error.data),
    text(data?.["details"]),
    text(data?.["message"]),
    text(data?.["error"]),
  ].find((words) => words !== undefined && words !== "");
  const said = error.message.replace(/^Internal error:?\s*/u, "");
  if (more === undefined || said.includes(more)) return said || "an error";
  return said === "" ? more : `${said}: ${more}`;
}

function shorten(words: string): string {
  const line = words.replace(/\s+/gu, " ").trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

function make(
  kind: AgentFailureKind,
  message: string,
  detail = "",
): AgentFailure {
  return detail === "" ? { kind, message } : { kind, message, detail };
}
