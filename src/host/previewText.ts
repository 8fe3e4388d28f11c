import {
  explain,
  reasonSentence,
  type Explanation,
} from "../core/compile/explain.ts";
import type { Rebuilt } from "../core/compile/rebuild.ts";
import type { NextPrompt } from "../core/dispatch/nextPrompt.ts";
import type { Sent } from "./previewSent.ts";
import { promptParts, size, whyUntold } from "./promptText.ts";

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
      ? ["Nothing is queued. This is what your next message would carry."]
      : []),
    ...(certain
      ? []
      : [
          [
            `${agent.label} is not running.`,
            ...(acquainted ? [] : ["What it takes is supposed."]),
            ...(compiled.kind === "delta"
              ? ["That it still has its session is supposed."]
              : []),
          ].join(" "),
        ]),
    ...(compiled.rebuilt
      ? ["The history goes along: the agent's memory is rebuilt."]
      : []),
  ];
  return page([
    `# Next turn to ${agent.label}`,
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
    return page(["# Nothing was sent", "This turn never reached an agent."]);
  return page(
    sent.flatMap(({ start, position, prompt }) => [
      `# Sent to ${words.agent(start.agent)}, ${words.time(position)}`,
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
    `Rebuilt from the record and checked: its SHA-256 is the one it was sent with, \`${recipe.hash}\`.`,
    ...promptParts(explained, prompt.systemPrompt),
  ];
}

function untold(
  { recipe }: Sent["start"],
  { reason }: Extract<Rebuilt, { ok: false }>,
): string {
  return `${kinds[recipe.kind]}, ${size(recipe.bytes)}. ${reasonSentence(recipe.reason)}\n\nIt can't be shown exactly, so it is not shown. ${whyUntold(reason)}`;
}

function summary({ kind, why, bytes, tokens }: Explanation): string {
  return `**${kinds[kind]}**, ${size(bytes)}, ≈ ${tokens} tokens. ${why}`;
}

const kinds = { full: "Full context", delta: "Delta" } as const;

function page(parts: readonly string[]): string {
  return `${parts.join("\n\n")}\n`;
}
