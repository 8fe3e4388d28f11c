import { assertNever } from "../../src/util/assertNever.ts";
import type { ViewBatch } from "../../src/protocol/transcript.ts";
import type { AgentStatus } from "../../src/protocol/viewState.ts";
import { bytes, compact, money, running } from "./format.ts";
import { took } from "../../src/util/took.ts";
import type { IconName } from "./icons.ts";
import { words } from "./strings.ts";

/** What stands under the last message of a batch. */
export interface Foot {
  readonly icon?: IconName;
  readonly tone?: "bad" | "quiet";
  readonly text: string;
  /** Optional parts go first where it is narrow. */
  readonly parts: readonly {
    readonly text: string;
    readonly title?: string;
    readonly optional?: boolean;
  }[];
}

export interface FootFacts {
  readonly now: number;
  readonly status: AgentStatus;
  readonly agent: string;
  /** Whether the agent said anything in this batch. */
  readonly answered: boolean;
  /** The agent's last words. */
  readonly said?: string | undefined;
  /** Title of the tool that runs. */
  readonly tool?: string | undefined;
  readonly plan?: { readonly done: number; readonly all: number } | undefined;
}

/** Silence worth a word. */
export const quietAfter = 30_000;

export function footOf(batch: ViewBatch, facts: FootFacts): Foot {
  const elapsed = (batch.endedAt ?? facts.now) - batch.startedAt;
  const why =
    batch.why === undefined || repeats(batch.why, facts.said ?? "")
      ? []
      : [{ text: batch.why }];
  switch (batch.status) {
    case "collecting":
      return {
        text:
          facts.status.state === "starting"
            ? words.foot.starting(facts.agent, running(elapsed))
            : words.foot.collecting(running(elapsed)),
        parts: [],
      };
    case "processing":
      return batch.notSaved === true
        ? unsavedFoot(batch)
        : liveFoot(batch, facts, elapsed);
    case "completed":
      return {
        icon: "check",
        text:
          elapsed < 1_000
            ? words.foot.doneAtOnce
            : words.foot.done(took(elapsed)),
        parts: [...stopParts(batch), ...costParts(batch)],
      };
    case "cancelled":
      return {
        icon: "debug-stop",
        text: words.foot.stopped(took(elapsed)),
        parts: [...why, ...costParts(batch)],
      };
    case "failed":
      return {
        icon: "error",
        tone: "bad",
        text: words.foot.failed(took(elapsed)),
        parts: [...why, ...stopParts(batch)],
      };
    case "interrupted":
      return {
        icon: "debug-disconnect",
        text: facts.answered
          ? words.foot.interrupted(took(elapsed))
          : words.foot.interruptedUnread,
        parts: why,
      };
    default:
      return assertNever(batch.status);
  }
}

/** The answer is all there; its end is what the record lacks. */
function unsavedFoot(batch: ViewBatch): Foot {
  return {
    icon: "error",
    tone: "bad",
    text: words.foot.unsaved,
    parts: [
      { text: words.foot.keepsTrying, title: words.foot.notSavedWhy },
      ...costParts({ ...batch, notSaved: false }),
    ],
  };
}

/** Whether there is anything to wait for in it. */
export function isRunning({ status, notSaved }: ViewBatch): boolean {
  if (status === "processing") return notSaved !== true;
  return status === "collecting";
}

/** Some agents tell an error twice: as their answer, and as why the turn failed. */
function repeats(why: string, said: string): boolean {
  const plain = (text: string): string => text.replace(/\s+/gu, " ").trim();
  return said.trim() !== "" && plain(why).includes(plain(said).slice(0, 200));
}

function liveFoot(batch: ViewBatch, facts: FootFacts, elapsed: number): Foot {
  const { status, now, plan } = facts;
  const quiet = now - (status.updateAt ?? batch.startedAt);
  const asks = status.state === "waiting";
  if (quiet >= quietAfter && !asks) {
    const dead = status.state === "stuck";
    const sign =
      status.signAt !== undefined && now - status.signAt < quietAfter;
    const alive =
      facts.tool === undefined
        ? words.foot.alive
        : words.foot.aliveTool(facts.tool);
    const parts = dead
      ? [{ text: words.foot.notAnswering }]
      : sign
        ? [{ text: alive }]
        : [];
    return {
      tone: "quiet",
      text: words.foot.silent(Math.floor(quiet / 1000)),
      parts,
    };
  }
  const progress =
    plan === undefined ? [] : [{ text: words.foot.plan(plan.done, plan.all) }];
  return {
    text: words.foot.working(running(elapsed)),
    parts: [...progress, ...costParts(batch)],
  };
}

function stopParts(batch: ViewBatch): Foot["parts"] {
  switch (batch.stop) {
    case "max_tokens":
      return [{ text: words.foot.maxTokens }];
    case "max_turn_requests":
      return [{ text: words.foot.maxRequests }];
    case "refusal":
      return [{ text: words.foot.refusal }];
    case "stuck":
      return [{ text: words.foot.stuck }];
    case "end_turn":
    case "cancelled":
    case "error":
    case "interrupted":
    case undefined:
      return [];
    default:
      return assertNever(batch.stop);
  }
}

function costParts(batch: ViewBatch): Foot["parts"] {
  const { usage, compiled } = batch;
  const parts: Foot["parts"][number][] = [];
  if (batch.notSaved === true)
    parts.push({ text: words.foot.notSaved, title: words.foot.notSavedWhy });
  if (batch.rebuilt !== undefined)
    parts.push({ text: words.foot.rebuilt, title: batch.rebuilt });
  const tokens = tokensOf(usage);
  if (tokens !== undefined)
    parts.push({ text: words.foot.tokens(compact(tokens)) });
  if (usage?.cost !== undefined) parts.push({ text: money(usage.cost) });
  if (compiled !== undefined) {
    parts.push(
      compiled.kind === "delta"
        ? {
            text: words.foot.delta,
            title: words.foot.deltaWhy,
            optional: true,
          }
        : {
            text: words.foot.full,
            title: compiled.reason ?? words.foot.fullWhy,
            optional: true,
          },
      { text: words.foot.sent(bytes(compiled.bytes)), optional: true },
    );
  }
  return parts;
}

function tokensOf(usage: ViewBatch["usage"]): number | undefined {
  if (usage === undefined) return undefined;
  if (usage.totalTokens !== undefined) return usage.totalTokens;
  const { inputTokens, outputTokens } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return (inputTokens ?? 0) + (outputTokens ?? 0);
}
