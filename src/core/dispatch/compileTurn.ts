import { readHistory } from "../compile/readHistory.ts";
import type {
  Compiled,
  CompileInput,
  Fragment,
  Memory,
} from "../compile/types.ts";
import type { Message } from "../message.ts";
import type { AgentCapabilities } from "../agentPort.ts";
import type { Store } from "../ports.ts";
import type { Session, Thread } from "../thread.ts";
import type { Archive, Write } from "../writes.ts";
import type { DispatchSettings } from "./settings.ts";

export interface CompilePorts {
  readonly store: Store;
  readonly compile: (input: CompileInput) => Compiled;
  readonly sha256: (data: string | Uint8Array) => string;
  /** Stand for their batches when history is told again. */
  readonly archives?: (thread: string) => Promise<readonly Archive[]>;
}

/** A turn that is about to be sent, or that could be. */
export interface TurnToCompile {
  readonly thread: Thread;
  /** Claimed messages; queued ones for a preview. */
  readonly batch: readonly Message[];
  /** The session that is to be prompted; null when none is open yet and a new one will be. */
  readonly session: Session | null;
  /** Why it knows nothing, when it does not. */
  readonly why: string | null;
  readonly agent: CompileInput["agent"];
  readonly capabilities: AgentCapabilities;
  readonly commands: readonly string[] | null;
  readonly fragments: readonly Fragment[];
  readonly settings: DispatchSettings;
  /** The session the agent has open, as the agent names it; absent before it has one. */
  readonly opened?: {
    readonly sessionId: string;
    readonly generation: number;
    /** What it was given as it was opened. */
    readonly systemPrompt: string | null;
    /** It was prompted since. */
    readonly prompted: boolean;
  };
  /** Nothing was said since that the session does not know. */
  readonly caughtUp: boolean;
  /** Of the same transaction: bytes it brings along are not in the store yet. */
  readonly writes: readonly Write[];
}

export interface CompiledTurn {
  readonly compiled: Compiled;
  /** Of every image in it, by hash. */
  readonly bytes: ReadonlyMap<string, Uint8Array>;
}

/** Reads what a turn needs of the record and compiles it, images whose bytes are gone left out from the start. */
export async function compileTurn(
  turn: TurnToCompile,
  ports: CompilePorts,
): Promise<CompiledTurn> {
  const expected = await inputFor(turn, memoryOf(turn), ports);
  const first = ports.compile(expected);
  // The session turned out not to know what lies before its cursor, and that was not read.
  const input =
    first.kind === "full" && isPartial(turn)
      ? await inputFor(
          { ...turn, caughtUp: false },
          { kind: "none", why: first.recipe.reason },
          ports,
        )
      : expected;
  const bytes = new Map(
    turn.writes.flatMap((write) =>
      write.kind === "blob" ? [[write.hash, write.data] as const] : [],
    ),
  );
  let missing: readonly string[] = [];
  for (;;) {
    const compiled =
      missing.length === 0 && input === expected
        ? first
        : ports.compile(missing.length === 0 ? input : { ...input, missing });
    const hashes = imagesIn(compiled).filter((hash) => !bytes.has(hash));
    const found = hashes.length === 0 ? bytes : await ports.store.blobs(hashes);
    for (const [hash, data] of found) bytes.set(hash, data);
    const gone = hashes.filter((hash) => !bytes.has(hash));
    if (gone.length === 0) return { compiled, bytes };
    // Fewer images leave room for more history, which may name others that are gone.
    missing = [...new Set([...missing, ...gone])].sort();
  }
}

/** Only what came after the cursor was read, or nothing at all. */
function isPartial({ session, caughtUp }: TurnToCompile): boolean {
  return caughtUp || (session?.cursor ?? null) !== null;
}

async function inputFor(
  turn: TurnToCompile,
  memory: Memory,
  ports: CompilePorts,
): Promise<CompileInput> {
  const { thread, batch, settings, opened } = turn;
  const budgetTokens = settings.contextBudgetTokens;
  const known = turn.caughtUp
    ? nothingNew
    : await read(thread.id, memory, batch[0], budgetTokens, ports);
  return {
    batch,
    ...known,
    memory,
    agent: turn.agent,
    capabilities: turn.capabilities,
    fragments: turn.fragments,
    packing: settings.packing,
    budgetTokens,
    commands: turn.commands,
    sha256: ports.sha256,
    ...(opened === undefined ? {} : heldAgainst(opened, thread)),
  };
}

/** The session on record must be the one that is open; whatever it is not makes the agent know nothing. */
function heldAgainst(
  { sessionId, generation, ...opened }: NonNullable<TurnToCompile["opened"]>,
  { agent, folder }: Thread,
): Pick<CompileInput, "opened" | "expected"> {
  return {
    opened,
    expected: { agent, folder, generation, sessionId },
  };
}

function memoryOf({ session, why }: TurnToCompile): Memory {
  if (session === null || session.sessionId === null)
    return { kind: "none", why: why ?? "new" };
  return { kind: "session", session, ...(why === null ? {} : { why }) };
}

const nothingNew = { history: [], truncated: false, archives: [] };

async function read(
  thread: string,
  memory: Memory,
  first: Message | undefined,
  budgetTokens: number,
  { store, archives: readArchives }: CompilePorts,
): Promise<Pick<CompileInput, "history" | "truncated" | "archives">> {
  const archives = (await readArchives?.(thread)) ?? [];
  const before = first?.position ?? null;
  const found = await readHistory(store, {
    thread,
    memory,
    budgetTokens,
    archives,
    ...(before === null ? {} : { before }),
  });
  return { ...found, archives };
}

function imagesIn({ blocks }: Compiled): string[] {
  return blocks.flatMap((block) =>
    block.type === "image" ? [block.blob] : [],
  );
}
