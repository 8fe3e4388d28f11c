import * as vscode from "vscode";
import { assertNever } from "../util/assertNever.ts";
import { untrusted } from "./agentCatalog.ts";
import { installAgent } from "./agentInstall.ts";
import {
  failureLine,
  inspectAgent,
  toldOf,
  type Inspection,
} from "./inspectAgent.ts";
import { knownAgent } from "./knownAgents.ts";
import { missingSecret } from "./readyAgents.ts";
import type { Services } from "./services.ts";
import { signIn, signOut, type SignInTools } from "./signIn.ts";
import type { Trace } from "./trace.ts";
import { t } from "../util/l10n.ts";

export interface SetupTools extends SignInTools {
  readonly trace: Trace;
  /** Global storage. */
  readonly storage: string;
  /** The folder with the lockfile of an agent. */
  readonly locked: (agent: string) => string;
  /** What is shown may be different now. */
  readonly changed: () => void;
}

type Item = vscode.QuickPickItem & {
  readonly run?: () => unknown;
  readonly signOut?: () => unknown;
};

/** One list that says how each agent stands; choosing a line does the next thing about it. */
export class Setup {
  readonly #services: Services;
  readonly #tools: SetupTools;

  constructor(services: Services, tools: SetupTools) {
    this.#services = services;
    this.#tools = tools;
  }

  async show(): Promise<void> {
    const list = vscode.window.createQuickPick<Item>();
    list.title = t("Turnline setup");
    list.placeholder = t("Choose a line to fix or to use it");
    list.matchOnDescription = true;
    // It fills while agents are tried: a chat that takes the focus meanwhile must not close it.
    list.ignoreFocusOut = true;
    list.busy = true;
    const ids = this.#services.catalog.choices().map(({ id }) => id);
    const lines = new Map<string, Item>(
      ids.map((id) => [id, { label: `$(sync~spin) ${this.#label(id)}` }]),
    );
    const draw = (): void => {
      list.items = [...lines.values(), ...this.#further()];
    };
    draw();
    list.onDidAccept(() => {
      const [chosen] = list.selectedItems;
      if (chosen?.run === undefined) return;
      list.hide();
      void chosen.run();
    });
    list.onDidTriggerItemButton(({ item }) => {
      list.hide();
      void item.signOut?.();
    });
    const closed = new AbortController();
    list.onDidHide(() => {
      closed.abort();
      list.dispose();
    });
    list.show();
    await this.#services.catalog.lookFurther();
    // Side by side: one that hangs delays nobody.
    await Promise.all(
      ids.map(async (id) => {
        const line = await this.#line(id, closed.signal);
        if (closed.signal.aborted) return;
        lines.set(id, line);
        draw();
      }),
    );
    list.busy = false;
  }

  /** Installs a known agent once the user agrees; true when it is there. */
  async install(id: string): Promise<boolean> {
    const agent = knownAgent(id);
    if (agent === undefined) return false;
    if (!vscode.workspace.isTrusted) {
      const manage = t("Manage trust");
      const answer = await vscode.window.showWarningMessage(untrusted, manage);
      if (answer === manage) await manageTrust();
      return false;
    }
    const { storage, locked, changed } = this.#tools;
    const agree = t("Install {0}", agent.version);
    const answer = await vscode.window.showInformationMessage(
      t("Install {0}?", agent.label),
      {
        modal: true,
        detail: t(
          "{0} {1}, about {2} MB, with your npm, into Turnline's own folder. Every package is checked against its hash.",
          agent.package,
          agent.version,
          agent.megabytes,
        ),
      },
      agree,
    );
    if (answer !== agree) return false;
    const done = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: t("Installing {0}", agent.label),
        cancellable: true,
      },
      async (bar, token) => {
        let shown = 0;
        await this.#services.catalog.askShell();
        const stop = new AbortController();
        token.onCancellationRequested(() => stop.abort());
        return installAgent(agent, {
          storage,
          locked: locked(id),
          signal: stop.signal,
          searchPath: this.#services.catalog.searchPath(),
          progress: (part) => {
            bar.report({
              increment: (part - shown) * 100,
              message: `${Math.round(part * 100)} %`,
            });
            shown = part;
          },
        });
      },
    );
    if (!done.ok)
      void vscode.window.showErrorMessage(
        t("{0} could not be installed. {1}", agent.label, done.why),
      );
    changed();
    return done.ok;
  }

  /** Signs in and, when that worked, lets what waited for it go on. */
  async signIn(id: string): Promise<boolean> {
    const { engine, ready } = this.#services;
    const spec = await ready.resolve(id);
    if (!spec.ok) {
      void vscode.window.showWarningMessage(spec.failure.message);
      return false;
    }
    if (!(await signIn(spec.value, this.#tools))) return false;
    engine.retire(id);
    for (const { id: thread, agent } of engine.threads())
      if (agent === id && engine.snapshot(thread)?.queue.held === "signIn")
        await engine.resume(thread);
    return true;
  }

  /** Signs out; processes that still know the account end. */
  async signOut(id: string): Promise<boolean> {
    const { engine, ready } = this.#services;
    const spec = await ready.resolve(id);
    if (!spec.ok) {
      void vscode.window.showWarningMessage(spec.failure.message);
      return false;
    }
    if (!(await signOut(spec.value, this.#tools))) return false;
    engine.retire(id);
    return true;
  }

  #label(id: string): string {
    return this.#services.catalog.label(id);
  }

  async #line(id: string, signal: AbortSignal): Promise<Item> {
    const { catalog, ready } = this.#services;
    const place = catalog.locate(id);
    const label = this.#label(id);
    const command = place && [place.spec.command, ...place.spec.args].join(" ");
    if (!vscode.workspace.isTrusted)
      return {
        label: `$(shield) ${label}`,
        description: command ?? t("not installed"),
        detail: untrusted,
        run: () => manageTrust(),
      };
    if (command === undefined)
      return {
        label: `$(cloud-download) ${label}`,
        description: t("not installed"),
        detail: t("Choose to install it."),
        run: () => this.install(id),
      };
    const spec = await ready.resolve(id);
    if (!spec.ok) return secretLine(label, command, spec.failure.message);
    const found = await inspectAgent(spec.value, this.#tools.loan, signal);
    return { ...this.#told(id, label, found), description: command };
  }

  #told(id: string, label: string, found: Inspection): Item {
    switch (found.kind) {
      case "works": {
        const { capabilities, account } = found;
        const who =
          account === undefined
            ? t("Signed in or needs no account")
            : t("Signed in ({0})", account);
        return {
          label: `$(pass) ${label} ${capabilities.version}`,
          detail: `${who} · ${toldOf(capabilities)}`,
          ...(capabilities.extras?.signOut === true
            ? {
                buttons: [
                  {
                    iconPath: new vscode.ThemeIcon("sign-out"),
                    tooltip: t("Sign out of {0}", label),
                  },
                ],
                signOut: () => this.signOut(id),
              }
            : {}),
        };
      }
      case "signIn":
        return {
          label: `$(account) ${label} ${found.capabilities.version}`,
          detail: t("Choose to sign in · {0}", toldOf(found.capabilities)),
          run: () => this.signIn(id),
        };
      case "fails":
        return {
          label: `$(error) ${label}`,
          detail: t("{0} Choose to see the log.", failureLine(found.failure)),
          run: () => vscode.commands.executeCommand("turnline.showLog"),
        };
      default:
        return assertNever(found);
    }
  }

  #further(): readonly Item[] {
    const { trace } = this.#tools;
    return [
      { label: "", kind: vscode.QuickPickItemKind.Separator },
      {
        label: `$(settings-gear) ${t("Agents in settings")}`,
        run: () =>
          vscode.commands.executeCommand(
            "workbench.action.openSettings",
            "turnline.agents",
          ),
      },
      {
        label: `$(output) ${t("Show log")}`,
        run: () => vscode.commands.executeCommand("turnline.showLog"),
      },
      {
        label: trace.on
          ? `$(debug-stop) ${t("Stop the protocol trace")}`
          : `$(record) ${t("Trace the protocol")}`,
        run: () => trace.toggle(),
      },
    ];
  }
}

function manageTrust(): Thenable<unknown> {
  return vscode.commands.executeCommand("workbench.trust.manage");
}

/** What keeps it from being started is a secret that the settings name. */
function secretLine(label: string, command: string, why: string): Item {
  const name = missingSecret(why);
  return {
    label: `$(key) ${label}`,
    description: command,
    detail: name === undefined ? why : t("{0} Choose to set it.", why),
    run: () =>
      name === undefined
        ? vscode.commands.executeCommand("turnline.showLog")
        : vscode.commands.executeCommand("turnline.setSecret", name),
  };
}
