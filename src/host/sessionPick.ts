import { realpathSync } from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import type { ListedSession, SessionPage } from "../core/agentFeatures.ts";
import type { Answer } from "../core/agentPort.ts";
import { t } from "../util/l10n.ts";

export type PickedSession =
  | { readonly kind: "picked"; readonly session: ListedSession }
  /** `why` is there when the user has something to learn from it. */
  | { readonly kind: "none"; readonly why?: string };

type Item = vscode.QuickPickItem & {
  readonly session?: ListedSession;
  readonly more?: string;
};

/** A list of an agent's sessions of one folder, a page at a time. */
export function pickSession(
  label: string,
  folder: string,
  page: (cursor?: string) => Promise<Answer<SessionPage>>,
  isHere: (session: ListedSession) => boolean,
): Promise<PickedSession> {
  const list = vscode.window.createQuickPick<Item>();
  list.title = t("Import a session of {0}", label);
  list.placeholder = t("Sessions in {0}, newest first", path.basename(folder));
  list.matchOnDescription = true;
  list.ignoreFocusOut = true;
  const sessions: ListedSession[] = [];
  return new Promise((resolve) => {
    const end = (picked: PickedSession): void => {
      resolve(picked);
      list.dispose();
    };
    const look = async (cursor?: string): Promise<void> => {
      list.busy = true;
      const answer = await page(cursor);
      if (!answer.ok) {
        end({ kind: "none", why: answer.failure.message });
        return;
      }
      const fit = answer.value.sessions.filter(isOf(folder));
      sessions.push(...fit);
      const { next } = answer.value;
      // A page that holds nothing of this folder says nothing about the next one.
      if (fit.length === 0 && next !== undefined) return look(next);
      if (sessions.length === 0) {
        end({
          kind: "none",
          why: t("{0} has no sessions of this folder.", label),
        });
        return;
      }
      list.items = [
        ...sessions.map((session) => itemOf(session, isHere(session))),
        ...(next === undefined
          ? []
          : [
              {
                label: `$(ellipsis) ${t("Load more")}`,
                alwaysShow: true,
                more: next,
              },
            ]),
      ];
      list.busy = false;
    };
    list.onDidAccept(() => {
      const [chosen] = list.selectedItems;
      if (chosen?.more !== undefined) void look(chosen.more);
      else if (chosen?.session !== undefined)
        end({ kind: "picked", session: chosen.session });
    });
    list.onDidHide(() => end({ kind: "none" }));
    list.show();
    void look();
  });
}

function itemOf(session: ListedSession, here: boolean): Item {
  const { title, sessionId } = session;
  const time = usedAt(session);
  return {
    label: title === undefined || title === "" ? t("Untitled session") : title,
    description: [
      ...(time === undefined ? [] : [new Date(time).toLocaleString()]),
      ...(here ? [t("in Turnline already")] : []),
    ].join(" · "),
    detail: sessionId,
    session,
  };
}

/** When a session was last used, where the agent tells. */
export function usedAt({ updatedAt }: ListedSession): number | undefined {
  const told = Date.parse(updatedAt ?? "");
  return Number.isNaN(told) || told <= 0 ? undefined : told;
}

/** Not every agent looks at the folder it is asked about. */
function isOf(folder: string): (session: ListedSession) => boolean {
  const wanted = real(folder);
  return (session) => session.folder === "" || real(session.folder) === wanted;
}

function real(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return path.resolve(folder);
  }
}
