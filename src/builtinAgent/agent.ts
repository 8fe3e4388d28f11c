import path from "node:path";
import {
  agent,
  type AgentApp,
  type AgentContext,
  type ClientCapabilities,
  PROTOCOL_VERSION,
  RequestError,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { openScope } from "./paths.ts";
import { replay, Session } from "./session.ts";
import type { SessionStore } from "./sessions.ts";
import { commands } from "./slash.ts";
import { runTurn } from "./turn.ts";
import { wireOf } from "./wire.ts";

export interface AgentOptions {
  readonly store: SessionStore;
  /** Between two pieces of streamed text. */
  readonly paceMs: number;
}

/** The built-in agent as an ACP app. */
export function builtinAgent({ store, paceMs }: AgentOptions): AgentApp {
  const open = new Map<string, Open>();
  let client: ClientCapabilities = {};

  const openSession = (session: Session, to: AgentContext): void => {
    open.set(session.id, {
      session,
      tail: Promise.resolve(),
      turns: new Set(),
    });
    // After the response: a client may not know the session before it.
    setImmediate(() => {
      void to
        .notify("session/update", {
          sessionId: session.id,
          update: commandsUpdate(),
        })
        .catch(() => undefined);
    });
  };

  const reopen = async (params: {
    readonly sessionId: string;
    readonly cwd: string;
    readonly additionalDirectories?: string[];
  }) => {
    const { sessionId: id } = params;
    checkFolders(params);
    await endTurns(open.get(id));
    const records = store.read(id);
    if (records === undefined) throw RequestError.resourceNotFound(id);
    const extra = params.additionalDirectories ?? [];
    const place = { id, cwd: params.cwd, extra };
    return { records, session: new Session(store, place, records) };
  };

  return agent({ name: "turnline-builtin" })
    .onRequest("initialize", ({ params }) => {
      client = params.clientCapabilities ?? {};
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: {
          name: "turnline-builtin",
          title: "Built-in agent",
          version: "1.0.0",
        },
        authMethods: [],
        agentCapabilities: {
          loadSession: store.keeps,
          promptCapabilities: { embeddedContext: true },
          sessionCapabilities: {
            additionalDirectories: {},
            close: {},
            ...(store.keeps && { list: {}, resume: {}, delete: {} }),
          },
        },
      };
    })
    .onRequest("session/new", ({ params, client: to }) => {
      checkFolders(params);
      const extra = params.additionalDirectories ?? [];
      const { id } = store.create(params.cwd, extra);
      openSession(new Session(store, { id, cwd: params.cwd, extra }), to);
      return { sessionId: id };
    })
    .onRequest("session/load", async ({ params, client: to }) => {
      const { session, records } = await reopen(params);
      for (const update of replay(records))
        await to.notify("session/update", { sessionId: session.id, update });
      openSession(session, to);
      return {};
    })
    .onRequest("session/resume", async ({ params, client: to }) => {
      const { session } = await reopen(params);
      openSession(session, to);
      return {};
    })
    .onRequest("session/list", ({ params }) => {
      const from = Number(params.cursor ?? 0);
      if (!Number.isInteger(from) || from < 0)
        throw RequestError.invalidParams(undefined, "unknown cursor");
      const all = store
        .list()
        .filter((one) => (params.cwd ?? one.cwd) === one.cwd);
      const next = from + pageSize;
      return {
        sessions: all.slice(from, next).map((one) => ({
          sessionId: one.id,
          cwd: one.cwd,
          additionalDirectories: [...one.extra],
          updatedAt: one.updatedAt.toISOString(),
          ...(one.title !== undefined && { title: one.title }),
        })),
        ...(next < all.length && { nextCursor: String(next) }),
      };
    })
    .onRequest("session/close", async ({ params }) => {
      const known = open.get(params.sessionId);
      if (known === undefined && store.read(params.sessionId) === undefined)
        throw RequestError.resourceNotFound(params.sessionId);
      open.delete(params.sessionId);
      await endTurns(known);
      return {};
    })
    .onRequest("session/delete", async ({ params }) => {
      const known = open.get(params.sessionId);
      open.delete(params.sessionId);
      await endTurns(known);
      if (!store.delete(params.sessionId) && known === undefined)
        throw RequestError.resourceNotFound(params.sessionId);
      return {};
    })
    .onNotification("session/cancel", ({ params }) => {
      for (const turn of open.get(params.sessionId)?.turns ?? []) turn.abort();
    })
    .onRequest("session/prompt", async ({ params, client: to, signal }) => {
      const known = open.get(params.sessionId);
      if (known === undefined)
        throw RequestError.resourceNotFound(params.sessionId);
      const turn = new AbortController();
      known.turns.add(turn);
      const answering = known.tail.then(async () => {
        const { session } = known;
        const either = AbortSignal.any([turn.signal, signal]);
        return runTurn({
          session,
          paceMs,
          blocks: params.prompt,
          scope: await openScope(session.cwd, session.extra),
          signal: either,
          wire: wireOf(to, client, session.id, {
            signal: either,
            cancel: () => turn.abort(),
          }),
        });
      });
      const settled = (): void => void known.turns.delete(turn);
      known.tail = answering.then(settled, settled);
      return { stopReason: await answering };
    });
}

interface Open {
  readonly session: Session;
  /** Ends when the last prompt has been answered: one at a time, in order. */
  tail: Promise<void>;
  readonly turns: Set<AbortController>;
}

const pageSize = 50;

async function endTurns(known: Open | undefined): Promise<void> {
  for (const turn of known?.turns ?? []) turn.abort();
  await known?.tail;
}

function checkFolders(params: {
  readonly cwd: string;
  readonly additionalDirectories?: string[];
}): void {
  for (const folder of [params.cwd, ...(params.additionalDirectories ?? [])])
    if (!path.isAbsolute(folder))
      throw RequestError.invalidParams(
        undefined,
        `${JSON.stringify(folder)} is not an absolute path`,
      );
}

function commandsUpdate(): SessionUpdate {
  return {
    sessionUpdate: "available_commands_update",
    availableCommands: commands.map(({ name, description, hint }) => ({
      name,
      description,
      ...(hint !== undefined && { input: { hint } }),
    })),
  };
}
