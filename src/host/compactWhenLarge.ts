import { tokensOf } from "../core/compile/tokens.ts";
import type { Fragment } from "../core/compile/types.ts";
import type { Engine } from "../core/engine.ts";
import type { Log } from "../core/ports.ts";
import type { Thread } from "../core/thread.ts";
import type { Disposable } from "../util/disposables.ts";
import {
  compactHistory,
  takesMoreThan,
  type CompactPorts,
} from "./compactHistory.ts";
import type { Settings } from "./settings.ts";
import { t } from "../util/l10n.ts";

/** How many turns of a thread go by before it is looked at again. */
const every = 10;
/** Of the threshold, what is left whole beneath it. */
const keptShare = 1 / 2;

export interface CompactWhenLargePorts extends CompactPorts {
  readonly engine: Pick<Engine, "onChange" | "snapshot" | "notify">;
  readonly settings: () => {
    readonly context: Pick<Settings["context"], "compactAtTokens">;
    readonly dispatch: Pick<Settings["dispatch"], "contextBudgetTokens">;
  };
  /** Told with every full request, besides the conversation. */
  readonly fragments: (thread: Thread) => Promise<readonly Fragment[]>;
  readonly log: Log;
}

/** Compacts threads whose whole request has grown beyond the threshold, and tells the user, who can undo it. */
export function compactWhenLarge(ports: CompactWhenLargePorts): Disposable {
  const { engine, log } = ports;
  const since = new Map<string, number>();
  const stop = engine.onChange((change) => {
    if (change.kind !== "turn" || change.turn !== null) return;
    const turnsGone = since.get(change.thread) ?? every - 1;
    since.set(change.thread, (turnsGone + 1) % every);
    if (turnsGone + 1 < every) return;
    look(ports, change.thread).catch((error: unknown) => {
      log.warn("compaction.failed", { error: String(error) });
    });
  });
  return { dispose: stop };
}

async function look(
  ports: CompactWhenLargePorts,
  thread: string,
): Promise<void> {
  const { engine, store, undone, log } = ports;
  const { context, dispatch } = ports.settings();
  const at = context.compactAtTokens;
  const about = engine.snapshot(thread)?.thread;
  if (at === 0 || about === undefined || undone.has(thread)) return;
  const fixed = (await ports.fragments(about)).reduce(
    (sum, { text }) => sum + tokensOf(text.length),
    0,
  );
  if (!(await takesMoreThan(store, thread, at - fixed))) return;
  const budget = Math.min(dispatch.contextBudgetTokens, at);
  // Well below the threshold, or a few turns later it would have to be done again.
  const keep = Math.max(0, Math.min(budget, at * keptShare) - fixed);
  const done = await compactHistory(ports, thread, { keep, budget });
  if (done.kind === "nothing") return;
  log.info("compaction", { thread, ...done });
  if (done.kind === "done")
    engine.notify(thread, {
      level: "info",
      code: "compacted",
      text:
        done.turns === 1
          ? t(
              "This thread is long. A summary now stands for its oldest turn when an agent has to be told the history. Nothing was deleted.",
            )
          : t(
              "This thread is long. A summary now stands for its {0} oldest turns when an agent has to be told the history. Nothing was deleted.",
              done.turns,
            ),
    });
}
