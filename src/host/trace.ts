import * as vscode from "vscode";
import type { Disposable } from "../util/disposables.ts";
import { redacted } from "../util/redact.ts";
import { t } from "../util/l10n.ts";

/** Every message of the protocol, on demand and without its secrets, in an output channel of its own. */
export class Trace implements Disposable {
  readonly #hide: (text: string) => string;
  #channel: vscode.OutputChannel | undefined;
  #on = false;

  constructor(hide: (text: string) => string) {
    this.#hide = hide;
  }

  get on(): boolean {
    return this.#on;
  }

  toggle(): void {
    this.#on = !this.#on;
    if (this.#on) this.show();
    else
      void vscode.window.showInformationMessage(
        t("The protocol is not traced."),
      );
  }

  /** What was traced so far stays readable once it has been stopped. */
  show(): void {
    this.#channel ??= vscode.window.createOutputChannel(
      t("Turnline Protocol"),
      "jsonl",
    );
    this.#channel.show(true);
  }

  write(agent: string, direction: string, message: unknown): void {
    if (!this.#on) return;
    const at = new Date().toISOString();
    this.#channel?.appendLine(
      this.#hide(redacted({ at, agent, direction, message })),
    );
  }

  dispose(): void {
    this.#channel?.dispose();
  }
}
