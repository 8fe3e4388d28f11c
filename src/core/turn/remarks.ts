import type { SessionChange } from "../agentFeatures.ts";
import type { Body } from "../message.ts";
import { Pen, type Mint, type Recorded, type Recording } from "./recording.ts";
import { t } from "../../util/l10n.ts";

type Remark = Extract<SessionChange, { kind: "notice" | "compaction" }>;

/** What the agent says of itself, where it said it; nothing is recorded before the first turn. */
export function recordRemark(
  recording: Recording,
  remark: Remark,
  mint: Mint,
): Recorded {
  const pen = new Pen(recording, mint);
  const { batch, late, compactions } = recording;
  if (batch === null) return pen.done();
  const body = remarkBody(remark);
  const told =
    remark.kind === "compaction" ? compactions.get(remark.id) : undefined;
  // A summary comes in many pieces; what is told of it is the same.
  if (told !== undefined && sameWords(told.body, body)) return pen.done();
  const row =
    told === undefined || late
      ? pen.append(batch, body, late)
      : pen.replace(told, body);
  if (remark.kind === "compaction")
    pen.set({ compactions: new Map(compactions).set(remark.id, row) });
  pen.hurry("soon");
  return pen.done();
}

export function remarkBody(remark: Remark): Extract<Body, { kind: "notice" }> {
  if (remark.kind === "notice") {
    const { level, title, text } = remark;
    return {
      kind: "notice",
      level,
      code: "agent",
      text: text === undefined ? title : `${title}: ${text}`,
    };
  }
  const notice = {
    kind: "notice",
    code: `compaction.${remark.status}`,
  } as const;
  switch (remark.status) {
    case "in_progress":
      return {
        ...notice,
        level: "info",
        text: t("The agent shortens its memory of this thread."),
      };
    case "completed":
      return {
        ...notice,
        level: "info",
        text: t("The agent shortened its memory of this thread."),
      };
    case "failed":
      return {
        ...notice,
        level: "warning",
        text: t(
          "The agent could not shorten its memory. {0}",
          remark.error ?? "",
        ).trim(),
      };
    case "cancelled":
      return {
        ...notice,
        level: "info",
        text: t("The agent stopped shortening its memory."),
      };
  }
}

function sameWords(one: Body, other: Body): boolean {
  return (
    one.kind === "notice" && other.kind === "notice" && one.code === other.code
  );
}
