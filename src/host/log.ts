import * as vscode from "vscode";
import type { Log } from "../core/ports.ts";
import type { Disposable } from "../util/disposables.ts";
import { redacted } from "../util/redact.ts";

export interface OutputLog extends Log, Disposable {
  show(): void;
}

/** The "Turnline" output channel; one line per event, its data as JSON. */
export function createLog(hide: (text: string) => string): OutputLog {
  const channel = vscode.window.createOutputChannel("Turnline", { log: true });
  const line = (
    event: string,
    data?: Readonly<Record<string, unknown>>,
  ): string =>
    data === undefined ? event : `${event} ${hide(redacted(data))}`;
  const write =
    (level: "debug" | "info" | "warn" | "error"): Log["info"] =>
    (event, data) => {
      try {
        channel[level](line(event, data));
      } catch {
        // VS Code closes channels before it lets us end: a log must not stand in the way of that.
      }
    };
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    show: () => channel.show(),
    dispose: () => channel.dispose(),
  };
}
