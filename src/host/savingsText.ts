import { size } from "./promptText.ts";
import type { ThreadSavings } from "./savings.ts";

/** Estimates, and marked as such: nobody can tell what would have been. */
export function savingsText(threads: readonly ThreadSavings[]): string {
  if (threads.length === 0)
    return "# Savings\n\nNothing yet. Send a few messages while the agent is busy, and come back.\n";
  const sum = (of: (one: ThreadSavings) => number): number =>
    threads.reduce((total, one) => total + of(one), 0);
  const turns = sum(({ turnsAvoided }) => turnsAvoided);
  const bytes = sum(({ bytesNotResent }) => bytesNotResent);
  return [
    "# Savings",
    `**≈ ${turns} ${turns === 1 ? "turn" : "turns"} avoided** by sending messages together, and **≈ ${size(bytes)} of context not sent again** because sessions remember.`,
    [
      "| Thread | ≈ Turns avoided | ≈ Context not sent again |",
      "|---|---|---|",
      ...threads.map(
        ({ title, turnsAvoided, bytesNotResent }) =>
          `| ${cell(title)} | ${turnsAvoided} | ${size(bytesNotResent)} |`,
      ),
    ].join("\n"),
    "All of it is derived from history: turns are messages that went along with another, context is what each turn would have carried without a session that remembers.\n",
  ].join("\n\n");
}

function cell(title: string): string {
  return title.replace(/[\\|]/gu, "\\$&").replace(/\s+/gu, " ") || "New thread";
}
