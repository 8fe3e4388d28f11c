import { statSync } from "node:fs";
import path from "node:path";
import type { AgentSpec, Answer } from "../core/agentPort.ts";
import type { AgentChoice } from "../protocol/viewState.ts";
import { installedScript } from "./agentInstall.ts";
import { knownAgent, knownAgents, onPath, passedOn } from "./knownAgents.ts";
import { loginPath } from "./loginPath.ts";
import type { Settings } from "./settings.ts";
import { t } from "../util/l10n.ts";

/** Where an agent's command was found. */
export type Origin = "shipped" | "settings" | "path" | "installed";

/** Why no agent starts in a workspace that is not trusted. */
export const untrusted = t("Agents start only in a trusted workspace.");

export interface CatalogParts {
  /** The built-in agent's script. */
  readonly builtin: string;
  /** The folder agents are installed in. */
  readonly storage: string;
  readonly settings: () => Settings;
  readonly isTrusted: () => boolean;
  /** Called when a further look changed what there is. */
  readonly found: () => void;
  /** Asks the login shell for its search path. */
  readonly login?: () => Promise<string>;
}

/** Which agents there are, and how each is run. Looking runs no agent. */
export class AgentCatalog {
  readonly #builtin: AgentSpec;
  readonly #settings: () => Settings;
  readonly #storage: string;
  readonly #isTrusted: () => boolean;
  readonly #found: () => void;
  readonly #login: () => Promise<string>;
  /** Folders only the login shell knows of. */
  #further = "";
  #looking: Promise<void> | undefined;

  constructor(parts: CatalogParts) {
    const { builtin, storage, settings, isTrusted, found, login } = parts;
    this.#settings = settings;
    this.#storage = storage;
    this.#isTrusted = isTrusted;
    this.#found = found;
    this.#login = login ?? loginPath;
    this.#builtin = {
      id: "builtin",
      label: "Built-in",
      ...nodeRuns(builtin, {
        TURNLINE_BUILTIN_HOME: this.builtinHome,
      }),
    };
  }

  /** Where the built-in agent keeps its sessions. */
  get builtinHome(): string {
    return path.join(this.#storage, "builtin");
  }

  /**
   * Asks the login shell once where else to look, when an agent is missing.
   * The shell runs the user's own files, so this waits until the user asks for something that needs it.
   */
  async lookFurther(): Promise<void> {
    if (this.#missing() > 0) await this.askShell();
  }

  /** What agents and their tools run needs the shell's folders too: asked once, before the first of them starts. */
  async askShell(): Promise<void> {
    if (!this.#isTrusted()) return;
    this.#looking ??= this.#look();
    await this.#looking;
  }

  /** Looks further where the agent of a new thread may depend on it. */
  async settleDefault(): Promise<void> {
    if (this.#settings().defaultAgent !== "auto") return;
    const [preferred] = knownAgents;
    if (preferred !== undefined && this.find(preferred.id) === undefined)
      await this.lookFurther();
  }

  /** As `resolve`, once the login shell was asked. The built-in agent starts nothing that needs it. */
  async resolveFurther(id: string): Promise<Answer<AgentSpec>> {
    if (id !== "builtin") await this.askShell();
    return this.resolve(id);
  }

  /** How to run an agent, or why it cannot be run. */
  resolve(id: string): Answer<AgentSpec> {
    if (!this.#isTrusted())
      return missing(untrusted, t("This workspace is in restricted mode."));
    const spec = this.find(id);
    if (spec !== undefined) return { ok: true, value: spec };
    const wrong = this.#settings().wrongAgents.get(id);
    if (wrong !== undefined)
      return missing(t('"{0}" in turnline.agents is wrong: {1}', id, wrong));
    const agent = knownAgent(id);
    return agent === undefined
      ? missing(t('There is no agent "{0}" in the settings.', id))
      : missing(
          t("{0} is not installed.", agent.label),
          t("{0} is not on PATH.", agent.command),
        );
  }

  /** How to run an agent; undefined when its id is unknown or it is not installed. */
  find(id: string): AgentSpec | undefined {
    return this.locate(id)?.spec;
  }

  locate(
    id: string,
  ): { readonly spec: AgentSpec; readonly origin: Origin } | undefined {
    if (id === "builtin") return { spec: this.#builtin, origin: "shipped" };
    const own = passedOn(id, process.env);
    const given = this.#settings().agents.find((agent) => agent.id === id);
    if (given !== undefined)
      return {
        spec: { ...given, env: { ...own, ...this.#path(), ...given.env } },
        origin: "settings",
      };
    const agent = knownAgent(id);
    if (agent === undefined) return undefined;
    const { label } = agent;
    const env = { ...own, ...this.#path() };
    const command = onPath(agent.command, this.searchPath(), isFile);
    if (command !== undefined)
      return { spec: { id, label, command, args: [], env }, origin: "path" };
    const script = installedScript(this.#storage, agent);
    return script === undefined
      ? undefined
      : { spec: { id, label, ...nodeRuns(script, env) }, origin: "installed" };
  }

  /** Where commands are looked for: the host's own folders, then those only the login shell knows of. */
  searchPath(): string {
    const own = process.env["PATH"] ?? "";
    const known = new Set(own.split(path.delimiter));
    const further = this.#further
      .split(path.delimiter)
      .filter((folder) => folder !== "" && !known.has(folder));
    return [own, ...further].filter((part) => part !== "").join(path.delimiter);
  }

  #path(): { readonly PATH?: string } {
    return this.#further === "" ? {} : { PATH: this.searchPath() };
  }

  /** The agent of a new thread. */
  defaultId(): string {
    const { defaultAgent } = this.#settings();
    if (defaultAgent !== "auto") return defaultAgent;
    return (
      knownAgents.find(({ id }) => this.find(id) !== undefined)?.id ?? "builtin"
    );
  }

  label(id: string): string {
    return this.find(id)?.label ?? knownAgent(id)?.label ?? id;
  }

  choices(): readonly AgentChoice[] {
    const builtin: AgentChoice = {
      id: "builtin",
      label: this.#builtin.label,
      availability: "ready",
      detail: t("Offline, no account. Reads, searches and edits. Not a model."),
    };
    const named = knownAgents.map(({ id, label, command }): AgentChoice => {
      const origin = this.locate(id)?.origin;
      return {
        id,
        label,
        availability: origin === undefined ? "notInstalled" : "ready",
        detail:
          origin === undefined
            ? t("Not found: {0} is not on PATH", command)
            : found[origin],
      };
    });
    const own = this.#settings()
      .agents.filter(({ id }) => knownAgent(id) === undefined)
      .map(({ id, label, command }): AgentChoice => ({
        id,
        label,
        availability: "unknown",
        detail: command,
      }));
    const wrong = [...this.#settings().wrongAgents]
      .filter(([id]) => knownAgent(id) === undefined)
      .map(([id, why]): AgentChoice => ({
        ...{ id, label: id, availability: "notInstalled" },
        detail: t("Wrong in the settings: {0}", why),
      }));
    return [builtin, ...named, ...own, ...wrong];
  }

  async #look(): Promise<void> {
    const before = this.#missing();
    this.#further = await this.#login();
    if (this.#missing() < before) this.#found();
  }

  #missing(): number {
    return knownAgents.filter(({ id }) => this.find(id) === undefined).length;
  }
}

const found: Readonly<Record<Origin, string>> = {
  shipped: t("Comes with Turnline"),
  settings: t("Found in your settings"),
  path: t("Found on PATH"),
  installed: t("Installed by Turnline"),
};

/** Runs a script on the Node that runs us. */
function nodeRuns(
  script: string,
  env: Readonly<Record<string, string>>,
): Pick<AgentSpec, "command" | "args" | "env"> {
  const electron = process.versions["electron"] !== undefined;
  return {
    command: process.execPath,
    args: [script],
    env: { ...(electron ? { ELECTRON_RUN_AS_NODE: "1" } : {}), ...env },
  };
}

function missing(message: string, detail?: string): Answer<never> {
  const failure = { kind: "notFound", message } as const;
  return {
    ok: false,
    failure: detail === undefined ? failure : { ...failure, detail },
  };
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
