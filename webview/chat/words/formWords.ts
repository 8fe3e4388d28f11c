import type { Problem } from "../../../src/protocol/elicitation.ts";
import { assertNever } from "../../../src/util/assertNever.ts";
import { t } from "../../../src/util/l10n.ts";
import { characters } from "./counts.ts";

/** Questions of an agent and their forms. */
export const formWords = {
  elicitation: {
    label: (what: string): string => t("Question: {0}", what),
    asks: t("The agent asks"),
    visit: t("Visit this page?"),
    noPage: t("This is not the address of a page."),
    submit: t("Submit"),
    open: t("Open page"),
    decline: t("Decline"),
    declineWhy: t("Tells the agent that you do not want to answer"),
    cancel: t("Cancel"),
    cancelWhy: t("Closes the question without an answer"),
    optional: t("optional"),
    choose: t("Choose"),
    between: (least: number, most: number): string =>
      t("{0} to {1}", least, most),
    problem: {
      missing: t("Needs an answer."),
      type: t("Does not fit."),
      number: t("Needs a number."),
      integer: t("Needs a whole number."),
      atLeast: (n: number): string => t("At least {0}.", n),
      atMost: (n: number): string => t("At most {0}.", n),
      shorter: (n: number): string => t("At least {0}.", characters(n)),
      longer: (n: number): string => t("At most {0}.", characters(n)),
      fewer: (n: number): string => t("Choose at least {0}.", n),
      more: (n: number): string => t("Choose at most {0}.", n),
      pattern: (pattern: string): string => t("Must match {0}", pattern),
      format: {
        email: t("Needs an e-mail address."),
        uri: t("Needs a whole address, such as https://example.org."),
        date: t("Needs a date, such as 2026-05-31."),
        "date-time": t("Needs a date and time, such as 2026-05-31T12:00:00Z."),
      },
    },
  },
} as const;

/** What is wrong with an answer, and what would be right. */
export function fieldProblem(problem: Problem): string {
  const say = formWords.elicitation.problem;
  switch (problem.kind) {
    case "missing":
    case "type":
    case "number":
    case "integer":
      return say[problem.kind];
    case "atLeast":
    case "atMost":
    case "shorter":
    case "longer":
    case "fewer":
    case "more":
      return say[problem.kind](problem.limit);
    case "pattern":
      return say.pattern(problem.pattern);
    case "format":
      return say.format[problem.format];
    default:
      return assertNever(problem);
  }
}
