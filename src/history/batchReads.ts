import * as z from "zod";
import { factsOf, group } from "../core/batch.ts";
import type { BatchFacts } from "../core/batchFacts.ts";
import type { Body, BodyKind, Message } from "../core/message.ts";
import type { BatchQuery } from "../core/recordPort.ts";
import { snowflakeSchema } from "./bodySchema.ts";
import type { Connection, Row } from "./connection.ts";
import { fromText, toText } from "./plain.ts";
import { headColumns, readBody, readHead } from "./rows.ts";
import type { Sliced } from "./slices.ts";

const batchesPerSlice = 50;

/** Only what a batch's facts are made of is read: no texts, no tool output, no senders. */
const columns = `${headColumns}, arrived, retryOf, NULL AS text, marks LIKE '%"late":true%' AS late,
  iif(kind = 'turnEnd', body, NULL) AS body,
  ${field("toolCallId", "toolCallId", "'toolCall', 'toolResult'")},
  ${field("decidedAt", "decidedAt", "'permission'")},
  ${field("asked", "agent", "'turnStart'")},
  ${field("sentAs", "recipe.kind", "'turnStart'")},
  ${field("sentBytes", "recipe.bytes", "'turnStart'")}`;

function field(name: string, path: string, kinds: string): string {
  return `iif(kind IN (${kinds}) AND json_valid(body), body ->> '$.${path}', NULL) AS ${name}`;
}

export function* readFacts(
  connection: Connection,
  query: BatchQuery,
): Sliced<readonly BatchFacts[]> {
  const facts: BatchFacts[] = [];
  let before = query.before ?? "g";
  while (facts.length < query.limit) {
    const rows = connection.all(
      `SELECT batch, thread FROM message m WHERE sequence = 0 AND batch < ?
       ${query.thread === undefined ? "" : "AND thread = ?"}
       AND EXISTS (SELECT 1 FROM thread t WHERE t.id = m.thread AND t.deletedAt IS NULL)
       ORDER BY batch DESC, thread DESC LIMIT ?`,
      before,
      ...(query.thread === undefined ? [] : [toText(query.thread)]),
      Math.min(batchesPerSlice, query.limit - facts.length),
    );
    const last = rows.at(-1);
    if (last === undefined) break;
    const members = rows.flatMap(({ batch, thread }) =>
      connection.all(
        `SELECT ${columns} FROM message WHERE thread = ? AND batch = ?`,
        String(thread),
        String(batch),
      ),
    );
    facts.push(...group(members.map(sketch)).toReversed().map(factsOf));
    before = String(last["batch"]);
    yield;
  }
  return facts;
}

export function countBefore(
  connection: Connection,
  thread: string,
  batch: string,
): number {
  return connection.number(
    "SELECT count(*) FROM message WHERE thread = ? AND batch < ? AND sequence = 0",
    toText(thread),
    batch,
  );
}

const sketchSchema = z.object({
  toolCallId: z.string().catch(""),
  decidedAt: snowflakeSchema.nullable().catch(null),
  asked: z.string().catch(""),
  sentAs: z.enum(["full", "delta"]).catch("delta"),
  sentBytes: z.number().catch(0),
});

const nobody: Message["sender"] = { kind: "user", name: "" };

/** A message with just enough in it to be counted, timed and paired. */
function sketch(row: Row): Message {
  const { kind, ...head } = readHead(row);
  return {
    ...head,
    arrived: String(row["arrived"]),
    retryOf: row["retryOf"] === null ? null : fromText(String(row["retryOf"])),
    sender: nobody,
    marks: row["late"] === 1 ? { late: true } : {},
    body: kind === "turnEnd" ? readBody(row) : bare(kind, row),
  };
}

function bare(kind: BodyKind, row: Row): Body {
  const { toolCallId, decidedAt, asked, sentAs, sentBytes } =
    sketchSchema.parse(row);
  switch (kind) {
    case "user":
      return { kind, blocks: [] };
    case "agent":
    case "thought":
      return { kind, text: "" };
    case "toolCall":
      return {
        kind,
        toolCallId,
        title: "",
        toolKind: "other",
        status: "pending",
        locations: [],
        content: [],
      };
    case "toolResult":
      return { kind, toolCallId, status: "completed", content: [] };
    case "permission":
      return {
        ...{ kind, toolCallId, title: "", options: [] },
        ...(decidedAt === null ? {} : { decidedAt }),
      };
    case "turnStart":
      return {
        kind,
        agent: asked,
        session: "",
        generation: 0,
        process: { nonce: "", pid: 0, startTime: "" },
        recipe: {
          kind: sentAs,
          packer: "",
          positions: [],
          fragments: [],
          reason: "",
          bytes: sentBytes,
          hash: "",
        },
      };
    case "plan":
    case "turnEnd":
    case "notice":
      return { kind: "notice", level: "info", code: "", text: "" };
  }
}
