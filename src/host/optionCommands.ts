import * as vscode from "vscode";
import type { ConfigOption } from "../core/agentFeatures.ts";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import { currentThread } from "./currentThread.ts";
import type { OptionMemory } from "./optionMemory.ts";
import type { Services } from "./services.ts";
import { t } from "../util/l10n.ts";

type Item = vscode.QuickPickItem & { readonly value: string | boolean };

/** Model, mode and whatever else the agent lets the user choose, kept for its next sessions. */
export function optionCommands(
  surfaces: ChatSurfaces,
  services: Services,
  memory: Pick<OptionMemory, "set">,
): Readonly<Record<string, () => unknown>> {
  const { engine, catalog } = services;
  const change = (category?: Category) => async () => {
    const id = currentThread(surfaces, services);
    const snapshot = id === undefined ? undefined : engine.snapshot(id);
    const option = await pickOption(snapshot?.options ?? [], category);
    if (id === undefined || option === undefined || snapshot === undefined)
      return;
    const value = await pickValue(option);
    if (value === undefined) return;
    // It may have been suspended while the user chose.
    const open = engine.openAgent(id);
    const features = open?.agent.features;
    if (open === undefined || features === undefined) {
      const { agent } = snapshot.thread;
      memory.set(agent, option.id, value);
      void vscode.window.showInformationMessage(
        t(
          "{0} is not running. It is set with your next message.",
          catalog.label(agent),
        ),
      );
      return;
    }
    const set = await features.setOption(open.sessionId, option.id, value);
    if (!set.ok) void vscode.window.showWarningMessage(set.failure.message);
  };
  return {
    agentOptions: change(),
    switchMode: change("mode"),
    switchModel: change("model"),
  };
}

type Category = "mode" | "model";

const untold = {
  any: t("The agent has told of no options. It does once a message was sent."),
  mode: t("The agent has told of no modes. It does once a message was sent."),
  model: t("The agent has told of no models. It does once a message was sent."),
} as const;

const none = {
  any: t("The agent offers no options to choose from."),
  mode: t("The agent offers no modes to choose from."),
  model: t("The agent offers no models to choose from."),
} as const;

async function pickOption(
  all: readonly ConfigOption[],
  category?: Category,
): Promise<ConfigOption | undefined> {
  const options =
    category === undefined
      ? all
      : all.filter((option) => option.category === category);
  if (options.length === 0) {
    void vscode.window.showInformationMessage(
      all.length === 0 ? untold[category ?? "any"] : none[category ?? "any"],
    );
    return undefined;
  }
  const [only] = options;
  if (category !== undefined && options.length === 1) return only;
  const picked = await vscode.window.showQuickPick(
    options.map((option) => ({
      label: option.name,
      description: shown(option),
      ...(option.description === undefined
        ? {}
        : { detail: option.description }),
      option,
    })),
    { title: t("Agent options") },
  );
  return picked?.option;
}

async function pickValue(
  option: ConfigOption,
): Promise<string | boolean | undefined> {
  const picked = await vscode.window.showQuickPick<Item>(itemsOf(option), {
    title: option.name,
    placeHolder: shown(option),
  });
  return picked?.value;
}

function itemsOf(option: ConfigOption): Item[] {
  if (option.type === "boolean")
    return [
      { label: t("On"), value: true },
      { label: t("Off"), value: false },
    ];
  return option.groups.flatMap(({ choices }) =>
    choices.map(({ value, name, description }) => ({
      label: name,
      value,
      ...(value === option.value ? { picked: true } : {}),
      ...(description === undefined ? {} : { detail: description }),
    })),
  );
}

function shown(option: ConfigOption): string {
  if (option.type === "boolean") return option.value ? t("On") : t("Off");
  const all = option.groups.flatMap(({ choices }) => choices);
  return all.find(({ value }) => value === option.value)?.name ?? option.value;
}
