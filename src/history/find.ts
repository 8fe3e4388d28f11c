import { ThreadFind } from "../core/recordFind.ts";
import type { FindQuery, Found } from "../core/recordFind.ts";
import type { Connection } from "./connection.ts";
import { readPage } from "./reads.ts";
import type { Sliced } from "./slices.ts";

/** Rows looked at before others get their turn. */
const rowsPerSlice = 200;

/** Every place of one thread that holds a text, as a reader would find it: parts of words too. */
export function* find(
  connection: Connection,
  query: FindQuery,
): Sliced<readonly Found[]> {
  const found = new ThreadFind(query);
  if (found.wantsNothing) return [];
  let after = "";
  for (;;) {
    const { messages, more } = readPage(connection, query.thread, {
      after,
      limit: rowsPerSlice,
    });
    for (const row of messages) found.take(row);
    after = messages.at(-1)?.position ?? after;
    if (!more) return found.finish();
    yield;
  }
}
