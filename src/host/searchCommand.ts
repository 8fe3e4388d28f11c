import * as vscode from "vscode";
import { snowflakeTime } from "../core/snowflake.ts";
import type { SearchHit } from "../core/recordPort.ts";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import { foundPlace } from "./findInThread.ts";
import { searchPages } from "./searchPages.ts";
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
      keepOrder(pick);
      let round = 0;
      const look = async (typed: string): Promise<void> => {
        const mine = ++round;
        pick.busy = true;
        for await (const items of itemsFor(services, typed)) {
          // What was typed since is another question.
          if (mine !== round) return;
          show(pick, items);
        }
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

/** VS Code would sort by label while one types; the property is there in every version we run in, though not yet in its types. */
function keepOrder(pick: vscode.QuickPick<HitItem>): void {
  try {
    Object.assign(pick, { sortByLabel: false });
  } catch {
    // A version that refuses it sorts as it likes.
  }
}

/** More of the same leaves the row that is chosen as it is. */
function show(
  pick: vscode.QuickPick<HitItem>,
  items: readonly HitItem[],
): void {
  const [active] = pick.activeItems;
  const at = active === undefined ? -1 : pick.items.indexOf(active);
  pick.items = items;
  const same = items[at];
  if (at > 0 && same?.hit?.message.id === active?.hit?.message.id && same)
    pick.activeItems = [same];
}

/** What to show, and again as more is found. */
async function* itemsFor(
  { store, book, catalog, log }: Services,
  typed: string,
): AsyncGenerator<readonly HitItem[]> {
  const threads = book.summaries();
  const asked = searchWords(typed, { agents: catalog.choices(), threads });
  if (!asked.ok) {
    yield [said(asked.why)];
    return;
  }
  const titles = new Map(threads.map(({ id, title }) => [id, title]));
  const query = { ...asked.query, limit: hitsAtOnce };
  try {
    for await (const { hits, goesOn } of searchPages(store, query))
      if (hits.length > 0)
        yield hits.map((hit) => ({
          ...item(hit, titles.get(hit.message.thread) ?? ""),
          words: asked.query.text,
        }));
      else yield goesOn ? [] : [said(t("Nothing was found."))];
  } catch (error) {
    log.warn("search.failed", { error: String(error) });
    yield [said(t("The history could not be searched."))];
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
