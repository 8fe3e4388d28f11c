import * as vscode from "vscode";
import type { ThreadSnapshot } from "../core/dispatch/changes.ts";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import { currentThread } from "./currentThread.ts";
import type { Services } from "./services.ts";

/** What `when` clauses in package.json can ask about the chat and the thread in front. */
export type ContextKey =
  "thread" | "turn" | "queued" | "severalQueued" | "held" | "chatFocused";

/** Keeps the context keys `turnline.…` true. */
export function keepContextKeys(
  surfaces: ChatSurfaces,
  services: Pick<Services, "engine" | "book">,
): vscode.Disposable {
  const told = new Map<string, boolean>();
  const look = (): void => {
    const thread = currentThread(surfaces, services);
    const keys: Readonly<Record<ContextKey, boolean>> = {
      ...keysOf(
        thread === undefined ? undefined : services.engine.snapshot(thread),
      ),
      chatFocused: surfaces.focused(),
    };
    for (const [key, value] of Object.entries(keys)) {
      if (told.get(key) === value) continue;
      told.set(key, value);
      void vscode.commands.executeCommand(
        "setContext",
        `turnline.${key}`,
        value,
      );
    }
  };
  look();
  const stop = services.engine.onChange(({ kind }) => {
    if (kind !== "text" && kind !== "message") look();
  });
  return vscode.Disposable.from(surfaces.onFront(look), { dispose: stop });
}

function keysOf(
  snapshot: ThreadSnapshot | undefined,
): Readonly<Record<Exclude<ContextKey, "chatFocused">, boolean>> {
  const waiting = snapshot?.queue.items.length ?? 0;
  return {
    thread: snapshot !== undefined,
    turn: snapshot !== undefined && snapshot.turn !== null,
    queued: waiting > 0,
    severalQueued: waiting > 1,
    held: snapshot !== undefined && snapshot.queue.held !== null,
  };
}
