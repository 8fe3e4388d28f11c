import type { ConfigOption } from "../core/agentFeatures.ts";
import type { AgentFeatures, Log, OpenedSession } from "../core/ports.ts";

/** Values by option id. */
export type ChosenOptions = Readonly<Record<string, string | boolean>>;

/** What the user last chose, by agent. */
export interface OptionBook {
  of(agent: string): ChosenOptions;
  set(agent: string, id: string, value: string | boolean): void;
}

/** Sets what the user chose before. What an agent no longer offers, or refuses, stays as the agent has it. */
export async function choose(
  opened: OpenedSession,
  chosen: ChosenOptions,
  features: Pick<AgentFeatures, "setOption">,
  log: Log,
): Promise<OpenedSession> {
  let options = opened.options;
  if (options === undefined) return opened;
  for (const [id, value] of Object.entries(chosen)) {
    const option = options.find((one) => one.id === id);
    if (option === undefined || !isOffered(option, value)) continue;
    const set = await features.setOption(opened.sessionId, id, value);
    if (set.ok) options = set.value;
    else log.warn("option.notSet", { id, why: set.failure.message });
  }
  return { ...opened, options };
}

function isOffered(option: ConfigOption, value: string | boolean): boolean {
  if (option.value === value) return false;
  return option.type === "boolean"
    ? typeof value === "boolean"
    : option.groups.some(({ choices }) =>
        choices.some((choice) => choice.value === value),
      );
}
