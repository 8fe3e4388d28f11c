import type { Body, BodyKind } from "../core/message.ts";
import { hasDiff } from "../core/recordText.ts";
import { escaped } from "./plain.ts";

/** As SQL: the kinds a search looks into. */
export const searchableKinds =
  "'user', 'agent', 'thought', 'toolCall', 'plan', 'notice'";

/** 1 waits to be indexed; 2 needs nothing more. */
export function searchable(kind: BodyKind): 1 | 2 {
  return searchableKinds.includes(`'${kind}'`) ? 1 : 2;
}

/** body, text, length, diff: a text that grows has a column of its own, so that growing does not rewrite JSON. */
export function bodyValues(
  body: Body,
): [string, string | null, number, number] {
  const diff = hasDiff(body) ? 1 : 0;
  if (body.kind !== "agent" && body.kind !== "thought")
    return [JSON.stringify(body), null, 0, diff];
  const { text } = body;
  return [
    JSON.stringify({ ...body, text: "" }),
    escaped(text),
    text.length,
    diff,
  ];
}
