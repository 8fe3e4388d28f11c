import type { Message, Snowflake } from "../message.ts";
import type { Store } from "../ports.ts";
import type { Archive } from "../writes.ts";
import { blocksOf } from "./pack.ts";
import { greatestOf } from "./recipe.ts";
import { estimateTokens, tokensOf } from "./tokens.ts";
import { toolCharacters } from "./toolText.ts";
import type { CompileInput, Memory } from "./types.ts";

export interface ReadInput {
  readonly thread: string;
  readonly memory: Memory;
  /** Position of the batch's first message; absent for a preview, whose messages have none yet. */
  readonly before?: Snowflake;
  readonly budgetTokens: number;
  readonly archives?: readonly Archive[];
}

/**
 * Reads what `compile` needs and no more: newest first, until the cursor, an archive, or twice what the budget could hold,
 * the second half for the outlines of what does not fit.
 */
export async function readHistory(
  store: Pick<Store, "page">,
  input: ReadInput,
): Promise<Pick<CompileInput, "history" | "truncated">> {
  const pages: (readonly Message[])[] = [];
  let tokens = 0;
  let truncated = true;
  for await (const { rows, last } of pagesBack(store, input)) {
    pages.unshift(rows);
    tokens += tokensIn(rows);
    truncated = !last;
    if (tokens > input.budgetTokens * 2) break;
  }
  return { history: pages.flat(), truncated };
}

/** Whether all that `compile` would have to tell takes more than this. Keeps nothing of what it reads. */
export async function historyExceeds(
  store: Pick<Store, "page">,
  input: Omit<ReadInput, "budgetTokens">,
  tokens: number,
): Promise<boolean> {
  let left = tokens;
  for await (const { rows } of pagesBack(store, input)) {
    left -= tokensIn(rows);
    if (left < 0) return true;
  }
  return false;
}

interface PageBack {
  readonly rows: readonly Message[];
  /** Nothing that has to be told lies before it. */
  readonly last: boolean;
}

/** Newest first, until the cursor or an archive. */
async function* pagesBack(
  store: Pick<Store, "page">,
  input: Omit<ReadInput, "budgetTokens">,
): AsyncGenerator<PageBack, void, undefined> {
  const floor = floorFor(input);
  let before = input.before;
  for (let limit = firstPage; ; limit = Math.min(limit * 2, largestPage)) {
    const { messages, more } = await store.page(input.thread, {
      limit,
      ...(before === undefined ? {} : { before }),
    });
    const rows = messages.filter((row) => isBeyond(row, floor));
    const last = !more || rows.length < messages.length;
    yield { rows, last };
    before = messages[0]?.position ?? undefined;
    if (last || before === undefined) return;
  }
}

const firstPage = 50;
const largestPage = 800;

/** Everything up to here is known to the session, or archives stand for it. */
function floorFor({
  memory,
  archives = [],
}: Pick<ReadInput, "memory" | "archives">): Snowflake | null {
  if (memory.kind === "session" && memory.session.cursor !== null)
    return memory.session.cursor;
  return greatestOf(archives.flatMap(({ batches }) => batches));
}

function isBeyond({ position }: Message, floor: Snowflake | null): boolean {
  return floor === null || (position !== null && position > floor);
}

export function tokensIn(rows: readonly Message[]): number {
  return rows.reduce((sum, row) => sum + roughTokens(row), 0);
}

/** What a record takes in a prompt, without writing it: never less than one, so that rows which say nothing end the reading too. */
function roughTokens({ body }: Message): number {
  const characters = "text" in body ? body.text.length : toolCharacters(body);
  return 1 + tokensOf(characters) + estimateTokens(blocksOf({ body }));
}
