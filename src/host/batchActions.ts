import { randomUUID } from "node:crypto";
import type { Reply } from "../core/dispatch/events.ts";
import type { BatchAction, ViewBatch } from "../protocol/transcript.ts";
import { assertNever } from "../util/assertNever.ts";
import type { Services } from "./services.ts";
import { atRest } from "./projector.ts";
import { Transcript } from "./transcript.ts";

type Ends = Pick<Services, "engine" | "store" | "userName">;

/** Does what a user decides about a turn that is over. */
export async function actOnBatch(
  { engine, userName }: Ends,
  thread: string,
  batch: string,
  action: BatchAction,
): Promise<Reply> {
  switch (action) {
    case "retry":
      return engine.retry(thread, batch);
    case "discard":
      return engine.discard(thread, batch);
    case "continue":
      return engine.continue(thread, batch, {
        id: randomUUID(),
        sender: { kind: "user", name: await userName(thread) },
        blocks: [{ type: "text", text: "Please go on." }],
      });
    default:
      return assertNever(action);
  }
}

/** The newest turn of a thread about which this can be decided. */
export async function lastBatchFor(
  { engine, store }: Ends,
  thread: string,
  action: BatchAction,
): Promise<ViewBatch | undefined> {
  const transcript = new Transcript(store, thread);
  await transcript.latest();
  for (const message of engine.snapshot(thread)?.tail ?? [])
    transcript.apply({ kind: "message", message });
  return transcript
    .project(atRest)
    .batches.findLast(({ actions }) => actions.includes(action));
}
