import { isKind } from "../batch.ts";
import type { Message, Snowflake } from "../message.ts";
import { entriesOf, rowsOf } from "./entries.ts";
import { transcriptTexts } from "./transcript.ts";
import { utf8Length } from "./tokens.ts";

export interface Savings {
  /** Messages that went along in a turn of another. */
  readonly turnsAvoided: number;
  /** What each delta would have carried, had it been a full compile. */
  readonly bytesNotResent: number;
  /** Nobody can tell what would have been: both are estimates. */
  readonly estimated: true;
}

/** `batches` are the rows of each batch, oldest first. `mostBytes` is what a full compile would have carried at most. */
export function savings(
  batches: Iterable<readonly Message[]>,
  mostBytes = Infinity,
): Savings {
  const counter = new SavingsCounter(mostBytes);
  for (const rows of batches) counter.add(rows);
  return counter.total;
}

/** Counts a thread batch by batch, oldest first: history need not be held whole. */
export class SavingsCounter {
  readonly #mostBytes: number;
  readonly #sizes = new Map<Snowflake, number>();
  #turnsAvoided = 0;
  #bytesNotResent = 0;
  #before = 0;

  constructor(mostBytes = Infinity) {
    this.#mostBytes = mostBytes;
  }

  get total(): Savings {
    return {
      turnsAvoided: this.#turnsAvoided,
      bytesNotResent: this.#bytesNotResent,
      estimated: true,
    };
  }

  /** Answers what these rows alone did not carry again, in bytes. */
  add(rows: readonly Message[]): number {
    const before = this.#bytesNotResent;
    let waiting = 0;
    for (const row of rows) {
      if (isKind(row, "user")) waiting += 1;
      if (!isKind(row, "turnStart")) continue;
      const { recipe } = row.body;
      this.#turnsAvoided += Math.max(0, waiting - 1);
      waiting = 0;
      if (recipe.kind !== "delta" || recipe.form?.alone === true) continue;
      const sent = recipe.positions.reduce(
        (sum, position) => sum + (this.#sizes.get(position) ?? 0),
        0,
      );
      this.#bytesNotResent += Math.min(
        this.#mostBytes,
        Math.max(0, this.#before - sent),
      );
    }
    for (const [position, size] of sizesOf(rows)) {
      this.#sizes.set(position, size);
      this.#before += size;
    }
    return this.#bytesNotResent - before;
  }
}

function sizesOf(rows: readonly Message[]): [Snowflake, number][] {
  return entriesOf(rows).flatMap((entry) => {
    const [row] = rowsOf(entry);
    const texts = transcriptTexts(entry);
    const size = texts.reduce((sum, text) => sum + utf8Length(text), 0);
    return row === undefined || row.position === null
      ? []
      : [[row.position, size] satisfies [Snowflake, number]];
  });
}
