import type { AgentSpec } from "../core/agentPort.ts";

/** What an agent answers when it does not know a session, where that is not ACP's own -32002. */
interface Quirk {
  /** Matched against the name in its `initialize` answer. */
  readonly agent: RegExp;
  readonly unknownSession: { readonly code: number; readonly says: RegExp };
}

const quirks: readonly Quirk[] = [
  {
    agent: /codex/iu,
    unknownSession: {
      code: -32603,
      says: /no rollout found/iu,
    },
  },
];

const resourceNotFound = -32002;
const aboutSession =
  /\b(?:no such|unknown|invalid) session\b|\bsession (?:is |was )?not found\b/iu;

/** Whether an error means that the session is surely not there; anything less must not cost the user their session. */
export function saysUnknownSession(
  agent: string,
  error: {
    readonly code: number;
    readonly said: string;
    /** The session, where other things can be missing too: a prompt links to files. */
    readonly named?: string;
  },
): boolean {
  const { code, said, named } = error;
  if (code === resourceNotFound)
    return (
      named === undefined || said.includes(named) || aboutSession.test(said)
    );
  return quirks.some(
    ({ agent: name, unknownSession }) =>
      name.test(agent) &&
      unknownSession.code === error.code &&
      unknownSession.says.test(error.said),
  );
}

/** What has to be said to an agent before it has told its name: known by its command. */
interface Opening {
  readonly command: RegExp;
  /** Told with the client's capabilities. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
}

const openings: readonly Opening[] = [
  {
    // Else a failed call of the model is told as the agent's own words, and the turn as done.
    command: /codex-acp/iu,
    meta: {
      jetbrains: { air: { version: 1, capabilities: ["sessionFailure"] } },
    },
    // It takes a client with typed failures for one that wants suggestions too: calls of the model that nobody asked for.
    env: { CODEX_ACP_PROMPT_SUGGESTIONS: "false" },
  },
];

export function openingOf({
  command,
  args,
}: Pick<AgentSpec, "command" | "args">): Pick<Opening, "meta" | "env"> {
  const line = [command, ...args];
  return (
    openings.find((opening) =>
      line.some((word) => opening.command.test(word)),
    ) ?? { meta: {}, env: {} }
  );
}

/** Instructions in a project that an agent reads by itself. */
const readers: readonly (readonly [agent: RegExp, file: string])[] = [
  [/claude/iu, "CLAUDE.md"],
  [/codex|opencode|copilot|cursor|amp\b/iu, "AGENTS.md"],
];

/** By what an agent is called and how it is run: no agent tells what it reads. */
export function filesReadBy(names: readonly string[]): readonly string[] {
  return readers.flatMap(([agent, file]) =>
    names.some((name) => agent.test(name)) ? [file] : [],
  );
}
