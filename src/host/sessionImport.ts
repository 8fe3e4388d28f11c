import { createHash } from "node:crypto";
import * as vscode from "vscode";
import type { ListedSession } from "../core/agentFeatures.ts";
import type { AgentSpec, LiveAgent } from "../core/agentPort.ts";
import { importSession, threadOfSession } from "../core/sessionImport.ts";
import type { AgentLoan } from "./agentLoan.ts";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import { pickReadyAgent } from "./pickAgent.ts";
import type { Services } from "./services.ts";
import { pickSession, usedAt } from "./sessionPick.ts";
import { t } from "../util/l10n.ts";

export interface ImportEnds {
  readonly loan: AgentLoan;
  /** Sessions of this folder are offered. */
  readonly folder: () => string;
}

/** Takes a conversation that was had with an agent elsewhere in as a thread that goes on there. */
export function sessionImportCommands(
  surfaces: ChatSurfaces,
  services: Services,
  ends: ImportEnds,
): Readonly<Record<string, () => unknown>> {
  const { home, catalog, ready } = services;
  return {
    importSession: async () => {
      if (home.readOnly !== null) {
        tell(home.readOnly);
        return;
      }
      const id = await pickReadyAgent(
        catalog,
        t("Import a session of which agent?"),
      );
      if (id === undefined) return;
      const spec = await ready.resolve(id);
      if (!spec.ok) {
        tell(spec.failure.message);
        return;
      }
      const folder = ends.folder();
      const done = await ends.loan.use(
        spec.value,
        (agent) => bring(services, agent, spec.value, folder),
        { folder },
      );
      if (!done.ok) {
        tell(done.failure.message);
        return;
      }
      const { say, thread } = done.value;
      if (thread !== undefined) await show(surfaces, services, thread);
      if (say !== undefined) tell(say);
    },
  };
}

interface Brought {
  readonly thread?: string;
  readonly say?: string;
}

async function bring(
  services: Services,
  agent: LiveAgent,
  spec: AgentSpec,
  folder: string,
): Promise<Brought> {
  const { capabilities, features } = agent;
  const lists = capabilities.extras?.list === true;
  if (!lists || !capabilities.load || features === undefined)
    return { say: t("{0} does not tell of its earlier sessions.", spec.label) };
  const here = await sessionsHere(services, spec.id);
  const picked = await pickSession(
    spec.label,
    folder,
    (cursor) =>
      features.listSessions({
        folder,
        ...(cursor === undefined ? {} : { cursor }),
      }),
    ({ sessionId }) => here.has(sessionId),
  );
  if (picked.kind !== "picked")
    return picked.why === undefined ? {} : { say: picked.why };
  const { session } = picked;
  const owner = here.get(session.sessionId);
  // A session whose turns were had here needs nothing from outside.
  if (
    owner !== undefined &&
    owner !== threadOfSession(spec.id, session.sessionId, sha256)
  )
    return { thread: owner, say: alreadyHere };
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: t(
        'Importing "{0}" from {1}',
        session.title ?? t("session"),
        spec.label,
      ),
    },
    () => load(services, features, spec, session, folder),
  );
}

async function load(
  { store, userName }: Services,
  features: NonNullable<LiveAgent["features"]>,
  spec: AgentSpec,
  session: ListedSession,
  folder: string,
): Promise<Brought> {
  const options = { folder, additionalFolders: [] };
  const opened = await features.loadSession(session.sessionId, options);
  if (!opened.ok) return { say: opened.failure.message };
  const answer = await importSession(
    store,
    {
      agent: { id: spec.id, label: spec.label },
      session,
      usedAt: usedAt(session) ?? Date.now(),
      folder,
      user: {
        kind: "user",
        name: await userName(
          threadOfSession(spec.id, session.sessionId, sha256),
        ),
      },
      replay: opened.value.replay,
    },
    { now: () => Date.now(), sha256 },
  );
  if (!answer.ok)
    return { say: t("The session was not imported. {0}", answer.detail) };
  const { thread, added } = answer;
  if (added > 0) return { thread };
  return (await store.thread(thread)) === undefined
    ? { say: t("Nothing was said in this session.") }
    : { thread, say: alreadyHere };
}

const sha256 = (data: string | Uint8Array): string =>
  createHash("sha256").update(data).digest("hex");

const alreadyHere = t("This session is here already; nothing was added.");

/** Which thread has which of the agent's sessions. */
async function sessionsHere(
  { engine, store }: Services,
  agent: string,
): Promise<ReadonlyMap<string, string>> {
  const own = await Promise.all(
    engine.threads().map(({ id }) => store.sessions(id)),
  );
  return new Map(
    own
      .flat()
      .flatMap(({ sessionId, thread, ...session }) =>
        sessionId !== null && session.agent === agent
          ? [[sessionId, thread] as const]
          : [],
      ),
  );
}

async function show(
  surfaces: ChatSurfaces,
  { engine, book }: Services,
  thread: string,
): Promise<void> {
  await engine.openThread(thread);
  book.look(thread);
  await surfaces.reveal(thread, { kind: "composer" });
}

function tell(message: string): void {
  void vscode.window.showInformationMessage(message);
}
