import type { RequestError } from "@agentclientprotocol/sdk/unstable";
import type {
  AgentFailure,
  AgentFailureKind,
  AgentSpec,
} from "../core/agentPort.ts";
import { fields, text } from "./parse.ts";
import { t } from "../util/l10n.ts";
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
  const { label, command } = spec;
  const message =
    code === "ENOENT"
      ? t("The command of {0}, “{1}”, was not found.", label, command)
      : code === "EACCES" || code === "EPERM"
        ? t("The command of {0}, “{1}”, may not be run.", label, command)
        : t(
            "The command of {0}, “{1}”, could not be started ({2}).",
            label,
            command,
            text(code) ?? said,
          );
  return failed(make("notFound", message, said));
}

export function noFolder(folder: string): Failed {
  return failed(
    make(
      "refused",
      t("The folder “{0}” is not there or can't be opened.", folder),
    ),
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
      ? t("{0} closed its output", spec.label)
      : exit.signal !== null
        ? t("{0} was ended by {1}", spec.label, exit.signal)
        : t("{0} exited with code {1}", spec.label, exit.code ?? t("unknown"));
  const last = detail.split("\n").findLast((line) => line.trim() !== "");
  const why = last === undefined ? "." : `: ${shorten(last.trim())}`;
  return make("exited", `${how}${why}`, detail);
}

export function ended(spec: AgentSpec): AgentFailure {
  return make("exited", t("{0} was ended.", spec.label));
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
    t("{0} did not answer within {1} s ({2}).", spec.label, seconds, what),
    detail,
  );
}

export function notAcp(
  spec: AgentSpec,
  what: string,
  detail: string,
): AgentFailure {
  return make(
    "protocol",
    t("{0} does not speak ACP: {1}.", spec.label, what),
    detail,
  );
}

/** What an agent's error answer means. `agent` is the name it gave itself. */
export function refused(
  spec: AgentSpec,
  agent: string,
  error: RequestError,
  { inSession, named }: { readonly inSession?: true; readonly named?: string },
): AgentFailure {
  const said = wordsOf(error);
  const detail = `${error.code} ${said}`;
  if (error.code === authRequired)
    return make(
      "signIn",
      t("{0} needs you to sign in: {1}", spec.label, shorten(said)),
      detail,
    );
  const of = named === undefined ? {} : { named };
  // What is missing stands as often beside the words as in them.
  const all = `${said} ${JSON.stringify(error.data ?? null)}`;
  if (
    inSession === true &&
    saysUnknownSession(agent, { code: error.code, said: all, ...of })
  )
    return make(
      "noSession",
      t("{0} does not know this session any more.", spec.label),
      detail,
    );
  return make(
    "refused",
    t("{0} answered: {1}", spec.label, shorten(said)),
    detail,
  );
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
  if (more === undefined || said.includes(more)) return said || t("an error");
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
