import type * as vscode from "vscode";
import * as z from "zod";
import type { ConfigOption } from "../core/agentFeatures.ts";

type Value = string | boolean;
type Values = Readonly<Record<string, Value>>;
const stored = z.record(
  z.string(),
  z.record(z.string(), z.union([z.string(), z.boolean()])),
);
const named = {
  id: z.string(),
  name: z.string(),
  description: z.string().exactOptional(),
  category: z.string().exactOptional(),
};
const choice = z.object({
  value: z.string(),
  name: z.string(),
  description: z.string().exactOptional(),
});
const option = z.discriminatedUnion("type", [
  z.object({
    ...named,
    type: z.literal("select"),
    value: z.string(),
    groups: z.array(
      z.object({ name: z.string().exactOptional(), choices: z.array(choice) }),
    ),
  }),
  z.object({ ...named, type: z.literal("boolean"), value: z.boolean() }),
]);
const offers = z.record(z.string(), z.array(option));
const key = "turnline.options";
const offersKey = "turnline.offeredOptions";

/** What the user last chose of each agent's options, and what the agent last offered, on this machine. */
export class OptionMemory {
  readonly #memento: vscode.Memento;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  of(agent: string): Values {
    return this.#all()[agent] ?? {};
  }

  set(agent: string, id: string, value: Value): void {
    const all = this.#all();
    void this.#memento.update(key, {
      ...all,
      [agent]: { ...all[agent], [id]: value },
    });
  }

  /** As the agent's next session will begin, as far as that is known before it does. */
  offered(agent: string): readonly ConfigOption[] {
    return withValues(this.#offers()[agent] ?? [], this.of(agent));
  }

  offers(agent: string, options: readonly ConfigOption[]): void {
    if (options.length === 0) return;
    const all = this.#offers();
    if (JSON.stringify(all[agent]) === JSON.stringify(options)) return;
    void this.#memento.update(offersKey, { ...all, [agent]: options });
  }

  #all(): Readonly<Record<string, Values>> {
    const parsed = stored.safeParse(this.#memento.get(key));
    return parsed.success ? parsed.data : {};
  }

  #offers(): Readonly<Record<string, readonly ConfigOption[]>> {
    const parsed = offers.safeParse(this.#memento.get(offersKey));
    return parsed.success ? parsed.data : {};
  }
}

/** Options with other values, where they still offer them. */
export function withValues(
  options: readonly ConfigOption[],
  values: Values,
): readonly ConfigOption[] {
  return options.map((one) => {
    const value = values[one.id];
    if (one.type === "boolean")
      return typeof value === "boolean" ? { ...one, value } : one;
    const known = one.groups.some(({ choices }) =>
      choices.some((offered) => offered.value === value),
    );
    return typeof value === "string" && known ? { ...one, value } : one;
  });
}
