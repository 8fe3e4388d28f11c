import type { SignInMethod } from "../core/agentFeatures.ts";
import type { AgentSpec } from "../core/agentPort.ts";
import { spawnCommand, type CommandWorld } from "./command.ts";
import { isFile } from "./fileKinds.ts";

export interface TerminalCommand {
  readonly file: string;
  /** One text where the arguments are quoted already, as Windows wants them. */
  readonly args: readonly string[] | string;
  readonly env: Readonly<Record<string, string>>;
}

/** What to run in a terminal for a sign-in: the agent's own command, found as for any other start. */
export function signInCommand(
  spec: AgentSpec,
  method: Extract<SignInMethod, { kind: "terminal" }>,
  world: Pick<CommandWorld, "platform" | "environment" | "folder"> &
    Partial<CommandWorld>,
): TerminalCommand {
  const env = { ...spec.env, ...method.env };
  const { file, args, verbatim } = spawnCommand(
    spec.command,
    [...spec.args, ...method.args],
    { isFile, ...world, environment: { ...world.environment, ...env } },
  );
  return { file, args: verbatim ? args.join(" ") : args, env };
}
