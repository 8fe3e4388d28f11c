import * as vscode from "vscode";
import { snowflakeTime } from "../core/snowflake.ts";
import type { SearchHit } from "../core/recordPort.ts";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import { foundPlace } from "./findInThread.ts";
import { searchWords } from "./searchWords.ts";
import type { Services } from "./services.ts";
import { t } from "../util/l10n.ts";

interface HitItem extends vscode.QuickPickItem {
  /** Absent where the list says something instead. */
  readonly hit?: SearchHit;
  /** What was looked for, filters aside. */
  readonly words?: string;
}

const hitsAtOnce = 60;

/** Everything that was ever said, newest first; a choice opens the chat there. */
export function searchCommands(
  surfaces: ChatSurfaces,
  services: Services,
): Readonly<Record<string, () => unknown>> {
  return {
    search: () => {
      const pick = vscode.window.createQuickPick<HitItem>();
      pick.title = t("Search all threads");
      pick.placeholder = t(
        "Text, agent:name, thread:name, before:2026-01-31, is:queued, has:diff",
      );
      pick.matchOnDescription = true;
      let round = 0;
      const look = async (typed: string): Promise<void> => {
        const mine = ++round;
        pick.busy = true;
        const items = await itemsFor(services, typed);
        // A slower answer to an earlier question is no answer.
        if (mine !== round) return;
        pick.items = items;
        pick.busy = false;
      };
      pick.onDidChangeValue((typed) => void look(typed));
      pick.onDidAccept(() => {
        const { hit, words = "" } = pick.selectedItems[0] ?? {};
        pick.hide();
        if (hit !== undefined) void open(surfaces, hit, words);
      });
      pick.onDidHide(() => {
        round += 1;
        pick.dispose();
      });
      pick.show();
      return look("");
    },
  };
}

async function itemsFor(
  { store, book, catalog, log }: Services,
  typed: string,
): Promise<readonly HitItem[]> {
  const threads = book.summaries();
  const asked = searchWords(typed, { agents: catalog.choices(), threads });
  if (!asked.ok) return [said(asked.why)];
  try {
    const { hits } = await store.search({ ...asked.query, limit: hitsAtOnce });
    if (hits.length === 0) return [said(t("Nothing was found."))];
    const titles = new Map(threads.map(({ id, title }) => [id, title]));
    return hits.map((hit) => ({
      ...item(hit, titles.get(hit.message.thread) ?? ""),
      words: asked.query.text,
    }));
  } catch (error) {
    log.warn("search.failed", { error: String(error) });
    return [said(t("The history could not be searched."))];
  }
}

function item(hit: SearchHit, title: string): HitItem {
  const { message, excerpt } = hit;
  const time = new Date(snowflakeTime(message.arrived)).toLocaleString();
  return {
    hit,
    label: plain(excerpt),
    description: message.sender.name,
    detail: plain(
      `${title || t("New thread")} · ${message.state === "queued" ? t("{0}, queued", time) : time}`,
    ),
    // What matched may be beyond the excerpt.
    alwaysShow: true,
  };
}

/** `$(name)` in a list draws an icon: what was said is shown as it was said. */
function plain(text: string): string {
  return text.replaceAll("$(", "$\u200b(");
}

function said(label: string): HitItem {
  return { label, alwaysShow: true };
}

async function open(
  surfaces: ChatSurfaces,
  { message }: SearchHit,
  words: string,
): Promise<void> {
  const { id, batch, position, thread } = message;
  await surfaces.reveal(thread, foundPlace(id, batch ?? position, words));
}
