import type {
  AgentCapabilities,
  AgentFailure,
  AgentSpec,
  LiveAgent,
} from "../core/agentPort.ts";
import type { AgentLoan } from "./agentLoan.ts";
import { t } from "../util/l10n.ts";

/** What an agent says of itself when it is tried. */
export type Inspection =
  | {
      readonly kind: "works";
      readonly capabilities: AgentCapabilities;
      /** Who is signed in, where the agent tells. */
      readonly account?: string;
    }
  | { readonly kind: "signIn"; readonly capabilities: AgentCapabilities }
  | { readonly kind: "fails"; readonly failure: AgentFailure };

/** Starts it, opens a session and closes it again: no prompt is sent, no model is asked. */
export async function inspectAgent(
  spec: AgentSpec,
  loan: AgentLoan,
  signal?: AbortSignal,
): Promise<Inspection> {
  const tried = await loan.use(
    spec,
    async (agent, folder): Promise<Inspection> => {
      const { capabilities, features } = agent;
      const options = { folder, additionalFolders: [] };
      const opened = await agent.newSession(options);
      if (!opened.ok)
        return opened.failure.kind === "signIn"
          ? { kind: "signIn", capabilities }
          : { kind: "fails", failure: opened.failure };
      const { sessionId } = opened.value;
      if (capabilities.extras?.delete === true)
        await features?.deleteSession(sessionId);
      const account = await accountOf(agent);
      if (account === "") return { kind: "signIn", capabilities };
      return {
        kind: "works",
        capabilities,
        ...(account === undefined ? {} : { account }),
      };
    },
    signal === undefined ? {} : { signal },
  );
  return tried.ok ? tried.value : { kind: "fails", failure: tried.failure };
}

/** An agent may open a session for anyone and want an account only for the first prompt. */
async function accountOf({
  capabilities,
  features,
}: LiveAgent): Promise<string | undefined> {
  if (capabilities.extras?.account !== true) return undefined;
  const told = await features?.account();
  return told?.ok === true ? told.value : undefined;
}

/** In one line, for people. */
export function offers(capabilities: AgentCapabilities): string {
  const { extras } = capabilities;
  const can: readonly (readonly [boolean | undefined, string])[] = [
    [capabilities.resume || capabilities.load, t("goes on after a restart")],
    [capabilities.image, t("images")],
    [capabilities.embeddedContext, t("files")],
    [capabilities.additionalDirectories, t("several folders")],
    [capabilities.systemPrompt, t("instructions")],
    [extras?.list, t("tells of its sessions")],
    [extras?.fork, t("forks")],
    [extras?.mcpHttp, t("MCP over HTTP")],
  ];
  const named = can.flatMap(([has, what]) => (has === true ? [what] : []));
  return named.length === 0 ? t("plain conversation") : named.join(", ");
}

/** The version of the protocol it told, and what it can do. */
export function toldOf(capabilities: AgentCapabilities): string {
  const { protocol = 0 } = capabilities.extras ?? {};
  return `ACP ${protocol} · ${offers(capabilities)}`;
}

/** The failure, and the last line of what the agent wrote where the failure does not quote it. */
export function failureLine({ message, detail = "" }: AgentFailure): string {
  const last = detail
    .split("\n")
    .findLast((line) => line.trim() !== "")
    ?.trim()
    .slice(0, 200);
  return last === undefined || message.includes(last)
    ? message
    : t("{0} It wrote: {1}", message, last);
}
