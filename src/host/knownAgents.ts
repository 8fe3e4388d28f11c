import path from "node:path";

/** An agent that Turnline knows by name: how it is found, installed and given what it needs. */
export interface KnownAgent {
  readonly id: string;
  readonly label: string;
  readonly command: string;
  readonly package: string;
  readonly version: string;
  /** What its download takes on disk. */
  readonly megabytes: number;
  /** Variables of the user's own environment it reads. */
  readonly reads: readonly (string | RegExp)[];
}

export const knownAgents: readonly KnownAgent[] = [
  {
    id: "claude-code",
    label: "Claude Code",
    command: "claude-agent-acp",
    package: "@agentclientprotocol/claude-agent-acp",
    version: "0.99.1",
    megabytes: 360,
    reads: [
      /^ANTHROPIC_/u,
      /^CLAUDE_/u,
      /^AWS_/u,
      "GOOGLE_APPLICATION_CREDENTIALS",
      "CLOUD_ML_REGION",
    ],
  },
  {
    id: "codex",
    label: "Codex",
    command: "codex-acp",
    package: "@agentclientprotocol/codex-acp",
    version: "2.6.0",
    megabytes: 460,
    reads: [/^OPENAI_/u, /^CODEX_/u, "AZURE_OPENAI_API_KEY"],
  },
];

export function knownAgent(id: string): KnownAgent | undefined {
  return knownAgents.find((agent) => agent.id === id);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The part of an environment an agent may have beyond the everyday names; agents that are not known get none of it. */
export function passedOn(
  id: string,
  environment: Environment,
): Readonly<Record<string, string>> {
  const reads = knownAgent(id)?.reads ?? [];
  const isRead = (name: string): boolean =>
    reads.some((one) =>
      typeof one === "string" ? one === name : one.test(name),
    );
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && isRead(entry[0]),
    ),
  );
}

/** Where a command stands on a search path. */
export function onPath(
  command: string,
  searched: string,
  isFile: (file: string) => boolean,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const windows = platform === "win32";
  const paths = windows ? path.win32 : path.posix;
  const endings = windows ? [".cmd", ".exe"] : [""];
  return searched
    .split(paths.delimiter)
    .filter((folder) => folder !== "")
    .flatMap((folder) =>
      endings.map((end) => paths.join(folder, command + end)),
    )
    .find(isFile);
}
