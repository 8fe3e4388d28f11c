import * as vscode from "vscode";
import { snowflakeTime } from "../core/snowflake.ts";
import type { Disposable } from "../util/disposables.ts";
import { draftBlocks } from "./messageContent.ts";
import { nextText, sentText } from "./previewText.ts";
import { sentIn } from "./previewSent.ts";
import { savingsIn } from "./savings.ts";
import { savingsText } from "./savingsText.ts";
import type { Services } from "./services.ts";
import { t } from "../util/l10n.ts";

const scheme = "turnline-prompt";
/** While someone types, a preview need not keep up with every letter. */
const settleMs = 150;

type Ends = Omit<Services, "prompts">;

/** What a read-only tab tells. */
export type Shown =
  | { readonly kind: "next"; readonly thread: string }
  | { readonly kind: "sent"; readonly thread: string; readonly batch: string }
  | { readonly kind: "savings" };

/** Read-only tabs on what goes to agents and what went. They have their text also after a reload. */
export class Prompts implements Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #owned: vscode.Disposable;
  #due: NodeJS.Timeout | undefined;

  constructor(ends: Ends) {
    const provider = vscode.workspace.registerTextDocumentContentProvider(
      scheme,
      {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: async (uri) => {
          const shown = shownBy(uri);
          return shown === undefined ? gone : textOf(ends, shown);
        },
      },
    );
    const stop = ends.engine.onChange(({ kind }) => {
      if (kind === "queue" || kind === "turn" || kind === "status")
        this.foresee();
    });
    const dispose = (): void => {
      stop();
      clearTimeout(this.#due);
    };
    this.#owned = vscode.Disposable.from(provider, this.#changed, { dispose });
  }

  /** Opens it, or brings it to the front, with what is so now. */
  async show(shown: Shown): Promise<void> {
    const uri = vscode.Uri.from({
      scheme,
      path: `/${names[shown.kind]}.md`,
      query: new URLSearchParams({ ...shown }).toString(),
    });
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  /** What a next turn will send may have changed: what is typed, queued, set, selected. Told at once for many changes. */
  foresee(): void {
    this.#due ??= setTimeout(() => this.#foresee(), settleMs);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #foresee(): void {
    this.#due = undefined;
    for (const { uri } of vscode.workspace.textDocuments)
      if (shownBy(uri)?.kind === "next") this.#changed.fire(uri);
  }
}

async function textOf(ends: Ends, shown: Shown): Promise<string> {
  const { engine, store, catalog, drafts, settings, book } = ends;
  switch (shown.kind) {
    case "next": {
      const typed = await draftBlocks(drafts.get(shown.thread), store);
      const next = await engine.preview(
        shown.thread,
        typed.ok ? typed.blocks : [],
        book.draft(shown.thread),
      );
      if (next === undefined) return gone;
      return typed.ok || next.messages.length > 0
        ? nextText(next)
        : `${typed.detail}\n`;
    }
    case "sent":
      return sentText(await sentIn(store, shown.thread, shown.batch), {
        agent: (id) => catalog.label(id),
        time: (position) => new Date(snowflakeTime(position)).toLocaleString(),
      });
    case "savings": {
      const { contextBudgetTokens } = settings().dispatch;
      const threads = book.summaries();
      return savingsText(await savingsIn(store, threads, contextBudgetTokens));
    }
  }
}

const names = {
  next: t("Next turn"),
  sent: t("What was sent"),
  savings: t("Savings"),
} as const;

const gone = `${t("This is not there any more.")}\n`;

function shownBy(uri: vscode.Uri): Shown | undefined {
  if (uri.scheme !== scheme) return undefined;
  const query = new URLSearchParams(uri.query);
  const thread = query.get("thread");
  const batch = query.get("batch");
  switch (query.get("kind") ?? "") {
    case "next":
      return thread === null ? undefined : { kind: "next", thread };
    case "sent":
      return thread === null || batch === null
        ? undefined
        : { kind: "sent", thread, batch };
    case "savings":
      return { kind: "savings" };
    default:
      return undefined;
  }
}
