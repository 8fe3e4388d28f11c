import type {
  ElicitationAnswer,
  ElicitationField,
  ElicitationRequest,
  ElicitationValue,
} from "../agentFeatures.ts";

const longest = 2_000;

/** What the user filled in, as one line for the record. */
export function answerText(
  request: ElicitationRequest,
  answer: ElicitationAnswer,
): string {
  if (answer.action !== "accept") return "";
  if (request.mode === "url") return request.url;
  return request.fields
    .flatMap((field) => {
      const value = answer.values[field.id];
      if (value === undefined) return [];
      return [`${field.title}: ${shown(field, value)}`];
    })
    .join("; ")
    .slice(0, longest);
}

function shown(field: ElicitationField, value: ElicitationValue): string {
  if (field.secret === true) return "•••";
  if (typeof value === "boolean") return value ? "yes" : "no";
  const offered =
    field.type === "choice" || field.type === "choices" ? field.choices : [];
  const named = (one: string): string =>
    offered.find((choice) => choice.value === one)?.name ?? one;
  if (typeof value === "object") return value.map(named).join(", ");
  return named(String(value));
}
