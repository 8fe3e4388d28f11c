import type { ConfigOption } from "../core/agentFeatures.ts";
import type { AgentFeatures, OpenedSession } from "../core/agentPort.ts";
import type { Log } from "../core/ports.ts";

/** Values by option id. */
export type ChosenOptions = Readonly<Record<string, string | boolean>>;

/** What the user last chose, by agent. */
export interface OptionBook {
  of(agent: string): ChosenOptions;
  set(agent: string, id: string, value: string | boolean): void;
}

/**
 * Sets what the user chose before. What an agent no longer offers, or refuses, stays as the agent has it.
 * One option may bring another's choices, or set it back: so it goes over them until there is nothing left to set.
 */
export async function choose(
  opened: OpenedSession,
  chosen: ChosenOptions,
  features: Pick<AgentFeatures, "setOption">,
  log: Log,
): Promise<OpenedSession> {
  let options = opened.options;
  if (options === undefined) return opened;
  const notTaken = new Set<string>();
  // Two that set each other back would go on for ever.
  for (let round = 0; round < maxRounds; round++) {
    const before: readonly ConfigOption[] = options;
    for (const [id, value] of modelFirst(chosen, options)) {
      const option = options.find((one) => one.id === id);
      if (option === undefined || notTaken.has(id)) continue;
      if (!isOffered(option, value)) continue;
      const set = await features.setOption(opened.sessionId, id, value);
      if (set.ok) options = set.value;
      else log.warn("option.notSet", { id, why: set.failure.message });
      if (options.find((one) => one.id === id)?.value !== value)
        notTaken.add(id);
    }
    if (options === before) break;
  }
  return { ...opened, options };
}

const maxRounds = 4;

/** What else there is to choose depends on the model. */
function modelFirst(
  chosen: ChosenOptions,
  options: readonly ConfigOption[],
): readonly (readonly [string, string | boolean])[] {
  const isModel = (id: string): boolean =>
    options.some((one) => one.id === id && one.category === "model");
  return Object.entries(chosen).sort(
    ([one], [other]) => Number(isModel(other)) - Number(isModel(one)),
  );
}

function isOffered(option: ConfigOption, value: string | boolean): boolean {
  if (option.value === value) return false;
  return option.type === "boolean"
    ? typeof value === "boolean"
    : option.groups.some(({ choices }) =>
        choices.some((choice) => choice.value === value),
      );
}
