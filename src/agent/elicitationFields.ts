import type { Choice, ElicitationField } from "../core/agentFeatures.ts";
import {
  boolean,
  defined,
  fields,
  list,
  number,
  oneOf,
  text,
  type Fields,
} from "./parse.ts";

/** A form's fields from its schema; a field of unknown type is asked for as text. */
export function elicitationFields(schema: Fields): readonly ElicitationField[] {
  const required = list(schema["required"], text) ?? [];
  return Object.entries(fields(schema["properties"]) ?? {}).map(([id, value]) =>
    field(id, fields(value) ?? {}, required.includes(id)),
  );
}

function field(id: string, given: Fields, required: boolean): ElicitationField {
  const base = defined({
    id,
    title: text(given["title"]) ?? id,
    description: text(given["description"]),
    required,
    ...remarks(given["_meta"]),
  });
  switch (given["type"]) {
    case "number":
    case "integer":
      return defined({
        ...base,
        type: "number" as const,
        integer: given["type"] === "integer",
        initial: number(given["default"]),
        minimum: number(given["minimum"]),
        maximum: number(given["maximum"]),
      });
    case "boolean":
      return defined({
        ...base,
        type: "boolean" as const,
        initial: boolean(given["default"]),
      });
    case "array":
      return defined({
        ...base,
        type: "choices" as const,
        choices: choices(fields(given["items"]) ?? {}) ?? [],
        initial: list(given["default"], text),
        minItems: number(given["minItems"]),
        maxItems: number(given["maxItems"]),
      });
    default:
      return textField(base, given);
  }
}

/** What agents say of a field beside its schema, each under its own name. */
function remarks(
  meta: unknown,
): Pick<ElicitationField, "standsFor" | "secret"> {
  const said = Object.values(fields(meta) ?? {}).map(
    (one) => fields(one) ?? {},
  );
  const note = said.find(({ role }) => role === "user_note");
  return defined({
    standsFor: text(note?.["questionId"]),
    secret: said.some(({ isSecret }) => isSecret === true) ? true : undefined,
  });
}

function textField(
  base: Pick<ElicitationField, "id" | "title" | "required">,
  given: Fields,
): ElicitationField {
  const initial = text(given["default"]);
  const offered = choices(given);
  if (offered !== undefined)
    return defined({
      ...base,
      type: "choice" as const,
      choices: offered,
      initial,
    });
  return defined({
    ...base,
    type: "text" as const,
    initial,
    format: oneOf(["email", "uri", "date", "date-time"], given["format"]),
    pattern: text(given["pattern"]),
    minLength: number(given["minLength"]),
    maxLength: number(given["maxLength"]),
  });
}

/** Titled choices where the schema has them, else its plain values. */
function choices(given: Fields): readonly Choice[] | undefined {
  return (
    list(given["oneOf"], titled) ??
    list(given["anyOf"], titled) ??
    list(given["enum"], (value) => {
      const plain = text(value);
      return plain === undefined ? undefined : { value: plain, name: plain };
    })
  );
}

function titled(value: unknown): Choice | undefined {
  const option = fields(value);
  const constant = text(option?.["const"]);
  if (constant === undefined) return undefined;
  return defined({
    value: constant,
    name: text(option?.["title"]) ?? constant,
    description: text(option?.["description"]),
  });
}
