import {
  explain,
  reasonSentence,
  type Explanation,
} from "../core/compile/explain.ts";
import type { Rebuilt } from "../core/compile/rebuild.ts";
import type { NextPrompt } from "../core/dispatch/nextPrompt.ts";
import type { Sent } from "./previewSent.ts";
import { promptParts, size, whyUntold } from "./promptText.ts";
import { t } from "../util/l10n.ts";

/** What the next turn will send, for people to read. */
export function nextText({
  compiled,
  agent,
  messages,
  certain,
  acquainted,
}: NextPrompt): string {
  const told = explain(compiled);
  const supposed = [
    ...(messages.length === 0
      ? [t("Nothing is queued. This is what your next message would carry.")]
      : []),
    ...(certain
      ? []
      : [
          [
            t("{0} is not running.", agent.label),
            ...(acquainted ? [] : [t("What it takes is supposed.")]),
            ...(compiled.kind === "delta"
              ? [t("That it still has its session is supposed.")]
              : []),
          ].join(" "),
        ]),
    ...(compiled.rebuilt
      ? [t("The history goes along: the agent's memory is rebuilt.")]
      : []),
  ];
  return page([
    `# ${t("Next turn to {0}", agent.label)}`,
    ...supposed,
    summary(told),
    ...promptParts(told, compiled.systemPrompt),
  ]);
}

/** What a batch was sent, turn by turn. */
export function sentText(
  sent: readonly Sent[],
  words: {
    readonly agent: (id: string) => string;
    readonly time: (position: string) => string;
  },
): string {
  if (sent.length === 0)
    return page([
      `# ${t("Nothing was sent")}`,
      t("This turn never reached an agent."),
    ]);
  return page(
    sent.flatMap(({ start, position, prompt }) => [
      `# ${t("Sent to {0}, {1}", words.agent(start.agent), words.time(position))}`,
      ...(prompt.ok ? told(start, prompt) : [untold(start, prompt)]),
    ]),
  );
}

function told(
  { recipe }: Sent["start"],
  prompt: Extract<Rebuilt, { ok: true }>,
): readonly string[] {
  const explained = explain({ ...prompt, kind: recipe.kind, recipe });
  return [
    summary(explained),
    t(
      "Rebuilt from the record and checked: its SHA-256 is the one it was sent with, `{0}`.",
      recipe.hash,
    ),
    ...promptParts(explained, prompt.systemPrompt),
  ];
}

function untold(
  { recipe }: Sent["start"],
  { reason }: Extract<Rebuilt, { ok: false }>,
): string {
  const head = `${kinds[recipe.kind]}, ${size(recipe.bytes)}. ${reasonSentence(recipe.reason)}`;
  return `${head}\n\n${t("It can't be shown exactly, so it is not shown. {0}", whyUntold(reason))}`;
}

function summary({ kind, why, bytes, tokens }: Explanation): string {
  return t(
    "**{0}**, {1}, ≈ {2} tokens. {3}",
    kinds[kind],
    size(bytes),
    tokens,
    why,
  );
}

const kinds = { full: t("Full context"), delta: t("Delta") } as const;

function page(parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}
