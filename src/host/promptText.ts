import type { Explanation } from "../core/compile/explain.ts";
import type { Rebuilt } from "../core/compile/rebuild.ts";
import { bytesOf, estimateTokens } from "../core/compile/tokens.ts";
import type { Block } from "../core/message.ts";
import { t } from "../util/l10n.ts";

/** A prompt part by part: a table of them, what did not go, then each in full. */
export function promptParts(
  { parts, notes, omitted }: Explanation,
  systemPrompt: string | undefined,
  /** Of the headings. */
  level = "##",
): readonly string[] {
  const given: Block[] =
    systemPrompt === undefined ? [] : [{ type: "text", text: systemPrompt }];
  const all = [
    ...(given.length === 0
      ? []
      : [
          {
            label: t("Given as the session was opened"),
            why: t("The session is opened with it."),
            count: 1,
            bytes: bytesOf(given),
            tokens: estimateTokens(given),
            blocks: given,
          },
        ]),
    ...parts,
  ];
  return [
    [
      `| | ${t("Part")} | ${t("Holds")} | ${t("Size")} | ≈ ${t("Tokens")} | ${t("Why")} |`,
      "|---|---|---|---|---|---|",
      ...all.map(
        ({ label, why, count, bytes, tokens }, n) =>
          `| ${n + 1} | ${cell(label)} | ${count} | ${size(bytes)} | ${tokens} | ${why} |`,
      ),
    ].join("\n"),
    ...notes.map((note) => `> ${note}`),
    ...(omitted.length === 0
      ? []
      : [t("Not sent:"), omitted.map((one) => `- ${one}`).join("\n")]),
    ...all.flatMap(({ label, blocks }, n) => [
      `${level} ${n + 1}. ${label}`,
      ...blocks.map(blockText),
    ]),
  ];
}

export function blockText(block: Block): string {
  switch (block.type) {
    case "text":
      return fenced(block.text);
    case "resource":
      return `${t("Embedded file {0}", block.uri)}\n\n${fenced(block.text)}`;
    case "image":
      return t(
        "Image {0} ({1}, {2}, SHA-256 `{3}`)",
        block.name ?? "",
        block.mimeType,
        size(block.bytes),
        block.blob,
      );
    case "link":
      return t("Link to {0} ({1})", block.uri, block.name);
  }
}

/** A fence longer than any inside. */
export function fenced(text: string): string {
  const runs = [...text.matchAll(/`+/gu)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return `${fence}\n${text}\n${fence}`;
}

export function size(bytes: number): string {
  if (bytes < 1000) return t("{0} bytes", bytes);
  return bytes < 1_000_000
    ? `${(bytes / 1000).toFixed(1)} KB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function whyUntold(
  reason: Extract<Rebuilt, { ok: false }>["reason"],
): string {
  switch (reason) {
    case "packer":
      return t("It was made by another version of Turnline.");
    case "missing":
      return t("Some of what it held is not in the record any more.");
    case "changed":
      return t("What is in the record does not come to what was sent.");
  }
}

function cell(text: string): string {
  return text.replace(/[\\|]/gu, "\\$&").replace(/\s+/gu, " ");
}
