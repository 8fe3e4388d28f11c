import type { ViewMessage } from "../../src/protocol/transcript.ts";

/** One line of a batch: calls that follow each other share a box. */
export interface Row {
  readonly kind: ViewMessage["body"]["kind"];
  readonly ids: readonly string[];
}

/** A batch as it stands in the transcript, or a record that belongs to none. */
export interface Group {
  readonly key: string;
  readonly batch: string | null;
  readonly rows: readonly Row[];
}

/** Groups an ordered transcript. Groups that did not change are the same objects, so that what shows them rests. */
export function group(
  messages: readonly ViewMessage[],
  before: readonly Group[] = [],
): readonly Group[] {
  const old = new Map(before.map((one) => [one.key, one]));
  const groups: Group[] = [];
  let start = 0;
  while (start < messages.length) {
    const key = keyOf(messages[start]);
    let end = start + 1;
    while (end < messages.length && keyOf(messages[end]) === key) end++;
    const batch = messages[start]?.batch ?? null;
    const next = { key, batch, rows: rowsOf(messages.slice(start, end)) };
    const last = old.get(key);
    groups.push(last !== undefined && sameRows(last, next) ? last : next);
    start = end;
  }
  const unchanged =
    groups.length === before.length &&
    groups.every((one, i) => one === before[i]);
  return unchanged ? before : groups;
}

function keyOf(message: ViewMessage | undefined): string {
  return message?.batch ?? message?.position ?? "";
}

function rowsOf(messages: readonly ViewMessage[]): readonly Row[] {
  const rows: { kind: Row["kind"]; ids: string[] }[] = [];
  for (const { id, body } of messages) {
    const last = rows.at(-1);
    if (body.kind === "tool" && last?.kind === "tool") last.ids.push(id);
    else rows.push({ kind: body.kind, ids: [id] });
  }
  return rows;
}

function sameRows(a: Group, b: Group): boolean {
  return (
    a.rows.length === b.rows.length &&
    a.rows.every((row, i) => {
      const other = b.rows[i];
      return (
        row.kind === other?.kind &&
        row.ids.length === other.ids.length &&
        row.ids.every((id, j) => id === other.ids[j])
      );
    })
  );
}
