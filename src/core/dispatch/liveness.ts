import { cancelSent } from "./cancel.ts";
import { suspend } from "./agentEnds.ts";
import type { Draft } from "./draft.ts";
import { endAgent } from "./process.ts";
import { timing, type DispatchSettings } from "./settings.ts";
import { isIdle, type SentTurn, type ThreadState } from "./state.ts";
import { t } from "../../util/l10n.ts";

const minute = 60_000;

/** Looks at everything that time alone brings about. Only called once waiting input has been read. */
export function wake(draft: Draft): void {
  const { leases } = draft.state;
  if (leases.some(({ until }) => until <= draft.at))
    draft.set({ leases: leases.filter(({ until }) => until > draft.at) });
  retryStalled(draft);
  const { turn } = draft.state;
  if (turn?.phase === "sent") {
    tick(draft);
    overdueCancel(draft);
    askAtCeiling(draft);
  }
  if (isDue(idleDeadline(draft.state, draft.context.settings), draft.at))
    suspend(draft);
}

/** The first, idle probe was answered: from now on silence means something. */
export function probeAnswered(draft: Draft): void {
  const { agent } = draft.state;
  if (agent.kind === "opening")
    draft.set({ agent: { ...agent, probe: "answers" } });
  if (agent.kind !== "live" || agent.probe === "answers") return;
  draft.set({
    agent: { ...agent, probe: "answers", probedAt: draft.at, misses: 0 },
  });
}

/** When the next `wake` is due, after an instant if one is given; undefined when nothing waits for time to pass. */
export function nextDeadline(
  state: ThreadState,
  settings: DispatchSettings,
  after = Number.NEGATIVE_INFINITY,
): number | undefined {
  const { leases, collect, agent, turn, stalled } = state;
  const sent = turn?.phase === "sent" ? turn : null;
  const due = [
    stalled?.retryAt,
    ...leases.map(({ until }) => until),
    turn === null ? collect?.until : undefined,
    agent.kind === "backoff" ? agent.until : undefined,
    sent !== null && agent.kind === "live" ? agent.tickDue : undefined,
    sent !== null && agent.kind === "live" ? graceDeadline(sent) : undefined,
    sent === null ? undefined : ceilingDeadline(sent, settings),
    idleDeadline(state, settings),
  ]
    .filter((time) => time !== undefined)
    .filter((time) => time > after);
  return due.length === 0 ? undefined : Math.min(...due);
}

/**
 * Judges the last probe and sends the next. Six in a row without any sign of life mean stuck;
 * a tick that comes late (sleep, a blocked host) says nothing about the agent.
 */
function tick(draft: Draft): void {
  const { agent } = draft.state;
  if (agent.kind !== "live" || agent.tickDue > draft.at) return;
  const late = draft.at - agent.tickDue > timing.lateTickMs;
  const signed = draft.context.lastSign >= agent.probedAt;
  const judged = agent.probe === "answers" && !late && !signed;
  const misses = judged ? agent.misses + 1 : 0;
  draft.set({
    agent: {
      ...agent,
      misses,
      probedAt: draft.at,
      tickDue: draft.at + timing.probeEveryMs,
    },
  });
  if (misses >= timing.missesUntilStuck) stuck(draft);
  else if (agent.probe === "answers")
    draft.effect({ kind: "probe", life: agent.life });
}

function stuck(draft: Draft): void {
  const { turn } = draft.state;
  if (turn?.phase !== "sent" || turn.cancel !== null) return;
  draft.notice(
    "warning",
    "stuck",
    t(
      "The agent gives no sign of life. It is being stopped and will be started again.",
    ),
  );
  cancelSent(draft, "stuck", false);
}

/** An agent that does not heed a cancel in time is ended; a wake that comes late (sleep) gives it its time anew. */
function overdueCancel(draft: Draft): void {
  const { turn, agent } = draft.state;
  if (turn?.phase !== "sent" || agent.kind !== "live") return;
  const deadline = graceDeadline(turn);
  if (turn.cancel === null || !isDue(deadline, draft.at)) return;
  const late = draft.at - (deadline ?? draft.at) > timing.lateTickMs;
  if (late)
    draft.set({ turn: { ...turn, cancel: { ...turn.cancel, at: draft.at } } });
  else endAgent(draft);
}

/** Asks; kills nothing. */
function askAtCeiling(draft: Draft): void {
  const { turn } = draft.state;
  const { settings } = draft.context;
  if (turn?.phase !== "sent") return;
  if (!isDue(ceilingDeadline(turn, settings), draft.at)) return;
  const { ceilingMinutes } = settings;
  draft.set({ turn: { ...turn, ceilingAsked: ceilingMinutes } });
  draft.notice(
    "warning",
    "ceiling",
    ceilingMinutes === 1
      ? t("This turn has been running for a minute.")
      : t("This turn has been running for {0} minutes.", ceilingMinutes),
  );
}

function retryStalled(draft: Draft): void {
  const { stalled } = draft.state;
  if (stalled === null || stalled.retryAt > draft.at) return;
  draft.set({ stalled: null });
  // What is kept may tell that there is no one to prompt any more.
  draft.dispatchLater = true;
  const at = draft.at;
  draft.effect({
    kind: "retry",
    events: [...stalled.events, { kind: "flush", at }],
  });
}

function graceDeadline(turn: SentTurn): number | undefined {
  return turn.cancel === null ? undefined : turn.cancel.at + timing.graceMs;
}

function ceilingDeadline(
  turn: SentTurn,
  { ceilingMinutes }: DispatchSettings,
): number | undefined {
  return ceilingMinutes <= 0 || turn.ceilingAsked !== null
    ? undefined
    : turn.startedAt + ceilingMinutes * minute;
}

function idleDeadline(
  state: ThreadState,
  { idleMinutes }: DispatchSettings,
): number | undefined {
  return state.agent.kind === "live" && idleMinutes > 0 && isIdle(state)
    ? state.agent.idleSince + idleMinutes * minute
    : undefined;
}

function isDue(deadline: number | undefined, at: number): boolean {
  return deadline !== undefined && deadline <= at;
}
