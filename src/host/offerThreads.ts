import * as vscode from "vscode";
import type { Engine } from "../core/engine.ts";
import type { Home } from "./home.ts";
import type { ThreadBook } from "./threadBook.ts";
import { t } from "../util/l10n.ts";

export type Brought =
  | {
      readonly kind: "brought";
      readonly threads: number;
      readonly failed: readonly string[];
    }
  | { readonly kind: "inUse" };

/** What another workspace's record of the same folder holds for this one. */
export interface Elsewhere {
  /** Brings its threads in. */
  bring(): Promise<Brought>;
}

export interface OfferParts {
  readonly engine: Pick<Engine, "threads" | "takeOver">;
  readonly book: Pick<ThreadBook, "lookAll">;
  readonly home: Pick<Home, "readOnly">;
}

/**
 * VS Code takes a workspace that was moved, saved or given another folder for a new one.
 * When its folder is known, the threads are offered rather than missed; once, when the folder is known to VS Code too.
 */
export function offerThreads(
  parts: OfferParts,
  find: () => readonly Elsewhere[],
): () => void {
  let offered = false;
  return () => {
    const { engine, home } = parts;
    if (offered || engine.threads().length > 0) return;
    // What can only be read takes nothing in.
    if (home.readOnly !== null) return;
    const elsewhere = find();
    offered = elsewhere.length > 0;
    if (offered) void offer(elsewhere, parts);
  };
}

async function offer(
  elsewhere: readonly Elsewhere[],
  { engine, book, home }: OfferParts,
): Promise<void> {
  const answer = await vscode.window.showInformationMessage(
    t("Turnline knows threads of this folder from another workspace."),
    t("Bring Them Here"),
    t("Not Now"),
  );
  if (answer !== t("Bring Them Here")) return;
  if (home.readOnly !== null) {
    void vscode.window.showWarningMessage(
      t("No threads were brought. {0}", home.readOnly),
    );
    return;
  }
  const outcomes: Brought[] = [];
  for (const one of elsewhere) outcomes.push(await one.bring());
  await engine.takeOver();
  book.lookAll();
  const { text, complete } = tellBrought(outcomes);
  if (complete) void vscode.window.showInformationMessage(text);
  else void vscode.window.showWarningMessage(text);
}

/** What came, and what did not and why. */
export function tellBrought(outcomes: readonly Brought[]): {
  readonly text: string;
  readonly complete: boolean;
} {
  const brought = outcomes.filter((one) => one.kind === "brought");
  const threads = brought.reduce((sum, one) => sum + one.threads, 0);
  const failed = brought.flatMap((one) => one.failed);
  const inUse = outcomes.length - brought.length;
  return {
    text: [
      threads === 1
        ? t("Brought 1 thread.")
        : t("Brought {0} threads.", threads),
      ...(inUse === 0
        ? []
        : [
            t(
              "The other workspace is open in another window. Close that, then reload this one to bring its threads.",
            ),
          ]),
      ...failed.map((why) => t("Some could not be read: {0}.", why)),
    ].join(" "),
    complete: inUse === 0 && failed.length === 0,
  };
}
