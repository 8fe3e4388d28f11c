import { isKind, pairTools, type RowOf } from "../batch.ts";
import type { Block, Message } from "../message.ts";

/** A piece of a transcript. A call and its result are one piece: neither can stand alone. */
export type Entry =
  | {
      readonly kind: "said";
      readonly row: Message;
      readonly blocks: readonly Block[];
    }
  | {
      readonly kind: "tool";
      readonly row: RowOf<"toolCall">;
      /** Null for an open call, which is shown as interrupted. */
      readonly result: RowOf<"toolResult"> | null;
    }
  | { readonly kind: "ended"; readonly row: RowOf<"turnEnd"> };

/** What rows of one batch, by sequence, come to in a transcript. Results without their call are left out. */
export function entriesOf(rows: readonly Message[]): Entry[] {
  const results = new Map(
    pairTools(rows).map(({ call, result }) => [call, result]),
  );
  return rows.flatMap((row): Entry[] => {
    switch (row.body.kind) {
      case "user":
        return said(row, row.body.blocks);
      case "agent":
        return said(row, agentBlocks(row.body));
      case "toolCall":
        return isKind(row, "toolCall")
          ? [{ kind: "tool", row, result: results.get(row) ?? null }]
          : [];
      case "turnEnd":
        return isKind(row, "turnEnd") && row.body.stop !== "end_turn"
          ? [{ kind: "ended", row }]
          : [];
      case "toolResult":
      case "thought":
      case "plan":
      case "permission":
      case "turnStart":
      case "notice":
        return [];
    }
  });
}

/** The rows a transcript is made of: what its recipe names. */
export function rowsOf(entry: Entry): readonly Message[] {
  return entry.kind === "tool" && entry.result !== null
    ? [entry.row, entry.result]
    : [entry.row];
}

function said(row: Message, blocks: readonly Block[]): Entry[] {
  return blocks.length === 0 ? [] : [{ kind: "said", row, blocks }];
}

function agentBlocks(
  body: Extract<Message["body"], { kind: "agent" }>,
): Block[] {
  const text: Block[] =
    body.text === "" ? [] : [{ type: "text", text: body.text }];
  return [...text, ...(body.blocks ?? [])];
}
