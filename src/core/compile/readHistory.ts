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
  const floor = floorFor(input);
  const pages: (readonly Message[])[] = [];
  let before = input.before;
  let tokens = 0;
  for (let limit = firstPage; ; limit = Math.min(limit * 2, largestPage)) {
    const page = await store.page(input.thread, {
      limit,
      ...(before === undefined ? {} : { before }),
    });
    const news = page.messages.filter((row) => isBeyond(row, floor));
    pages.unshift(news);
    tokens += news.reduce((sum, row) => sum + roughTokens(row), 0);
    before = page.messages[0]?.position ?? undefined;
    const all = !page.more || news.length < page.messages.length;
    if (all || before === undefined || tokens > input.budgetTokens * 2)
      return { history: pages.flat(), truncated: !all };
  }
}

const firstPage = 50;
const largestPage = 800;

/** Everything up to here is known to the session, or archives stand for it. */
function floorFor({ memory, archives = [] }: ReadInput): Snowflake | null {
  if (memory.kind === "session" && memory.session.cursor !== null)
    return memory.session.cursor;
  return greatestOf(archives.flatMap(({ batches }) => batches));
}

function isBeyond({ position }: Message, floor: Snowflake | null): boolean {
  return floor === null || (position !== null && position > floor);
}

/** What a record takes in a prompt, without writing it: never less than one, so that rows which say nothing end the reading too. */
export function roughTokens({ body }: Message): number {
  const characters = "text" in body ? body.text.length : toolCharacters(body);
  return 1 + tokensOf(characters) + estimateTokens(blocksOf({ body }));
}
