import { revivedAttachments } from "../../src/protocol/newAttachment.ts";
import type { NewAttachment } from "../../src/protocol/newAttachment.ts";
import type { FieldText, Filled } from "./formValues.ts";

/** What a view keeps for its next life: nothing of the record, only where its user was. */
export interface Saved {
  readonly thread?: string;
  readonly drafts: Readonly<Record<string, Draft>>;
  /** Folds the user opened (true) or closed (false), by message. */
  readonly folds: Readonly<Record<string, boolean>>;
  readonly scroll?: Place;
  readonly edit?: Edit;
  /** What stands in forms that are not sent yet, by question. */
  readonly forms?: Readonly<Record<string, Filled>>;
}

/**
 * `requestId` is there when it was sent but never answered: sent again unchanged, it is accepted once.
 * `at` tells which of two is newer: the host keeps drafts too, and VS Code may bring back an old state of a view.
 */
export interface Draft {
  readonly text: string;
  readonly at: number;
  readonly requestId?: string;
  /** What will go with the message. */
  readonly attachments?: readonly NewAttachment[] | undefined;
}

export interface Edit {
  readonly thread: string;
  readonly id: string;
  readonly text: string;
  /** What hung on it and is to go, by its place. */
  readonly dropped?: readonly number[];
}

/** A batch at the top of the view, and how far it is scrolled past. */
export interface Place {
  readonly thread: string;
  readonly key: string;
  readonly offset: number;
}

export const fresh: Saved = { drafts: {}, folds: {} };

const most = 200;

/** Reads what an earlier life left; anything else than that counts as nothing. */
export function revived(value: unknown): Saved {
  const from = record(value);
  const thread = from["thread"];
  const scroll = record(from["scroll"]);
  const edit = record(from["edit"]);
  const forms = formsIn(record(from["forms"]));
  return {
    ...(typeof thread === "string" ? { thread } : {}),
    drafts: Object.fromEntries(
      Object.entries(record(from["drafts"])).flatMap(([id, draft]) => {
        const { text, at, requestId, attachments } = record(draft);
        if (typeof text !== "string" || typeof at !== "number") return [];
        const known = typeof requestId === "string" ? { requestId } : {};
        const hung = revivedAttachments(attachments);
        const carried = hung === undefined ? {} : { attachments: hung };
        return [[id, { text, at, ...known, ...carried }]];
      }),
    ),
    folds: Object.fromEntries(
      Object.entries(record(from["folds"])).filter(
        (entry): entry is [string, boolean] => typeof entry[1] === "boolean",
      ),
    ),
    ...(isPlace(scroll) ? { scroll } : {}),
    ...(isEdit(edit) ? { edit } : {}),
    ...(Object.keys(forms).length === 0 ? {} : { forms }),
  };
}

/** Keeps the newest entries only: a view's state must stay small. */
export function newest<T>(
  entries: Readonly<Record<string, T>>,
  limit = most,
): Readonly<Record<string, T>> {
  const all = Object.entries(entries);
  return all.length <= limit ? entries : Object.fromEntries(all.slice(-limit));
}

type Fields = Readonly<Record<string, unknown>>;

function record(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

function isPlace(value: Fields): value is Fields & Place {
  return (
    typeof value["thread"] === "string" &&
    typeof value["key"] === "string" &&
    typeof value["offset"] === "number"
  );
}

function isEdit(value: Fields): value is Fields & Edit {
  return (
    typeof value["thread"] === "string" &&
    typeof value["id"] === "string" &&
    typeof value["text"] === "string" &&
    (value["dropped"] === undefined ||
      (Array.isArray(value["dropped"]) &&
        value["dropped"].every((place) => typeof place === "number")))
  );
}

function formsIn(value: Fields): Readonly<Record<string, Filled>> {
  return Object.fromEntries(
    Object.entries(value).map(([form, filled]) => [
      form,
      Object.fromEntries(
        Object.entries(record(filled)).filter(
          (entry): entry is [string, FieldText] => isFieldText(entry[1]),
        ),
      ),
    ]),
  );
}

function isFieldText(value: unknown): value is FieldText {
  return (
    typeof value === "string" ||
    typeof value === "boolean" ||
    (Array.isArray(value) && value.every((one) => typeof one === "string"))
  );
}
