import * as z from "zod/mini";
import { assertNever } from "../util/assertNever.ts";
import { id, time } from "./words.ts";

const choice = z.object({
  value: z.string(),
  name: z.string(),
  description: z.optional(z.string()),
});
const choices = z.readonly(z.array(choice));

/** The agent named it: it may be anything, an empty text included. */
const fieldBase = {
  id: z.string(),
  title: z.string(),
  description: z.optional(z.string()),
  required: z.boolean(),
  standsFor: z.optional(z.string()),
  secret: z.optional(z.boolean()),
};

export const elicitationField = z.discriminatedUnion("type", [
  z.object({
    ...fieldBase,
    type: z.literal("text"),
    initial: z.optional(z.string()),
    format: z.optional(z.enum(["email", "uri", "date", "date-time"])),
    pattern: z.optional(z.string()),
    minLength: z.optional(z.number()),
    maxLength: z.optional(z.number()),
  }),
  z.object({
    ...fieldBase,
    type: z.literal("number"),
    integer: z.boolean(),
    initial: z.optional(z.number()),
    minimum: z.optional(z.number()),
    maximum: z.optional(z.number()),
  }),
  z.object({
    ...fieldBase,
    type: z.literal("boolean"),
    initial: z.optional(z.boolean()),
  }),
  z.object({
    ...fieldBase,
    type: z.literal("choice"),
    initial: z.optional(z.string()),
    choices,
  }),
  z.object({
    ...fieldBase,
    type: z.literal("choices"),
    initial: z.optional(z.readonly(z.array(z.string()))),
    choices,
    minItems: z.optional(z.number()),
    maxItems: z.optional(z.number()),
  }),
]);
export type ElicitationField = z.infer<typeof elicitationField>;

const elicitationBase = {
  id,
  batch: z.nullable(id),
  askedAt: time,
  message: z.string(),
};

/** A form the agent waits for, or a page it wants visited. */
export const openElicitation = z.discriminatedUnion("mode", [
  z.object({
    ...elicitationBase,
    mode: z.literal("form"),
    title: z.optional(z.string()),
    description: z.optional(z.string()),
    fields: z.readonly(z.array(elicitationField)),
  }),
  z.object({
    ...elicitationBase,
    mode: z.literal("url"),
    url: z.string(),
    /** What the user has to trust, as a browser would read it. */
    host: z.string(),
  }),
]);
export type OpenElicitation = z.infer<typeof openElicitation>;

export const elicitationValue = z.union([
  z.string().check(z.maxLength(100_000)),
  z.number(),
  z.boolean(),
  z.readonly(z.array(z.string().check(z.maxLength(10_000)))),
]);
export type ElicitationValue = z.infer<typeof elicitationValue>;

export const elicitationValues = z.record(
  z.string().check(z.maxLength(512)),
  elicitationValue,
);
export type ElicitationValues = z.infer<typeof elicitationValues>;

export type Problem =
  | { readonly kind: "missing" }
  | { readonly kind: "type" }
  | { readonly kind: "number" }
  | { readonly kind: "integer" }
  | { readonly kind: "atLeast"; readonly limit: number }
  | { readonly kind: "atMost"; readonly limit: number }
  | { readonly kind: "shorter"; readonly limit: number }
  | { readonly kind: "longer"; readonly limit: number }
  | { readonly kind: "fewer"; readonly limit: number }
  | { readonly kind: "more"; readonly limit: number }
  | { readonly kind: "pattern"; readonly pattern: string }
  | {
      readonly kind: "format";
      readonly format: "email" | "uri" | "date" | "date-time";
    };

/** Why a value does not fit its field; undefined where it does. Both ends ask this. */
export function problemOf(
  field: ElicitationField,
  value: ElicitationValue | undefined,
): Problem | undefined {
  if (value === undefined)
    return field.required ? { kind: "missing" } : undefined;
  switch (field.type) {
    case "text":
      return typeof value === "string"
        ? textProblem(field, value)
        : { kind: "type" };
    case "number":
      return typeof value === "number"
        ? numberProblem(field, value)
        : { kind: "number" };
    case "boolean":
      return typeof value === "boolean" ? undefined : { kind: "type" };
    case "choice":
      return offers(field.choices, value) ? undefined : { kind: "type" };
    case "choices":
      return typeof value === "object" &&
        value.every((one) => offers(field.choices, one))
        ? countProblem(field, value.length)
        : { kind: "type" };
    default:
      return assertNever(field);
  }
}

/** What is wrong with a form, by field. */
export function problemsOf(
  fields: readonly ElicitationField[],
  values: ElicitationValues,
): ReadonlyMap<string, Problem> {
  const stoodFor = new Set(
    fields.flatMap(({ id: own, standsFor }) =>
      standsFor !== undefined && isSaid(values[own]) ? [standsFor] : [],
    ),
  );
  return new Map(
    fields.flatMap((field) => {
      const problem = problemOf(field, values[field.id]);
      if (problem === undefined) return [];
      if (problem.kind === "missing" && stoodFor.has(field.id)) return [];
      return [[field.id, problem] as const];
    }),
  );
}

function isSaid(value: ElicitationValue | undefined): boolean {
  return typeof value === "string" && value.trim() !== "";
}

/** The fields whose values do not fit, and values that nobody asked for. */
export function misfits(
  fields: readonly ElicitationField[],
  values: ElicitationValues,
): readonly string[] {
  const problems = problemsOf(fields, values);
  const asked = new Set(fields.map((field) => field.id));
  return [
    ...fields
      .filter((field) => problems.has(field.id))
      .map(({ title }) => title),
    ...Object.keys(values).filter((key) => !asked.has(key)),
  ];
}

type Of<K extends ElicitationField["type"]> = Extract<
  ElicitationField,
  { type: K }
>;

function textProblem(field: Of<"text">, value: string): Problem | undefined {
  const { minLength, maxLength, pattern, format } = field;
  const { length } = Array.from(value);
  if (field.required && value.trim() === "") return { kind: "missing" };
  if (minLength !== undefined && length < minLength)
    return { kind: "shorter", limit: minLength };
  if (maxLength !== undefined && length > maxLength)
    return { kind: "longer", limit: maxLength };
  if (pattern !== undefined && !matches(pattern, value))
    return { kind: "pattern", pattern };
  if (format !== undefined && !formats[format](value))
    return { kind: "format", format };
  return undefined;
}

function numberProblem(
  { integer, minimum, maximum }: Of<"number">,
  value: number,
): Problem | undefined {
  if (integer && !Number.isInteger(value)) return { kind: "integer" };
  if (minimum !== undefined && value < minimum)
    return { kind: "atLeast", limit: minimum };
  if (maximum !== undefined && value > maximum)
    return { kind: "atMost", limit: maximum };
  return undefined;
}

function countProblem(
  { required, minItems, maxItems }: Of<"choices">,
  length: number,
): Problem | undefined {
  if (required && length === 0) return { kind: "missing" };
  if (minItems !== undefined && length < minItems)
    return { kind: "fewer", limit: minItems };
  if (maxItems !== undefined && length > maxItems)
    return { kind: "more", limit: maxItems };
  return undefined;
}

function offers(
  offered: Of<"choice">["choices"],
  value: ElicitationValue,
): boolean {
  return offered.some((one) => one.value === value);
}

/** A pattern the agent got wrong must not keep the user from answering; nor one that could take for ever. */
function matches(pattern: string, value: string): boolean {
  if (pattern.length > 500 || value.length > 1_000) return true;
  if (
    /[+*}]\)?[+*{]/u.test(pattern) ||
    /\([^)]*[+*{][^)]*\)[+*{]/u.test(pattern)
  )
    return true;
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true;
  }
}

const formats: Readonly<
  Record<"email" | "uri" | "date" | "date-time", (value: string) => boolean>
> = {
  email: (value) => /^[^\s@]+@[^\s@]+$/u.test(value),
  uri: (value) => URL.canParse(value),
  date: (value) =>
    /^\d{4}-\d{2}-\d{2}$/u.test(value) && !Number.isNaN(Date.parse(value)),
  "date-time": (value) =>
    /^\d{4}-\d{2}-\d{2}T/u.test(value) && !Number.isNaN(Date.parse(value)),
};
