import {
  problemsOf,
  type ElicitationField,
  type ElicitationValue,
  type ElicitationValues,
  type Problem,
} from "../../src/protocol/elicitation.ts";
import { assertNever } from "../../src/util/assertNever.ts";

/** What stands in a form's controls, as the user left it. */
export type Filled = Readonly<Record<string, FieldText>>;
export type FieldText = string | boolean | readonly string[];

export interface Checked {
  readonly values: ElicitationValues;
  /** By field. */
  readonly problems: ReadonlyMap<string, Problem>;
}

/** What a control shows: the user's own, else what the agent proposes. */
export function shownIn(field: ElicitationField, filled: Filled): FieldText {
  const own = filled[field.id];
  switch (field.type) {
    case "text":
    case "choice":
      return typeof own === "string" ? own : (field.initial ?? "");
    case "number":
      return typeof own === "string" ? own : String(field.initial ?? "");
    case "boolean":
      return typeof own === "boolean" ? own : (field.initial ?? false);
    case "choices":
      return Array.isArray(own) ? own : (field.initial ?? []);
    default:
      return assertNever(field);
  }
}

/** Reads a form. What is left empty is not answered. */
export function checked(
  fields: readonly ElicitationField[],
  filled: Filled,
): Checked {
  const values: Record<string, ElicitationValue> = {};
  for (const field of fields) {
    const value = valueOf(field, shownIn(field, filled));
    if (value !== undefined) values[field.id] = value;
  }
  return { values, problems: problemsOf(fields, values) };
}

function valueOf(
  field: ElicitationField,
  shown: FieldText,
): ElicitationValue | undefined {
  if (field.type === "boolean") return shown;
  if (typeof shown === "boolean") return undefined;
  if (shown.length === 0) return undefined;
  if (field.type !== "number") return shown;
  // What is no number stays as it is, so that it is told as a problem and not left out.
  const number = Number(shown);
  return Number.isFinite(number) ? number : shown;
}
