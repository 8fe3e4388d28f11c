import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import { compile } from "../../src/core/compile/compile.ts";
import { compileTurn } from "../../src/core/dispatch/compileTurn.ts";
import { defaultDispatchSettings } from "../../src/core/dispatch/settings.ts";
import type { Body, Message, Sender } from "../../src/core/message.ts";
import { SnowflakeGenerator } from "../../src/core/snowflake.ts";
import type { Session } from "../../src/core/thread.ts";
import type { SqliteStore } from "../../src/history/sqliteStore.ts";
import { capable } from "../fakes/agent.ts";
import { mustOpen, newFolder } from "../fakes/realStore.ts";
import {
  agent as answering,
  body,
  sessionOf,
  threadOf,
  user,
  write,
} from "../fakes/recordBuilder.ts";
import type { Figure } from "./figure.ts";

const thread = threadOf("t");
/** Less than a thousand messages take: both ends of the ratio are cut by it. */
const budgetTokens = 20_000;
const words = "a few more words ".repeat(60);

/** What compiling the next turn costs in a long thread against a short one, history read from disk and all. */
export async function bench(): Promise<readonly Figure[]> {
  const [tiny, small, large] = [
    await filled(100),
    await filled(1_000),
    await filled(100_000),
  ];
  try {
    return [
      await growth("compile.delta.growth", [tiny, large], "delta", 150, 1.5),
      await growth("compile.full.growth", [small, large], "full", 25, 2),
    ];
  } finally {
    for (const { store, folder } of [tiny, small, large]) {
      await store.close();
      await fs.rm(folder, { recursive: true });
    }
  }
}

/** What each prompt has to be made of for the figure to mean anything. */
const expected = {
  full: "digest history batch",
  delta: "transcript batch",
} as const;

interface Filled {
  readonly folder: string;
  readonly store: SqliteStore;
  readonly session: Session;
  /** The batch that is about to be sent. */
  readonly batch: readonly Message[];
}

/** In turns, so that whatever else the machine does falls on both. */
async function growth(
  name: string,
  records: readonly [Filled, Filled],
  kind: "full" | "delta",
  rounds: number,
  limit: number,
): Promise<Figure> {
  const times: readonly [number[], number[]] = [[], []];
  for (let round = 0; round < rounds + 3; round += 1)
    for (const which of [0, 1] as const) {
      const from = performance.now();
      const parts = await compiled(records[which], kind);
      const took = performance.now() - from;
      if (parts !== expected[kind])
        throw new Error(`It was ${parts}, not ${expected[kind]}.`);
      // The first few warm up.
      if (round >= 3) times[which].push(took);
    }
  return {
    name,
    value: median(times[1]) / median(times[0]),
    unit: "×",
    limit,
  };
}

async function compiled(
  { store, session, batch }: Filled,
  kind: "full" | "delta",
): Promise<string> {
  const turn = await compileTurn(
    {
      thread,
      batch,
      session: kind === "delta" ? session : null,
      why: null,
      agent: { id: "builtin", label: "Built-in" },
      capabilities: capable,
      commands: [],
      fragments: [],
      settings: {
        ...defaultDispatchSettings,
        contextBudgetTokens: budgetTokens,
      },
      caughtUp: false,
      writes: [],
    },
    {
      store,
      compile,
      archives: (id) => store.archives(id),
      sha256: (data) => createHash("sha256").update(data).digest("hex"),
    },
  );
  return turn.compiled.parts.map((part) => part.kind).join(" ");
}

/** Exchanges of four rows, the last two of them with another agent: what the session has missed. */
async function filled(rows: number): Promise<Filled> {
  const folder = await newFolder();
  const store = await mustOpen(folder);
  const ids = new SnowflakeGenerator(() => 1_700_000_000_000);
  await store.commit([write.thread("t")], "full");
  const exchanges = rows / 4;
  let cursor = "";
  for (let from = 0; from < exchanges; from += 1_000) {
    const messages: Message[] = [];
    for (let n = from; n < Math.min(from + 1_000, exchanges); n += 1) {
      const missed = n >= exchanges - 2;
      const made = exchange(ids, n, missed ? other : answering);
      if (!missed) cursor = made[0]?.position ?? "";
      messages.push(...made);
    }
    const answer = await store.commit([{ kind: "import", messages }], "normal");
    if (!answer.ok) throw new Error(JSON.stringify(answer));
  }
  // What is indexed in idle moments is done before anything is timed.
  await store.search({ text: "ask", limit: 1 });
  const position = ids.next();
  const next = message("next", position, position, 0, user, {
    kind: "user",
    blocks: [{ type: "text", text: "And now?" }],
  });
  return {
    ...{ folder, store, batch: [{ ...next, state: "claimed" }] },
    session: sessionOf("t", { cursor }),
  };
}

const other: Sender = { kind: "agent", id: "other", name: "Other" };

function exchange(
  ids: SnowflakeGenerator,
  n: number,
  sender: Sender,
): readonly Message[] {
  const batch = ids.next();
  const start = body.start([batch]);
  const bodies: readonly Body[] = [
    { kind: "user", blocks: [{ type: "text", text: `ask ${n} ${words}` }] },
    start.kind === "turnStart" && sender === other
      ? { ...start, agent: "other", session: "o1" }
      : start,
    { kind: "agent", text: `answer ${n} ${words}` },
    body.end(),
  ];
  return bodies.map((said, sequence) => {
    const position = sequence === 0 ? batch : ids.next();
    const by = said.kind === "user" ? user : sender;
    return message(`${n}-${sequence}`, position, batch, sequence, by, said);
  });
}

function message(
  id: string,
  position: string,
  batch: string,
  sequence: number,
  sender: Sender,
  said: Body,
): Message {
  return {
    ...{ id, thread: "t", arrived: position, rank: null, position },
    ...{ batch, sequence, batchType: "user_request", parentBatch: null },
    ...{ retryOf: null, sender, marks: {}, body: said },
    state: said.kind === "user" ? "delivered" : null,
  };
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}
