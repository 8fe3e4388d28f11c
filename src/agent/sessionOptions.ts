import type {
  Choice,
  ConfigGroup,
  ConfigOption,
} from "../core/agentFeatures.ts";
import { boolean, defined, fields, list, text, type Fields } from "./parse.ts";
import { t } from "../util/l10n.ts";

/** The id under which an agent's plain modes appear among its options. */
export const modeOption = "mode";

/**
 * The options each session has. Config options replace plain modes where an agent has both;
 * where it has modes alone they are an option of their own, set by their own method.
 */
export class SessionOptionsBook {
  readonly #options = new Map<string, readonly ConfigOption[]>();
  readonly #plainModes = new Set<string>();

  /** Takes what a session's opening answer says; undefined when it has no options. */
  opened(
    sessionId: string,
    answer: Fields,
  ): readonly ConfigOption[] | undefined {
    const config = configOptions(answer["configOptions"]) ?? [];
    const modes =
      config.length > 0 ? undefined : modesAsOption(answer["modes"]);
    if (modes !== undefined) this.#plainModes.add(sessionId);
    else this.#plainModes.delete(sessionId);
    const options = modes === undefined ? config : [modes];
    this.#options.set(sessionId, options);
    return options.length === 0 ? undefined : options;
  }

  replace(sessionId: string, options: readonly ConfigOption[]): void {
    this.#plainModes.delete(sessionId);
    this.#options.set(sessionId, options);
  }

  /** The options after a plain mode changed; undefined when modes are not plain here. */
  modeChanged(
    sessionId: string,
    value: string,
  ): readonly ConfigOption[] | undefined {
    if (!this.#plainModes.has(sessionId)) return undefined;
    const options = this.of(sessionId).map((option) =>
      option.id === modeOption && option.type === "select"
        ? { ...option, value }
        : option,
    );
    this.#options.set(sessionId, options);
    return options;
  }

  of(sessionId: string): readonly ConfigOption[] {
    return this.#options.get(sessionId) ?? [];
  }

  hasPlainModes(sessionId: string): boolean {
    return this.#plainModes.has(sessionId);
  }
}

export function configOptions(
  value: unknown,
): readonly ConfigOption[] | undefined {
  return list(value, configOption);
}

function configOption(value: unknown): ConfigOption | undefined {
  const given = fields(value);
  const id = text(given?.["id"]);
  if (given === undefined || id === undefined) return undefined;
  const base = defined({
    id,
    name: text(given["name"]) ?? id,
    description: text(given["description"]),
    category: text(given["category"]),
  });
  const current = given["currentValue"];
  if (given["type"] === "boolean")
    return { ...base, type: "boolean", value: boolean(current) ?? false };
  const groups = configGroups(given["options"]);
  const chosen = text(current);
  if (groups === undefined || chosen === undefined) return undefined;
  return { ...base, type: "select", value: chosen, groups };
}

/** Choices come flat or in groups; flat ones are one group without a name. */
function configGroups(value: unknown): readonly ConfigGroup[] | undefined {
  const groups = list(value, (item) => {
    const group = fields(item);
    const choices = list(group?.["options"], choice);
    if (choices === undefined) return undefined;
    return defined({ name: text(group?.["name"]), choices });
  });
  if (groups === undefined || groups.length > 0) return groups;
  return [{ choices: list(value, choice) ?? [] }];
}

function choice(value: unknown): Choice | undefined {
  const given = fields(value);
  const id = text(given?.["value"]) ?? text(given?.["id"]);
  if (id === undefined) return undefined;
  return defined({
    value: id,
    name: text(given?.["name"]) ?? id,
    description: text(given?.["description"]),
  });
}

function modesAsOption(value: unknown): ConfigOption | undefined {
  const modes = fields(value);
  const current = text(modes?.["currentModeId"]);
  const choices = list(modes?.["availableModes"], choice);
  if (current === undefined || choices === undefined) return undefined;
  return {
    id: modeOption,
    name: t("Mode"),
    category: "mode",
    type: "select",
    value: current,
    groups: [{ choices }],
  };
}
