import { group, isKind } from "../core/batch.ts";
import type { ThreadSnapshot } from "../core/dispatch/changes.ts";
import type { Message, Snowflake } from "../core/message.ts";
import type { ViewBatch, ViewMessage } from "../protocol/transcript.ts";
import { projectBatch } from "./projectBatch.ts";
import { projectMessage } from "./projectMessage.ts";

export interface Projected {
  readonly messages: readonly ViewMessage[];
  readonly batches: readonly ViewBatch[];
}

/** What is known only while a thread is at work. */
export interface LiveParts {
  /** Texts that still grow. */
  readonly open: ReadonlySet<string>;
  /** The batch whose end could not be stored yet. */
  readonly unsaved: Snowflake | null;
}

/** As where nothing is at work. */
export const atRest: LiveParts = { open: new Set(), unsaved: null };

export function liveParts(
  snapshot: Pick<ThreadSnapshot, "openText" | "unsaved"> | undefined,
): LiveParts {
  if (snapshot === undefined) return atRest;
  const { openText, unsaved } = snapshot;
  return {
    open: new Set(openText === null ? [] : [openText]),
    unsaved: unsaved?.over === true ? unsaved.batch : null,
  };
}

interface Shown {
  readonly other: Message | undefined;
  readonly open: boolean;
  readonly over: boolean;
  readonly view: ViewMessage | undefined;
}

/** Turns rows into what a view shows; a row that is the same gives the same object, so that only changes are compared. */
export class Projector {
  readonly #shown = new WeakMap<Message, Shown>();
  readonly #placed = new WeakMap<Message, Message>();

  project(rows: readonly Message[], { open, unsaved }: LiveParts): Projected {
    const places = new Map(this.#inOrder(rows).map((row) => [row.id, row]));
    const own = new Map(rows.map((row) => [row.id, row]));
    const [batch] = group([...places.values()]);
    if (batch === undefined) return { messages: [], batches: [] };
    const results = new Map(
      batch.tools.flatMap(({ call, result }) =>
        call === null || result === null
          ? []
          : [[call.id, own.get(result.id)] as const],
      ),
    );
    const over = batch.status !== "processing" && batch.status !== "collecting";
    const messages = batch.rows.flatMap(({ id }, i): readonly ViewMessage[] => {
      const row = own.get(id);
      if (row === undefined) return [];
      const other = isKind(row, "toolCall")
        ? results.get(id)
        : isKind(row, "thought")
          ? own.get(batch.rows[i + 1]?.id ?? "")
          : undefined;
      const view = this.#show(
        row,
        other,
        open.has(id),
        over && isKind(row, "toolCall"),
      );
      return view === undefined ? [] : [view];
    });
    return { messages, batches: [projectBatch(batch, batch.id === unsaved)] };
  }

  /** `other` is the record it is shown with: a call's result, or what came after a thought. */
  #show(
    row: Message,
    other: Message | undefined,
    open: boolean,
    over: boolean,
  ): ViewMessage | undefined {
    const known = this.#shown.get(row);
    if (
      known !== undefined &&
      known.other === other &&
      known.open === open &&
      known.over === over
    )
      return known.view;
    const role = isKind(row, "thought") ? "next" : "result";
    const view = projectMessage(row, {
      ...{ open, over },
      ...(other === undefined ? {} : { [role]: other }),
    });
    this.#shown.set(row, { other, open, over, view });
    return view;
  }

  /** Records that are shown before they are stored have no sequence yet; their position tells their place. */
  #inOrder(rows: readonly Message[]): readonly Message[] {
    return rows
      .toSorted((a, b) => ((a.position ?? "") < (b.position ?? "") ? -1 : 1))
      .map((row, sequence) => {
        const known = this.#placed.get(row);
        if (known?.sequence === sequence) return known;
        const placed = { ...row, sequence };
        this.#placed.set(row, placed);
        return placed;
      });
  }
}
