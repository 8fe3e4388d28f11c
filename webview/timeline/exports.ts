import { spent, untilOutput } from "./figures.ts";
import type { NotResent } from "./figures.ts";
import type { Lane } from "./lanes.ts";

const columns = [
  "thread",
  "agent",
  "turn",
  "batch",
  "status",
  "type",
  "messages",
  "typed",
  "sent",
  "ended",
  "waited_ms",
  "first_output_ms",
  "compile_ms",
  "thinking_ms",
  "tools_ms",
  "permission_ms",
  "tools",
  "sent_as",
  "sent_bytes",
  "not_resent_bytes_estimate",
  "tokens",
  "stop",
  "turns_sent",
  "retry_of",
  "continues",
] as const;

export type ExportRow = Readonly<
  Record<(typeof columns)[number], string | number | null>
>;

/** What is shown, a row for each turn, oldest first in each thread. */
export function exportRows(
  lanes: readonly Lane[],
  now: number,
  notResent: NotResent,
): readonly ExportRow[] {
  const time = (ms: number | undefined): string | null =>
    ms === undefined || !Number.isFinite(ms)
      ? null
      : new Date(ms).toISOString();
  return lanes.flatMap(({ thread, bars }) =>
    bars.map(({ batch, n, to }) => ({
      thread: thread.title,
      agent: batch.agent,
      turn: n,
      batch: batch.id,
      status: batch.status,
      type: batch.type,
      messages: batch.typed.length,
      typed: time(batch.typed[0]),
      sent: time(batch.claimed),
      ended: time(to),
      waited_ms:
        batch.typed.length === 0 ? 0 : batch.claimed - Math.min(...batch.typed),
      first_output_ms: untilOutput(batch),
      compile_ms: spent(batch, "compile", now),
      thinking_ms: spent(batch, "think", now),
      tools_ms: spent(batch, "tool", now),
      permission_ms: spent(batch, "permission", now),
      tools: batch.tools,
      sent_as: batch.sent?.kind ?? null,
      sent_bytes: batch.sent?.bytes ?? null,
      not_resent_bytes_estimate: notResent.get(batch.id) ?? 0,
      tokens: batch.tokens ?? null,
      stop: batch.stop,
      turns_sent: batch.turns.length,
      retry_of: batch.retry ? batch.parent : null,
      continues: batch.retry ? null : batch.parent,
    })),
  );
}

export function toCsv(rows: readonly ExportRow[]): string {
  const lines = rows.map((row) =>
    columns.map((column) => cell(row[column])).join(","),
  );
  return [columns.join(","), ...lines, ""].join("\r\n");
}

export function toJson(rows: readonly ExportRow[]): string {
  return `${JSON.stringify(rows, null, 2)}\n`;
}

/** A text that a spreadsheet would take for a formula is marked as text. */
function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
