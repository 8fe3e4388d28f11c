import type { Body, Message, ToolContent } from "../message.ts";
import type { AgentUpdate } from "../agentPort.ts";
import type { Pen, Recording, ToolRow } from "./recording.ts";

type ToolUpdate = Extract<AgentUpdate, { kind: "tool" }>;
type CallBody = Extract<Body, { kind: "toolCall" }>;
type ResultBody = Extract<Body, { kind: "toolResult" }>;

const rememberedTools = 500;

/** Upserts a tool call by its id, in any order; it stays with the batch that first named it. */
export function recordTool(pen: Pen, update: ToolUpdate): void {
  writeBlobs(pen, update);
  const known = toolRow(pen.recording, update.toolCallId);
  const owner = pen.recording.finished.get(
    keyOf(pen.recording, update.toolCallId),
  );
  if (known?.ended === true) goOnLate(pen, known, update);
  else if (known !== undefined) goOn(pen, known, update);
  else if (owner !== undefined) addLateResult(pen, owner, update);
  else begin(pen, update);
}

export function toolRow(
  recording: Recording,
  toolCallId: string,
): ToolRow | undefined {
  return recording.tools.get(keyOf(recording, toolCallId));
}

/** The turn is over: what was told of its calls was told, and may have been passed on. */
export function endTools(pen: Pen): void {
  const { tools } = pen.recording;
  pen.set({
    tools: new Map(
      [...tools].map(([key, row]) => [key, { ...row, ended: true }]),
    ),
  });
}

/** Calls of a turn that is over, from the record: what still comes of them is added to them. */
export function rememberTools(pen: Pen, rows: readonly Message[]): void {
  const resultOf = (id: string) =>
    rows.find(
      ({ body }) => body.kind === "toolResult" && body.toolCallId === id,
    );
  for (const call of rows)
    if (call.body.kind === "toolCall") {
      const { toolCallId } = call.body;
      const result = resultOf(toolCallId) ?? null;
      if (toolRow(pen.recording, toolCallId) === undefined)
        keep(pen, toolCallId, { call, result, output: undefined, ended: true });
    }
}

/** Finished calls of earlier turns: only who owns them is remembered. */
export function forgetFinished(pen: Pen): void {
  const { tools, finished } = pen.recording;
  const open = new Map<string, ToolRow>();
  const done = new Map(finished);
  for (const [id, row] of tools)
    if (row.result === null) open.set(id, row);
    else if (row.call.batch !== null) done.set(id, row.call.batch);
  pen.set({
    tools: open,
    finished: new Map([...done].slice(-rememberedTools)),
  });
}

function begin(pen: Pen, update: ToolUpdate): void {
  const { batch, late } = pen.recording;
  if (batch === null) return;
  const body = merged(
    {
      kind: "toolCall",
      toolCallId: update.toolCallId,
      title: update.toolCallId,
      toolKind: "other",
      status: "pending",
      locations: [],
      content: [],
    },
    update,
  );
  const outcome = outcomeOf(body, update.output);
  const call = pen.append(batch, outcome === null ? body : emptied(body), late);
  const result = outcome === null ? null : pen.append(batch, outcome, late);
  const { output } = update;
  keep(pen, update.toolCallId, { call, result, output, ended: late });
  pen.hurry("now");
}

function goOn(pen: Pen, row: ToolRow, update: ToolUpdate): void {
  const { call, result } = row;
  const next = nextOf(row, update);
  if (next === null || call.batch === null) return;
  const { body, output, outcome } = next;
  if (outcome === null) {
    const longer = pen.replace(call, body);
    keep(pen, body.toolCallId, { ...row, call: longer, output });
    pen.hurry("soon");
    return;
  }
  keep(pen, body.toolCallId, {
    ...row,
    call: pen.replace(call, emptied(body)),
    result:
      result === null
        ? pen.append(call.batch, outcome, false)
        : pen.replace(result, outcome),
    output,
  });
  pen.hurry(result === null ? "now" : "soon");
}

/** Of a call whose turn is over: its rows stay as they are, and what came of it is added once it is known. */
function goOnLate(pen: Pen, row: ToolRow, update: ToolUpdate): void {
  const { call, result } = row;
  const next = nextOf(row, update);
  if (next === null || call.batch === null) return;
  const { body, output, outcome } = next;
  if (result !== null) addLateResult(pen, call.batch, update);
  else if (outcome === null)
    keep(pen, body.toolCallId, { ...row, call: { ...call, body }, output });
  else {
    const added = pen.append(call.batch, outcome, true);
    keep(pen, body.toolCallId, { ...row, result: added, output });
    pen.hurry("now");
  }
}

/** A call as an update leaves it, and its result once there is one. */
function nextOf(
  { call, result, output: told }: ToolRow,
  update: ToolUpdate,
): {
  readonly body: CallBody;
  readonly output: string | undefined;
  readonly outcome: ResultBody | null;
} | null {
  if (call.body.kind !== "toolCall") return null;
  const before = result?.body.kind === "toolResult" ? result.body : null;
  const body = merged(
    before === null ? call.body : { ...call.body, content: before.content },
    update,
  );
  const output = update.output ?? before?.output ?? told;
  return { body, output, outcome: outcomeOf(body, output) };
}

/** Of a call that is only remembered by name: what came of it is still told, in its own batch. */
function addLateResult(pen: Pen, owner: string, update: ToolUpdate): void {
  const { toolCallId, content, output, status } = update;
  if (content === undefined && output === undefined) return;
  pen.append(
    owner,
    {
      kind: "toolResult",
      toolCallId,
      status: status === "failed" ? "failed" : "completed",
      content: content ?? [],
      ...(output === undefined ? {} : { output }),
    },
    true,
  );
  pen.hurry("now");
}

/** Absent keeps what was there, arrays replace. */
function merged(body: CallBody, update: ToolUpdate): CallBody {
  const { title, toolKind, status, locations, content, input } = update;
  return {
    ...body,
    ...(title === undefined ? {} : { title }),
    ...(toolKind === undefined ? {} : { toolKind }),
    ...(status === undefined ? {} : { status }),
    ...(locations === undefined ? {} : { locations }),
    ...(content === undefined ? {} : { content }),
    ...(input === undefined ? {} : { input }),
  };
}

/** The result, once there is one. */
function outcomeOf(
  body: CallBody,
  output: string | undefined,
): ResultBody | null {
  const { status, toolCallId, content } = body;
  if (status !== "completed" && status !== "failed") return null;
  return {
    kind: "toolResult",
    toolCallId,
    status,
    content,
    ...(output === undefined ? {} : { output }),
  };
}

/** Content lives once: with the call while it runs, with the result afterwards. */
function emptied(body: CallBody): CallBody {
  return { ...body, content: [] };
}

function keep(pen: Pen, id: string, row: ToolRow): void {
  const key = keyOf(pen.recording, id);
  pen.set({ tools: new Map(pen.recording.tools).set(key, row) });
}

/** Agents number their calls as they like: an id means something only within its session. */
function keyOf({ session }: Recording, toolCallId: string): string {
  return JSON.stringify([session, toolCallId]);
}

function writeBlobs(pen: Pen, { content, blobs }: ToolUpdate): void {
  for (const part of content ?? []) {
    const image = imageOf(part);
    const data = image === undefined ? undefined : blobs?.get(image.blob);
    if (image === undefined || data === undefined) continue;
    const { blob, mimeType } = image;
    pen.write({ kind: "blob", hash: blob, mimeType, data });
  }
}

function imageOf(
  part: ToolContent,
): { readonly blob: string; readonly mimeType: string } | undefined {
  return part.type === "block" && part.block.type === "image"
    ? part.block
    : undefined;
}
