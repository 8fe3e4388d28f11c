import type { MessageState } from "../core/message.ts";
import type { SearchHit, SearchPage, SearchQuery } from "../core/recordPort.ts";
import { wanted } from "../core/recordSearch.ts";
import type { Wanted } from "../core/recordSearch.ts";
import { plainText } from "../core/recordText.ts";
import { snowflake } from "../core/snowflake.ts";
import type { Connection, Row } from "./connection.ts";
import { toText } from "./plain.ts";
import { messageColumns, readMessage } from "./rows.ts";
import { indexDue } from "./searchIndex.ts";
import type { Sliced } from "./slices.ts";

/** Rows looked at before others get their turn. */
const rowsPerSlice = 200;
/** How many matches are asked for at a time: more each time, since finding where to go on costs more each time. */
const matchesAsked = [200, 2000, 20_000];
/** Few messages are ever in these, and an index holds just them: they are looked through one by one. */
const rareStates: Readonly<Partial<Record<MessageState, string>>> = {
  queued: "messageQueued",
  discarded: "messageDiscarded",
};

/** Newest first, by the index of words where there is one, else by looking through the texts. */
export function* search(
  connection: Connection,
  query: SearchQuery,
  by: { readonly fullText: boolean; readonly mayIndex: boolean },
): Sliced<SearchPage> {
  const asked = wanted(query.text);
  const rare = query.state !== undefined && query.state in rareStates;
  const words = by.fullText && !rare ? (asked.words ?? []) : [];
  const indexed = words.length > 0;
  if (indexed && by.mayIndex) while (indexDue(connection) > 0) yield;
  const candidates = indexed
    ? lookUp(connection, query, words)
    : rare
      ? lookThroughState(connection, query)
      : lookThrough(connection, query, asked);
  const found: { readonly n: number; readonly hit: SearchHit }[] = [];
  for (const rows of candidates) {
    for (const row of rows) {
      const message = readMessage(row);
      const text = plainText(message.body);
      if (text === "" || (!indexed && !asked.matches(text))) continue;
      const hit = { message, excerpt: asked.excerpt(text) };
      found.push({ n: Number(row["n"]), hit });
      if (found.length > query.limit) break;
    }
    if (found.length > query.limit) break;
    yield;
  }
  const page = found.slice(0, query.limit);
  return {
    hits: page.map(({ hit }) => hit),
    next: found.length > page.length ? (page.at(-1)?.n ?? null) : null,
  };
}

function* lookUp(
  connection: Connection,
  query: SearchQuery,
  words: readonly string[],
): Generator<readonly Row[]> {
  const asked = `${words.map((word) => `"${word}"`).join(" ")}*`;
  const filter = filterOf(query);
  let below = query.from ?? Number.MAX_SAFE_INTEGER;
  for (let round = 0; ; round += 1) {
    const matched = connection.all(
      `SELECT rowid AS n FROM messageText WHERE messageText MATCH ? AND rowid < ?
       ORDER BY rowid DESC LIMIT ?`,
      asked,
      below,
      matchesAsked[round] ?? matchesAsked.at(-1) ?? 0,
    );
    const last = matched.at(-1);
    if (last === undefined) return;
    for (let from = 0; from < matched.length; from += rowsPerSlice)
      yield matched
        .slice(from, from + rowsPerSlice)
        .flatMap(({ n }) =>
          connection.all(
            `SELECT n, ${messageColumns} FROM message m WHERE n = ? ${filter.sql}`,
            Number(n),
            ...filter.values,
          ),
        );
    below = Number(last["n"]);
  }
}

function* lookThroughState(
  connection: Connection,
  { state = "queued", ...query }: SearchQuery,
): Generator<readonly Row[]> {
  const filter = filterOf(query);
  yield connection.all(
    `SELECT n, ${messageColumns} FROM message m INDEXED BY ${rareStates[state] ?? ""}
     WHERE state = '${state}' AND search > 0 AND n < ? ${filter.sql} ORDER BY n DESC`,
    query.from ?? Number.MAX_SAFE_INTEGER,
    ...filter.values,
  );
}

/** LIKE knows the case of plain letters only: a text with others is looked at in full. */
const mayHaveWord = `AND (body LIKE ? OR text LIKE ?
  OR body GLOB '*[^ -~]*' OR text GLOB '*[^ -~]*')`;
const hasCharacters = "AND (body LIKE ? OR text LIKE ?)";

/** What SQLite can tell of a text faster than we can. */
function sieveOf(asked: Wanted): Filter {
  const words = (asked.words ?? []).filter((word) => /^[a-z0-9]+$/.test(word));
  const characters = asked.parts.filter((part) =>
    /^\p{Script=Han}+$/u.test(part),
  );
  return {
    sql: [
      ...words.map(() => mayHaveWord),
      ...characters.map(() => hasCharacters),
    ].join(" "),
    values: [...words, ...characters].flatMap((part) => [
      `%${part}%`,
      `%${part}%`,
    ]),
  };
}

function* lookThrough(
  connection: Connection,
  query: SearchQuery,
  asked: Wanted,
): Generator<readonly Row[]> {
  const filter = filterOf(query);
  const sieve = sieveOf(asked);
  const last = connection.number("SELECT max(n) FROM message");
  let below = Math.min(query.from ?? Number.MAX_SAFE_INTEGER, last + 1);
  while (below > 0) {
    const from = Math.max(0, below - rowsPerSlice);
    yield connection.all(
      `SELECT n, ${messageColumns} FROM message m
       WHERE n >= ? AND n < ? AND search > 0 ${filter.sql}
       ${sieve.sql} ORDER BY n DESC`,
      from,
      below,
      ...filter.values,
      ...sieve.values,
    );
    below = from;
  }
}

interface Filter {
  readonly sql: string;
  readonly values: readonly string[];
}

function filterOf(query: SearchQuery): Filter {
  const { thread, agent, before, state, has } = query;
  const parts: Filter[] = [
    {
      sql: "AND EXISTS (SELECT 1 FROM thread t WHERE t.id = m.thread AND t.deletedAt IS NULL)",
      values: [],
    },
  ];
  if (thread !== undefined)
    parts.push({ sql: "AND thread = ?", values: [toText(thread)] });
  if (agent !== undefined)
    parts.push({
      sql: "AND (agent = ? OR EXISTS (SELECT 1 FROM thread t WHERE t.id = m.thread AND t.agent = ?))",
      values: [toText(agent), toText(agent)],
    });
  if (before !== undefined)
    parts.push({ sql: "AND arrived < ?", values: [snowflake(before, 0)] });
  if (state !== undefined)
    parts.push({ sql: "AND state = ?", values: [state] });
  if (has === "diff")
    parts.push({
      sql: `AND (diff = 1 OR EXISTS
        (SELECT 1 FROM message d WHERE d.thread = m.thread AND d.batch = m.batch AND d.diff = 1))`,
      values: [],
    });
  return {
    sql: parts.map(({ sql }) => sql).join(" "),
    values: parts.flatMap(({ values }) => values),
  };
}
