import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { group } from "../core/batch.ts";
import { blocksOf } from "../core/compile/pack.ts";
import { snowflakeTime } from "../core/snowflake.ts";
import type { Session, Thread } from "../core/thread.ts";
import { forkable, forkThread } from "../core/threadFork.ts";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import { currentThread } from "./currentThread.ts";
import type { Place } from "./inspectBatch.ts";
import { inspected } from "./inspector.ts";
import { textOf } from "./projectMessage.ts";
import type { Services } from "./services.ts";
import { t } from "../util/l10n.ts";

type Ends = Pick<Services, "engine" | "store" | "book" | "home" | "log">;

/** Turns that can be chosen from; older ones are reached from the chat or their own tab. */
const turnsOffered = 100;

export function forkCommands(
  surfaces: ChatSurfaces,
  services: Services,
): Readonly<Record<string, () => unknown>> {
  return {
    forkTurn: async () => {
      const place = inspected() ?? (await pickTurn(surfaces, services));
      if (place === undefined) return;
      const forked = await forkAt(services, place);
      if (forked.ok) await surfaces.reveal(forked.thread, { kind: "composer" });
      else void vscode.window.showInformationMessage(forked.detail);
    },
  };
}

/** Makes the new thread and takes it up; whoever asked shows it. */
export async function forkAt(
  { engine, store, book, home, log }: Ends,
  { thread: id, batch }: Place,
): Promise<
  | { readonly ok: true; readonly thread: string }
  | { readonly ok: false; readonly detail: string }
> {
  if (home.readOnly !== null) return { ok: false, detail: home.readOnly };
  const thread = engine.snapshot(id)?.thread ?? (await store.thread(id));
  if (thread === undefined)
    return { ok: false, detail: t("This thread is not there any more.") };
  const of = await forkable(store, thread, batch);
  const copy = of === undefined ? undefined : await agentsCopy(engine, of);
  const forked = await forkThread(
    store,
    {
      thread,
      through: batch,
      id: randomUUID(),
      title: titleOf(thread),
      ...(of === undefined || copy === undefined
        ? {}
        : { session: { id: copy, of } }),
    },
    { uuid: randomUUID, now: () => Date.now() },
  );
  log.info("thread.forked", { thread: id, batch, byAgent: copy !== undefined });
  if (!forked.ok) return forked;
  await engine.openThread(forked.thread);
  book.look(forked.thread);
  return forked;
}

/** Only of an agent that runs: starting one to spare it the history would cost more than the history. */
async function agentsCopy(
  engine: Services["engine"],
  { thread, folder, sessionId }: Session,
): Promise<string | undefined> {
  const open = engine.openAgent(thread);
  const { capabilities, features } = open?.agent ?? {};
  if (open === undefined || open.sessionId !== sessionId) return undefined;
  if (capabilities?.extras?.fork !== true || features === undefined)
    return undefined;
  if (!capabilities.resume && !capabilities.load) return undefined;
  const options = { folder, additionalFolders: [] };
  const forked = await features.forkSession(open.sessionId, options);
  if (!forked.ok) return undefined;
  // The new thread has a process of its own: two must not hold one session.
  if (capabilities.extras.close)
    await features.closeSession(forked.value.sessionId);
  return forked.value.sessionId;
}

function titleOf({ title }: Thread): string {
  const end = ` ${t("(fork)")}`;
  if (title === "") return t("Fork");
  return title.endsWith(end) ? title : `${title}${end}`;
}

async function pickTurn(
  surfaces: ChatSurfaces,
  services: Services,
): Promise<Place | undefined> {
  const { store } = services;
  const thread = currentThread(surfaces, services);
  const facts =
    thread === undefined
      ? []
      : await store.batches({ thread, limit: turnsOffered });
  const ended = facts.filter((batch) => batch.ended);
  if (thread === undefined || ended.length === 0) {
    void vscode.window.showInformationMessage(t("There is no turn yet."));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    Promise.all(
      ended.map(async ({ id }) => ({
        id,
        label: await firstLine(store, thread, id),
        description: new Date(snowflakeTime(id)).toLocaleString(),
      })),
    ),
    {
      title: t("Fork into a new thread"),
      placeHolder: t(
        "Copies everything up to and including the turn you choose",
      ),
    },
  );
  return picked === undefined ? undefined : { thread, batch: picked.id };
}

async function firstLine(
  store: Services["store"],
  thread: string,
  batch: string,
): Promise<string> {
  const [found] = group(await store.batch(thread, batch));
  const asked = found?.rows.find(({ body }) => body.kind === "user");
  const text = asked === undefined ? "" : textOf(blocksOf(asked)).trim();
  return text.split("\n")[0]?.slice(0, 120) || t("Turn");
}
