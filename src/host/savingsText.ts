import { size } from "./promptText.ts";
import type { ThreadSavings } from "./savings.ts";
import { t } from "../util/l10n.ts";

/** Estimates, and marked as such: nobody can tell what would have been. */
export function savingsText(threads: readonly ThreadSavings[]): string {
  if (threads.length === 0)
    return `# ${t("Savings")}\n\n${t("Nothing yet. Send a few messages while the agent is busy, and come back.")}\n`;
  const sum = (of: (one: ThreadSavings) => number): number =>
    threads.reduce((total, one) => total + of(one), 0);
  const turns = sum(({ turnsAvoided }) => turnsAvoided);
  const bytes = sum(({ bytesNotResent }) => bytesNotResent);
  return [
    `# ${t("Savings")}`,
    turns === 1
      ? t(
          "**≈ 1 turn avoided** by sending messages together, and **≈ {0} of context not sent again** because sessions remember.",
          size(bytes),
        )
      : t(
          "**≈ {0} turns avoided** by sending messages together, and **≈ {1} of context not sent again** because sessions remember.",
          turns,
          size(bytes),
        ),
    [
      `| ${t("Thread")} | ≈ ${t("Turns avoided")} | ≈ ${t("Context not sent again")} |`,
      "|---|---|---|",
      ...threads.map(
        ({ title, turnsAvoided, bytesNotResent }) =>
          `| ${cell(title)} | ${turnsAvoided} | ${size(bytesNotResent)} |`,
      ),
    ].join("\n"),
    `${t("All of it is derived from history: turns are messages that went along with another, context is what each turn would have carried without a session that remembers.")}\n`,
  ].join("\n\n");
}

function cell(title: string): string {
  return (
    title.replace(/[\\|]/gu, "\\$&").replace(/\s+/gu, " ") || t("New thread")
  );
}
