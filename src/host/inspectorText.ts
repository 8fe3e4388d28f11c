import type { Batch } from "../core/batch.ts";
import type { Part } from "../core/batchCourse.ts";
import type { Rebuilt } from "../core/compile/rebuild.ts";
import { explain, reasonSentence } from "../core/compile/explain.ts";
import type { Message, Recipe } from "../core/message.ts";
import { snowflakeTime } from "../core/snowflake.ts";
import type { Thread } from "../core/thread.ts";
import { threadMarkdown } from "../core/transferMarkdown.ts";
import { kindWords, statusWords, typeWords } from "./batchWords.ts";
import { promptParts, size, whyUntold } from "./promptText.ts";
import { t } from "../util/l10n.ts";

export interface Inspected {
  readonly thread: Thread;
  readonly batch: Batch;
  /** What each turn was sent, oldest first. */
  readonly prompts: readonly Rebuilt[];
  readonly agent: (id: string) => string;
  readonly timeText: (ms: number) => string;
  /** A running turn has come this far. */
  readonly now: number;
}

/** One batch whole, for people to read. */
export function inspectorText(all: Inspected): string {
  const { thread, batch, timeText } = all;
  const read = threadMarkdown(
    { ...thread, title: t("Turn of {0}", timeText(batch.times.claimed)) },
    batch.rows,
    timeText,
  );
  const [title = "", ...rest] = read.split("\n");
  const sections = [
    title,
    facts(all),
    `## ${t("Prompt")}`,
    prompts(all),
    rest.join("\n").trim(),
    `## ${t("In order")}`,
    batch.rows.map((row) => step(row, batch)).join("\n"),
  ];
  return `${sections.join("\n\n")}\n`;
}

function facts({ thread, batch, agent, timeText, now }: Inspected): string {
  const { times, usage, course, counts } = batch;
  const sum = (kind: Part["kind"]): number =>
    course.parts.reduce(
      (ms, part) =>
        part.kind === kind
          ? ms + Math.max(0, (part.to ?? now) - part.from)
          : ms,
      0,
    );
  const lines: readonly (readonly [string, string | undefined])[] = [
    [t("Thread"), thread.title || t("New thread")],
    [t("Agent"), course.agent === null ? undefined : agent(course.agent)],
    [t("Status"), statusWords[batch.status]],
    [t("Type"), typeWords[batch.type]],
    [
      t("Follows"),
      batch.parent === null
        ? undefined
        : t("the turn of {0}", timeText(snowflakeTime(batch.parent))),
    ],
    [t("Messages"), `${counts.messages}`],
    [t("First typed"), timeText(times.firstArrived)],
    [t("Waited"), seconds(times.claimed - times.firstArrived)],
    [t("Compiled"), seconds(sum("compile"))],
    [t("Thinking"), seconds(sum("think"))],
    [t("Tools"), t("{0}, {1} calls", seconds(sum("tool")), counts.tools)],
    [t("Waited for you"), seconds(sum("permission"))],
    [
      t("First output"),
      times.firstOutput === null
        ? undefined
        : t(
            "{0} after it was typed",
            seconds(times.firstOutput - times.firstArrived),
          ),
    ],
    [t("Ended"), times.ended === null ? undefined : timeText(times.ended)],
    [t("Stop reason"), course.stop ?? undefined],
    [t("Input tokens"), usage.inputTokens?.toString()],
    [t("Read from the cache"), usage.cachedReadTokens?.toString()],
    [t("Output tokens"), usage.outputTokens?.toString()],
    [t("Tokens"), usage.totalTokens?.toString()],
    [
      t("Cost"),
      usage.cost === undefined
        ? undefined
        : `${usage.cost.amount} ${usage.cost.currency}`,
    ],
  ];
  return lines
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`- ${name}: ${value}`],
    )
    .join("\n");
}

function prompts({ batch, prompts }: Inspected): string {
  const recipes = batch.rows.flatMap(({ body }) =>
    body.kind === "turnStart" ? [body.recipe] : [],
  );
  if (recipes.length === 0) return `*${t("Nothing was sent.")}*`;
  return recipes
    .map((recipe, index) => {
      const head = `${kindWords[recipe.kind]}, ${size(recipe.bytes)}. ${reasonSentence(recipe.reason)}`;
      return [head, ...promptText(recipe, prompts[index])].join("\n\n");
    })
    .join("\n\n");
}

function promptText(
  recipe: Recipe,
  prompt: Rebuilt | undefined,
): readonly string[] {
  if (prompt?.ok !== true)
    return [
      `*${t("It can't be shown exactly. {0}", whyUntold(prompt?.reason ?? "missing"))}*`,
    ];
  const told = explain({ ...prompt, kind: recipe.kind, recipe });
  return promptParts(told, prompt.systemPrompt, "###");
}

function step(row: Message, batch: Batch): string {
  const at = snowflakeTime(row.position ?? row.arrived);
  const late = row.marks.late === true ? t(", late") : "";
  const { body } = row;
  const more =
    body.kind === "toolCall" || body.kind === "permission"
      ? ` ${body.title.replace(/\s+/g, " ")}`
      : body.kind === "turnEnd"
        ? ` ${body.stop}${body.error === undefined ? "" : `: ${body.error}`}`
        : "";
  return `- +${seconds(at - batch.times.claimed)} ${body.kind}${more}${late}`;
}

function seconds(ms: number): string {
  return `${(Math.max(0, ms) / 1000).toFixed(3)} s`;
}
