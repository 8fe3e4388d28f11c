import type { SearchQuery } from "../core/recordPort.ts";
import { t } from "../util/l10n.ts";

/** What names in a query can mean. */
export interface Known {
  readonly agents: readonly { readonly id: string; readonly label: string }[];
  /** Newest first. */
  readonly threads: readonly { readonly id: string; readonly title: string }[];
}

export type Asked =
  | { readonly ok: true; readonly query: Omit<SearchQuery, "limit"> }
  /** A filter that nothing can pass, and why. */
  | { readonly ok: false; readonly why: string };

/** Reads what was typed: `agent:`, `thread:`, `before:`, `is:queued` and `has:diff` narrow, the rest is looked for. */
export function searchWords(typed: string, known: Known): Asked {
  let query: Omit<SearchQuery, "limit"> = { text: "" };
  const rest: string[] = [];
  for (const { name, value, whole } of parts(typed)) {
    const filter = filters[name];
    if (filter === undefined) {
      rest.push(whole);
      continue;
    }
    // Still being typed.
    if (value === "") continue;
    const read = filter(value, known);
    if (typeof read === "string") return { ok: false, why: read };
    query = { ...query, ...read };
  }
  return { ok: true, query: { ...query, text: rest.join(" ") } };
}

type Filter = (
  value: string,
  known: Known,
) => Partial<Omit<SearchQuery, "limit">> | string;

const filters: Readonly<Record<string, Filter>> = {
  agent: (value, { agents }) => {
    const found = agents.filter(
      ({ id, label }) => holds(id, value) || holds(label, value),
    );
    return found.length === 0
      ? t("No agent is called {0}.", value)
      : { agents: found.map(({ id }) => id) };
  },
  thread: (value, { threads }) => {
    const found = threads.filter(({ title }) => holds(title, value));
    return found.length === 0
      ? t("No thread is called {0}.", value)
      : { threads: found.map(({ id }) => id) };
  },
  before: (value) => {
    const day = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?$/.exec(value);
    if (day === null) return t("A date is written as 2026-01-31.");
    const [, ...written] = day;
    // The day may be left out.
    const [year = 0, month = 0, date = 1] = written.map((part) =>
      Number(part || 1),
    );
    const before = new Date(year, month - 1, date);
    return before.getMonth() === month - 1 && before.getDate() === date
      ? { before: before.getTime() }
      : t("{0} is no date.", value);
  },
  is: (value) =>
    value === "queued"
      ? { state: "queued" }
      : t("is: knows queued, not {0}.", value),
  has: (value) =>
    value === "diff" ? { has: "diff" } : t("has: knows diff, not {0}.", value),
};

function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

/** `name:value` or `name:"a longer value"`, or a word. */
function parts(
  typed: string,
): readonly { name: string; value: string; whole: string }[] {
  const found = typed.matchAll(
    /([a-z]+):(?=\s|$)|(?:([a-z]+):)?(?:"([^"]*)"?|(\S+))/gi,
  );
  return [...found].map(([whole, bare, name, quoted, word]) => ({
    name: (name ?? bare ?? "").toLowerCase(),
    value: quoted ?? word ?? "",
    whole,
  }));
}
