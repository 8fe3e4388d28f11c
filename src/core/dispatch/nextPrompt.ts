import { settle } from "../compile/memory.ts";
import type { Compiled, CompileInput } from "../compile/types.ts";
import type { Block, Message } from "../message.ts";
import type { AgentCapabilities } from "../agentPort.ts";
import { chooseSession, whyNew } from "../sessions.ts";
import type { NewThread, Session, Thread } from "../thread.ts";
import type { AgentSidePorts } from "./agentSide.ts";
import { pickBatch } from "./claim.ts";
import {
  compileTurn,
  type CompilePorts,
  type TurnToCompile,
} from "./compileTurn.ts";
import type { OpenAgent } from "./lives.ts";
import type { DispatchSettings } from "./settings.ts";
import { asStored } from "./recover.ts";
import { sessionOf, type AgentLife, type ThreadState } from "./state.ts";

/** What the next turn would send, were it sent now. */
export interface NextPrompt {
  readonly compiled: Compiled;
  readonly agent: CompileInput["agent"];
  /** Those of the queue that would go; none when only `typed` would. */
  readonly messages: readonly Message[];
  /** False while the agent does not run: that it has its session still is supposed. */
  readonly certain: boolean;
  /** False for an agent that has never told what it takes: that is supposed too. */
  readonly acquainted: boolean;
}

/** What is known of a thread and its agent. */
export interface Present {
  readonly state: ThreadState;
  readonly open: OpenAgent | undefined;
  /** As another process of the same agent has told them, now or earlier, if any has. */
  readonly capabilities: AgentCapabilities | null;
  readonly settings: DispatchSettings;
  readonly at: number;
  /** Stands for what is not queued yet. */
  readonly typed: Message;
}

export type NextPorts = CompilePorts &
  Pick<AgentSidePorts, "surroundings" | "resolveAgent">;

/** Compiles without sending. A running turn is taken to succeed; with nothing queued, `typed` is what would go. */
export async function nextPrompt(
  present: Present,
  ports: NextPorts,
): Promise<NextPrompt> {
  const { state, settings, typed } = present;
  const { thread, commands } = state;
  const queued = nextMessages(present);
  const messages = queued.length === 0 ? [typed] : queued;
  const target = targetOf(state, present.capabilities);
  const { fragments } = await ports.surroundings(thread, {
    session: target.session?.sessionId ?? null,
    batch: messages,
  });
  const spec = await ports.resolveAgent(thread.agent);
  const agent = {
    id: thread.agent,
    label: spec.ok ? spec.value.label : thread.agent,
  };
  const { compiled } = await compileTurn(
    {
      ...{ thread, agent, commands, fragments, settings },
      ...target,
      batch: messages,
      ...openedOf(present),
      caughtUp: false,
      writes: [],
    },
    ports,
  );
  const { certain } = target;
  const acquainted = certain || present.capabilities !== null;
  return { compiled, agent, messages: queued, certain, acquainted };
}

/** A thread that is only begun, as it would enter the record. */
export function begunState(begun: NewThread, id: string): ThreadState {
  const { folder, agent, title = "" } = begun;
  const thread: Thread = {
    ...{ id, title, folder, agent },
    ...{ held: null, archived: false, createdAt: 0, updatedAt: 0 },
  };
  const nothing = {
    ...{ sessions: [], queue: [], unsettled: [] },
    ...{ originals: [], sinceUser: [], newest: null },
  };
  return asStored({ thread, ...nothing }, 1).state;
}

/** What is held against the record, while the agent has its session open. */
function openedOf({ state, open }: Present): Pick<TurnToCompile, "opened"> {
  const { agent } = state;
  if (!isOwn(agent, state) || open === undefined) return {};
  const { sessionId, systemPrompt, prompted } = open;
  const { generation } = agent;
  return { opened: { sessionId, systemPrompt, prompted, generation } };
}

/** A message that is still being typed. */
export function typedMessage(
  thread: string,
  blocks: readonly Block[],
): Message {
  return {
    id: "",
    thread,
    arrived: "",
    ...{ rank: null, position: null, batch: null, sequence: null },
    ...{ batchType: null, parentBatch: null, retryOf: null },
    sender: { kind: "user", name: "" },
    state: "queued",
    marks: {},
    body: { kind: "user", blocks },
  };
}

/** The batch that is waiting for its session, else what would be claimed now. */
function nextMessages({ state, settings, at }: Present): readonly Message[] {
  return state.turn?.phase === "claimed"
    ? state.turn.messages
    : pickBatch(state, settings, at);
}

interface Target {
  readonly session: Session | null;
  readonly why: string | null;
  readonly capabilities: AgentCapabilities;
  readonly certain: boolean;
}

function targetOf(state: ThreadState, known: AgentCapabilities | null): Target {
  const { agent, thread, sessions, turn, reset } = state;
  if (isOwn(agent, state)) {
    const session = sessionOf(state, agent.generation) ?? null;
    const sent = turn?.phase === "sent" ? turn : null;
    return {
      session:
        session === null || sent === null
          ? session
          : settle(session, sent, "end_turn"),
      why: agent.why,
      capabilities: agent.capabilities,
      certain: true,
    };
  }
  const capabilities = known ?? supposed;
  const choice = chooseSession(thread, sessions, capabilities);
  return choice.kind === "resume"
    ? { session: choice.session, why: null, capabilities, certain: false }
    : {
        session: null,
        why: whyNew(choice, reset === true),
        capabilities,
        certain: false,
      };
}

function isOwn(
  agent: AgentLife,
  { thread }: ThreadState,
): agent is Extract<AgentLife, { kind: "live" }> {
  return (
    agent.kind === "live" &&
    agent.agent === thread.agent &&
    agent.folder === thread.folder
  );
}

/** What most agents can do. */
const supposed: AgentCapabilities = {
  name: "",
  version: "",
  load: true,
  resume: true,
  image: true,
  embeddedContext: true,
  systemPrompt: true,
  additionalDirectories: true,
};
