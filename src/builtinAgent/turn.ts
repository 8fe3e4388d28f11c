import type { ContentBlock, StopReason } from "@agentclientprotocol/sdk";
import { answer } from "./answer.ts";
import { Children } from "./children.ts";
import { code } from "./markdown.ts";
import { isOver, type Part, type ToolPart, toUpdate } from "./part.ts";
import type { Scope } from "./paths.ts";
import { readPrompt } from "./prompt.ts";
import type { Session } from "./session.ts";
import { breathe, pieces } from "./stream.ts";
import { failed } from "./tool.ts";
import type { Wire } from "./wire.ts";
import { errorText } from "../util/errorText.ts";

export interface TurnInput {
  readonly session: Session;
  readonly blocks: readonly ContentBlock[];
  readonly scope: Scope;
  readonly wire: Wire;
  readonly signal: AbortSignal;
  readonly paceMs: number;
}

/** Answers one prompt: says it, records it, and stops at once when told to. */
export async function runTurn(input: TurnInput): Promise<StopReason> {
  const { session, scope, wire, signal } = input;
  const children = new Children();
  session.record({ kind: "prompt", blocks: input.blocks });
  const open = new Map<string, ToolPart>();
  const say = (part: Part): Promise<void> => deliver(input, part, open);
  const prompt = readPrompt(input.blocks);
  const parts = answer(prompt, (asked) => ({
    scope,
    signal,
    children,
    asked,
    context: prompt.context,
    memory: session.memory,
    ask: wire.ask,
    editorText: wire.editorText,
    editorWrite: wire.editorWrite,
  }));
  try {
    for (;;) {
      const step = await untilAborted(parts.next(), signal);
      if (step === "aborted" || step.done === true) break;
      await say(step.value);
      if (signal.aborted) break;
    }
  } catch (error) {
    // A bug must not cost the user the session: the turn ends and says so.
    const why = errorText(error);
    await say({
      kind: "text",
      text: `\n\nSomething went wrong inside the built-in agent: ${code(why)}`,
    });
  }
  void parts.return().catch(() => undefined);
  await children.end();
  const stop: StopReason = signal.aborted ? "cancelled" : "end_turn";
  for (const call of open.values())
    await say(failed(call, stop === "cancelled" ? "Cancelled" : "Failed"));
  session.record({ kind: "end", stop });
  const problem = session.takeProblem();
  if (problem !== undefined && stop === "end_turn")
    await wire.send({
      sessionUpdate: "agent_message_chunk",
      content: {
        type: "text",
        text: `\n\nI could not save this session: ${problem}`,
      },
    });
  return stop;
}

async function deliver(
  { session, wire, signal, paceMs }: TurnInput,
  part: Part,
  open: Map<string, ToolPart>,
): Promise<void> {
  switch (part.kind) {
    case "text":
      for (const text of pieces(part.text)) {
        if (signal.aborted) return;
        const piece: Part = { kind: "text", text };
        session.record(piece);
        await sendPart(piece, wire);
        await breathe(paceMs);
      }
      return;
    case "tool": {
      const isNew = part.title !== undefined;
      if (isOver(part.status)) open.delete(part.id);
      else if (isNew) open.set(part.id, part);
      // Progress in between is for the eye; the record keeps how it began and how it ended.
      if (isNew || isOver(part.status)) session.record(part);
      break;
    }
    case "plan":
    case "found":
    case "explained":
      session.record(part);
  }
  await sendPart(part, wire);
  await breathe(0);
}

async function sendPart(part: Part, wire: Wire): Promise<void> {
  const update = toUpdate(part);
  if (update !== undefined) await wire.send(update);
}

async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
): Promise<T | "aborted"> {
  if (signal.aborted) return "aborted";
  let stop: () => void = () => undefined;
  const aborted = new Promise<"aborted">((resolve) => {
    stop = () => resolve("aborted");
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
    work.catch(() => undefined);
  }
}
