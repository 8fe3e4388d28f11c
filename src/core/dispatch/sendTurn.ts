import { rebuiltSentence, shortenedSentence } from "../compile/explain.ts";
import { batchTypeOf, isTriggered } from "../gates.ts";
import { Draft } from "./draft.ts";
import type { SentPrompt, StepContext, Stepped } from "./events.ts";
import { discardQueued } from "./queue.ts";
import { supersede } from "./retry.ts";
import { timing } from "./settings.ts";
import { sessionOf, type SentTurn } from "./state.ts";
import { unclaim } from "./unclaim.ts";

/**
 * Adds the write-intent to a step that asked for a prompt: the turn's start record, its messages `sent`,
 * what they repeat `superseded`. Committed with the step, before a byte reaches the agent.
 */
export function sendTurn(
  stepped: Stepped,
  sent: SentPrompt,
  at: number,
  context: StepContext,
): Stepped {
  const draft = new Draft(stepped.state, at, context);
  const { turn, agent } = stepped.state;
  if (turn?.phase !== "claimed" || agent.kind !== "live")
    throw new Error("A prompt was asked for with nothing to send it to.");
  const sessionId = sessionOf(stepped.state, agent.generation)?.sessionId;
  if (typeof sessionId !== "string")
    throw new Error("A live agent without a session.");
  draft.append(turn.batch, {
    kind: "turnStart",
    agent: agent.agent,
    session: sessionId,
    generation: agent.generation,
    process: agent.identity,
    recipe: sent.recipe,
  });
  if (sent.rebuilt)
    draft.append(turn.batch, {
      kind: "notice",
      level: "info",
      code: "rebuilt",
      text: rebuiltSentence(sent.recipe.reason),
    });
  const { kind, omitted } = sent.recipe;
  if (kind === "delta" && (omitted?.digested ?? omitted?.leftOut))
    draft.append(turn.batch, {
      kind: "notice",
      level: "info",
      code: "shortened",
      text: shortenedSentence,
    });
  if (isTriggered(batchTypeOf(turn.messages)))
    draft.count({ agentBatches: draft.state.counters.agentBatches + 1 });
  const messages = draft.become(turn.messages, "sent");
  supersede(draft, messages);
  const { batch, batchType, parentBatch } = turn;
  const running: SentTurn = {
    ...turn,
    phase: "sent",
    messages,
    life: agent.life,
    sessionId,
    generation: agent.generation,
    startedAt: at,
    through: sent.through,
    ledger: sent.ledger,
    cancel: null,
    ceilingAsked: null,
  };
  draft.set({
    turn: running,
    newest: { batch, batchType, parentBatch },
    agent: {
      ...agent,
      misses: 0,
      probedAt: at,
      tickDue: at + timing.probeEveryMs,
    },
  });
  if (agent.probe === "answers")
    draft.effect({ kind: "probe", life: agent.life });
  return { ...joined(stepped, draft.finish()), flush: true };
}

/** The batch came to nothing that could be sent: it is taken out of the way, with Restore, and the next may go. */
export function sendNothing(
  stepped: Stepped,
  at: number,
  context: StepContext,
): Stepped {
  const draft = new Draft(stepped.state, at, context);
  const { turn } = stepped.state;
  if (turn?.phase !== "claimed")
    throw new Error("Nothing was claimed that could be let go.");
  discardQueued(draft, unclaim(draft, turn.messages));
  draft.dispatchLater = true;
  return joined(stepped, draft.finish());
}

function joined(stepped: Stepped, added: Stepped): Stepped {
  return {
    ...stepped,
    state: added.state,
    writes: [...stepped.writes, ...added.writes],
    effects: [...stepped.effects, ...added.effects],
    touched: latest([...stepped.touched, ...added.touched]),
    durability: "full",
  };
}

function latest<T extends { readonly id: string }>(
  items: readonly T[],
): readonly T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
