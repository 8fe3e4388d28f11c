import * as vscode from "vscode";
import type { SignInMethod } from "../core/agentFeatures.ts";
import type { AgentSpec, Answer } from "../core/agentPort.ts";
import type { AgentLoan } from "./agentLoan.ts";
import type { Secrets } from "./secrets.ts";
import { askPage } from "./signInPage.ts";
import { t } from "../util/l10n.ts";

export interface SignInTools {
  readonly loan: AgentLoan;
  readonly secrets: Secrets;
  readonly openLink: (url: string) => Promise<boolean>;
  /** What to run in a terminal for a method of that kind. */
  readonly terminal: (
    spec: AgentSpec,
    method: Extract<SignInMethod, { kind: "terminal" }>,
  ) => {
    readonly file: string;
    readonly args: readonly string[] | string;
    readonly env: Readonly<Record<string, string>>;
  };
}

/** A page in a browser that nobody looks at any more ends the wait too. */
const limitMs = 10 * 60_000;

/** Lets the user sign in to an agent by one of its own methods; true when that worked. */
export async function signIn(
  spec: AgentSpec,
  tools: SignInTools,
): Promise<boolean> {
  // What an agent offers depends on what it can ask of the user.
  const asked = await tools.loan.use(
    spec,
    ({ capabilities }) => Promise.resolve(capabilities.extras?.signIn ?? []),
    { answer: () => Promise.resolve({ action: "cancel" }) },
  );
  if (!asked.ok) return told(asked.failure.message);
  const method = await pick(spec.label, asked.value);
  if (method === undefined) return false;
  if (method.kind === "terminal") return inTerminal(spec, method, tools);
  const { id } = method;
  const key = method.key === true ? await askKey(spec, method, tools) : "";
  if (key === undefined) return false;
  // Before it goes anywhere: an agent that refuses it may quote it.
  tools.secrets.hide(key);
  const title = t("Signing in to {0}", spec.label);
  const done = await whileWaiting(title, (signal, say) =>
    tools.loan.use<Answer<true>>(
      spec,
      async ({ features }) =>
        (await features?.signIn(id, key === "" ? undefined : key)) ?? worked,
      {
        signal,
        answer: (asked) => {
          // Stays in view while the page is: it may hold the code to type there.
          say(asked.message);
          return askPage(spec.label, asked, tools.openLink);
        },
      },
    ),
  );
  if (done === "stopped") return false;
  if (done === "late")
    return told(t("Signing in to {0} took too long. Try again.", spec.label));
  const answer = done.ok ? done.value : done;
  if (!answer.ok) return told(answer.failure.message);
  if (key !== "") await tools.secrets.set(keyName(spec), key);
  return true;
}

/** True when the agent has let go of the account. */
export async function signOut(
  spec: AgentSpec,
  { loan, secrets }: SignInTools,
): Promise<boolean> {
  const done = await loan.use(
    spec,
    async ({ capabilities, features }): Promise<Answer<true> | undefined> =>
      capabilities.extras?.signOut === true ? features?.signOut() : undefined,
  );
  if (!done.ok) return told(done.failure.message);
  if (done.value === undefined)
    return told(
      t(
        "{0} offers no way to sign out from here. Its own command does.",
        spec.label,
      ),
    );
  if (!done.value.ok) return told(done.value.failure.message);
  await secrets.delete(keyName(spec));
  void vscode.window.showInformationMessage(
    t("Signed out of {0}.", spec.label),
  );
  return true;
}

const worked = { ok: true, value: true } as const;

const keyName = ({ id }: AgentSpec): string => `sign-in.${id}`;

/** The wait can be given up, and ends by itself. */
async function whileWaiting<T>(
  title: string,
  work: (signal: AbortSignal, say: (message: string) => void) => Promise<T>,
): Promise<T | "stopped" | "late"> {
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title,
      cancellable: true,
    },
    async (bar, token) => {
      const stop = new AbortController();
      let why: "stopped" | "late" | undefined;
      const end = (reason: "stopped" | "late"): void => {
        why ??= reason;
        stop.abort();
      };
      token.onCancellationRequested(() => end("stopped"));
      const timer = setTimeout(() => end("late"), limitMs);
      try {
        const done = await work(stop.signal, (message) =>
          bar.report({ message }),
        );
        return why ?? done;
      } finally {
        clearTimeout(timer);
      }
    },
  );
}

async function pick(
  label: string,
  methods: readonly SignInMethod[],
): Promise<SignInMethod | undefined> {
  if (methods.length === 0) {
    told(
      t("{0} offers no way to sign in from here. Its own command does.", label),
    );
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    methods.map((method) => ({
      label: method.name,
      ...(method.description === undefined
        ? {}
        : { detail: method.description }),
      method,
    })),
    { title: t("Sign in to {0}", label) },
  );
  return picked?.method;
}

/** One that was given before is used again when nothing is typed. */
async function askKey(
  spec: AgentSpec,
  { name }: SignInMethod,
  { secrets }: SignInTools,
): Promise<string | undefined> {
  const before = await secrets.get(keyName(spec));
  const typed = await vscode.window.showInputBox({
    title: t("{0} for {1}", name, spec.label),
    prompt:
      before === undefined
        ? t("Kept by VS Code in your keychain.")
        : t("Leave it empty to use the one you gave before."),
    password: true,
    ignoreFocusOut: true,
  });
  if (typed === undefined) return undefined;
  return typed === "" ? before : typed;
}

/** The agent's own command in a terminal: its exit code is the answer. */
function inTerminal(
  spec: AgentSpec,
  method: Extract<SignInMethod, { kind: "terminal" }>,
  tools: SignInTools,
): Promise<boolean> {
  const { file, args, env } = tools.terminal(spec, method);
  const terminal = vscode.window.createTerminal({
    name: t("Sign in to {0}", spec.label),
    shellPath: file,
    shellArgs: typeof args === "string" ? args : [...args],
    env,
    isTransient: true,
  });
  terminal.show();
  return new Promise((resolve) => {
    const closing = vscode.window.onDidCloseTerminal((closed) => {
      if (closed !== terminal) return;
      closing.dispose();
      resolve(closed.exitStatus?.code === 0);
    });
  });
}

function told(message: string): false {
  void vscode.window.showWarningMessage(message);
  return false;
}
