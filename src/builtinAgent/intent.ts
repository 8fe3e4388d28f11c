import { parsePhrase } from "./phrases.ts";
import type { Intent, Request, Step } from "./request.ts";
import { longest, parseSlash } from "./slash.ts";
import { saysThen, splitSteps } from "./steps.ts";

/** What a message asks for, by fixed rules. */
export function parseIntent(message: string): Intent {
  const text = message.trim();
  const slash = parseSlash(text);
  if (slash?.kind === "plan") return planOf(splitSteps(slash.text, true));
  if (slash !== undefined) return slash;
  if (text.length > longest) return { kind: "unknown" };
  const steps = splitSteps(text, false);
  if (steps.length > 1) {
    const plan = planOf(steps);
    if (plan.kind === "plan" || saysThen(text)) return plan;
  }
  return parsePhrase(text) ?? { kind: "unknown" };
}

/** A plan only when every step is understood: half a plan would be a wrong one. */
function planOf(texts: readonly string[]): Intent {
  const steps: Step[] = [];
  for (const text of texts) {
    const request = stepRequest(text);
    if (request === undefined) return { kind: "unknown" };
    steps.push({ text, request });
  }
  return steps.length > 0
    ? { kind: "plan", steps }
    : { kind: "incomplete", command: "plan" };
}

function stepRequest(text: string): Request | undefined {
  const slash = parseSlash(text);
  if (slash === undefined) return parsePhrase(text);
  return slash.kind === "plan" ||
    slash.kind === "incomplete" ||
    slash.kind === "noSuchCommand"
    ? undefined
    : slash;
}
