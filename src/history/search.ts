import type { SearchHit, SearchPage, SearchQuery } from "../core/recordPort.ts";
import { wanted } from "../core/recordSearch.ts";
import { plainText } from "../core/recordText.ts";
import type { Connection } from "./connection.ts";
import { readMessage } from "./rows.ts";
import { indexDue } from "./searchIndex.ts";
import { walk } from "./searchWalk.ts";
import type { Sliced } from "./slices.ts";

/** Rows looked at for one answer: the first comes promptly however long the history is, others reach further. */
const [firstLook, laterLook] = [1_000, 5_000];

/** Newest first, by the index of words where there is one, else by looking through the texts. */
export function* search(
  connection: Connection,
  query: SearchQuery,
  by: { readonly fullText: boolean; readonly mayIndex: boolean },
): Sliced<SearchPage> {
  const asked = wanted(query.text);
  const words = by.fullText ? (asked.words ?? []) : [];
  const { indexed, steps } = walk(connection, query, asked, words);
  if (indexed && by.mayIndex) while (indexDue(connection) > 0) yield;
  const found: { readonly n: number; readonly hit: SearchHit }[] = [];
  let left = query.from === undefined ? firstLook : laterLook;
  for (const { rows, looked, below } of steps) {
    for (const row of rows) {
      const message = readMessage(row);
      const text = plainText(message.body);
      if (text === "" || (!indexed && !asked.matches(text))) continue;
      const hit = { message, excerpt: asked.excerpt(text) };
      found.push({ n: Number(row["n"]), hit });
      if (found.length > query.limit) break;
    }
    left -= looked;
    if (found.length > query.limit) break;
    if (left <= 0) return { hits: found.map(({ hit }) => hit), next: below };
    yield;
  }
  const page = found.slice(0, query.limit);
  return {
    hits: page.map(({ hit }) => hit),
    next: found.length > page.length ? (page.at(-1)?.n ?? null) : null,
  };
}
