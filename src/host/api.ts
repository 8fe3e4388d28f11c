import { createHash, randomUUID } from "node:crypto";
import * as vscode from "vscode";
import * as z from "zod";
import type { ThreadSnapshot } from "../core/dispatch/changes.ts";
import type { Reply } from "../core/dispatch/events.ts";
import type {
  ApiAccepted,
  ApiCreated,
  ApiDone,
  ApiMessage,
  ApiNewThread,
  ApiReference,
  ApiRefusal,
  ApiRefused,
  ApiSender,
  ApiThread,
  TurnlineApi,
} from "./apiTypes.ts";
import type { Services } from "./services.ts";

export interface ApiParts extends Pick<
  Services,
  "engine" | "store" | "book" | "catalog" | "userName" | "log"
> {
  /** The folder of a new thread. */
  readonly folder: () => string;
  /** The thread a message without one goes to. */
  readonly current: () => string | undefined;
  readonly show: (thread: string) => Promise<void>;
}

const id = z.string().min(1).max(200);
const newThread: z.ZodType<ApiNewThread> = z.object({
  title: z.string().max(200).optional(),
  agent: id.optional(),
  folder: z.string().min(1).optional(),
});
const newMessage: z.ZodType<ApiMessage> = z.object({
  thread: id.optional(),
  text: z.string().refine((text) => text.trim() !== "", "is empty"),
  sender: z.object({
    kind: z.enum(["agent", "trigger"]),
    id,
    name: z.string().min(1).max(200),
  }),
  continues: id.optional(),
  mentions: z.array(id).max(100).readonly().optional(),
  from: id.optional(),
  requestId: id.optional(),
});

/** Makes the API; what it registers ends with the answer's `dispose`. */
export function createApi(
  parts: ApiParts,
): vscode.Disposable & { readonly api: TurnlineApi } {
  const changes = new ThreadChanges(parts);
  const { engine, store } = parts;
  const api: TurnlineApi = {
    version: 1,
    threads: () =>
      parts.book
        .summaries()
        .filter(({ archived }) => !archived)
        .flatMap((summary) => infoOf(engine.snapshot(summary.id)) ?? []),
    onDidChangeThread: changes.event,
    createThread: (options = {}) => createThread(parts, options),
    submit: (message) => submit(parts, message),
    message: async (which) => {
      const found = await store.message(idOf(which));
      if (found === undefined || found.state === null) return undefined;
      const { id: own, thread, state, batch, batchType } = found;
      return Object.freeze({ id: own, thread, state, batch, batchType });
    },
    withdraw: async (which) => {
      const found = await store.message(idOf(which));
      // The user's own words are not for others to take away.
      return found === undefined || found.sender.kind === "user"
        ? refused("notQueued", "It is not in the queue.")
        : done(await engine.remove(found.thread, [found.id]));
    },
    cancel: async (thread) => done(await engine.cancel(thread)),
    show: async (thread) => {
      if (engine.snapshot(thread) === undefined) return noThread;
      await parts.show(thread);
      return Object.freeze({ ok: true });
    },
  };
  return { api: Object.freeze(api), dispose: () => changes.dispose() };
}

async function createThread(
  { engine, catalog, folder }: ApiParts,
  options: unknown,
): Promise<ApiCreated> {
  const parsed = newThread.safeParse(options);
  if (!parsed.success) return invalid(parsed.error);
  const { title, agent, folder: wished } = parsed.data;
  if (agent === undefined) await catalog.settleDefault();
  const made = await engine.createThread({
    agent: agent ?? catalog.defaultId(),
    folder: wished ?? folder(),
    ...(title === undefined ? {} : { title }),
  });
  if (!("id" in made)) return refused(made.reason, made.detail);
  return Object.freeze({ ok: true, thread: made.id });
}

async function submit(
  parts: ApiParts,
  message: unknown,
): Promise<ApiAccepted | ApiRefused> {
  const parsed = newMessage.safeParse(message);
  if (!parsed.success) return invalid(parsed.error);
  const { engine, store, log } = parts;
  const { text, sender, continues, mentions, from, requestId } = parsed.data;
  const thread = parsed.data.thread ?? parts.current();
  if (thread === undefined) return noThread;
  if (from !== undefined && engine.snapshot(from) === undefined)
    return refused("noThread", `There is no thread ${from} it could be from.`);
  if (await isUser(parts, thread, sender.name))
    return refused("invalid", "sender.name is the user's own name.");
  if (
    continues !== undefined &&
    (await store.batch(thread, continues)).length === 0
  )
    return refused("noBatch", `The thread has no batch ${continues}.`);
  const own = ownId(sender, requestId ?? randomUUID());
  const reply = await engine.submit(thread, {
    id: own,
    sender: { ...sender, id: senderId(sender.id) },
    blocks: [{ type: "text", text }],
    ...(mentions === undefined ? {} : { mentions }),
    ...(from === undefined ? {} : { from }),
    ...(continues === undefined ? {} : { continues }),
  });
  if (!reply.ok) {
    log.info("api.refused", { thread, sender: sender.id, ...reply });
    return refused(reply.reason, reply.detail);
  }
  if (reply.note === "waiting") {
    await engine.admitted(thread, own);
    if (engine.snapshot(thread) === undefined)
      return refused("noThread", "Its thread was deleted while it waited.");
    const state = (await store.message(own))?.state ?? "discarded";
    if (state === "discarded")
      return refused("removed", "It was removed from the queue.");
  }
  const duplicate = reply.note === "duplicate";
  const known = duplicate ? (await store.message(own))?.thread : undefined;
  return Object.freeze({
    ok: true,
    thread: known ?? thread,
    id: own,
    duplicate,
  });
}

/** Tells of a thread only when something of it that is told has changed. */
class ThreadChanges implements vscode.Disposable {
  readonly #emitter = new vscode.EventEmitter<ApiThread>();
  readonly #told = new Map<string, string>();
  readonly #stop: () => void;
  readonly event = this.#emitter.event;

  constructor({ engine, book }: Pick<ApiParts, "engine" | "book">) {
    const unwatch = book.onChange(() => {
      const there = new Set(engine.threads().map(({ id: own }) => own));
      for (const known of this.#told.keys())
        if (!there.has(known)) this.#told.delete(known);
    });
    const stop = engine.onChange(({ kind, thread }) => {
      if (kind === "text" || kind === "message") return;
      const info = infoOf(engine.snapshot(thread));
      if (info === undefined) return;
      const text = JSON.stringify(info);
      if (this.#told.get(thread) === text) return;
      this.#told.set(thread, text);
      this.#emitter.fire(info);
    });
    this.#stop = () => {
      unwatch();
      stop();
    };
  }

  dispose(): void {
    this.#stop();
    this.#emitter.dispose();
  }
}

function infoOf(snapshot: ThreadSnapshot | undefined): ApiThread | undefined {
  if (snapshot === undefined) return undefined;
  const { thread, turn, queue, status, permissions } = snapshot;
  return Object.freeze({
    id: thread.id,
    title: thread.title,
    agent: thread.agent,
    folder: thread.folder,
    state: status.state,
    turn:
      turn === null
        ? null
        : Object.freeze({ batch: turn.batch, sent: turn.phase === "sent" }),
    queued: queue.items.length,
    full: queue.full,
    held: queue.held,
    needsUser: permissions.length > 0,
  });
}

/** Set apart from the agents Turnline runs, and from the user, who has no id at all. */
function senderId(id: string): string {
  return `api:${id}`;
}

function idOf(which: ApiReference): string {
  return typeof which === "string"
    ? which
    : ownId(which.sender, which.requestId);
}

/** Request ids of different senders never meet, whatever characters they hold. */
function ownId(
  { kind, id: sender }: Pick<ApiSender, "kind" | "id">,
  requestId: string,
): string {
  return createHash("sha256")
    .update(JSON.stringify(["api", kind, sender, requestId]))
    .digest("hex");
}

async function isUser(
  { userName }: Pick<ApiParts, "userName">,
  thread: string,
  name: string,
): Promise<boolean> {
  const said = name.trim().toLowerCase();
  return (
    said === "user" || said === (await userName(thread)).trim().toLowerCase()
  );
}

function done(reply: Reply): ApiDone | ApiRefused {
  return reply.ok
    ? Object.freeze({ ok: true })
    : refused(reply.reason, reply.detail);
}

function refused(reason: ApiRefusal, detail: string): ApiRefused {
  return Object.freeze({ ok: false, reason, detail });
}

function invalid(error: z.ZodError): ApiRefused {
  return refused("invalid", z.prettifyError(error));
}

const noThread = refused("noThread", "There is no such thread.");
