import type { SearchQuery } from "../core/recordPort.ts";
import type { Wanted } from "../core/recordSearch.ts";
import { snowflake } from "../core/snowflake.ts";
import { toText } from "./plain.ts";

/** More conditions on a row of `message m`. */
export interface Filter {
  readonly sql: string;
  readonly values: readonly string[];
}

export function filterOf(query: SearchQuery): Filter {
  const { threads, agents, before, state, has } = query;
  const parts: Filter[] = [
    {
      sql: "AND EXISTS (SELECT 1 FROM thread t WHERE t.id = m.thread AND t.deletedAt IS NULL)",
      values: [],
    },
  ];
  if (threads !== undefined)
    parts.push({ sql: `AND thread IN ${places(threads)}`, values: threads });
  if (agents !== undefined)
    parts.push({
      sql: `AND (agent IN ${places(agents)} OR agent IS NULL AND EXISTS
        (SELECT 1 FROM thread t WHERE t.id = m.thread AND t.agent IN ${places(agents)}))`,
      values: [...agents, ...agents],
    });
  if (before !== undefined)
    parts.push({ sql: "AND arrived < ?", values: [snowflake(before, 0)] });
  if (state !== undefined)
    parts.push({ sql: "AND state = ?", values: [state] });
  if (has === "diff")
    parts.push({
      sql: `AND (diff = 1 OR EXISTS (SELECT 1 FROM message d INDEXED BY messageDiff
        WHERE d.thread = m.thread AND d.batch = m.batch AND d.diff = 1))`,
      values: [],
    });
  return {
    sql: parts.map(({ sql }) => sql).join(" "),
    values: parts.flatMap(({ values }) => values.map(toText)),
  };
}

function places(list: readonly string[]): string {
  return `(${list.map(() => "?").join(", ")})`;
}

/** LIKE knows the case of plain letters only: a text with others is looked at in full. */
const mayHaveWord = `AND (body LIKE ? OR text LIKE ?
  OR body GLOB '*[^ -~]*' OR text GLOB '*[^ -~]*')`;
const hasCharacters = "AND (body LIKE ? OR text LIKE ?)";

/** What SQLite can tell of a text faster than we can. */
export function sieveOf(asked: Wanted): Filter {
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
