import type { Services } from "./services.ts";
import { t } from "../util/l10n.ts";

type Needs = Pick<Services, "engine" | "store" | "book" | "home">;

/** Deletes a thread, recoverably; undefined when it was done, else one sentence on why not. */
export async function deleteThread(
  { engine, store, book, home }: Needs,
  thread: string,
): Promise<string | undefined> {
  if (home.readOnly !== null) return home.readOnly;
  await engine.closeThread(thread);
  const answer = await store.commit(
    [{ kind: "deleteThread", thread, at: Date.now() }],
    "full",
  );
  if (!answer.ok) {
    await engine.openThread(thread);
    return t("The thread could not be deleted.");
  }
  book.forget(thread);
  return undefined;
}

/** Takes a deleted thread back; undefined when it was done, else one sentence on why not. */
export async function restoreThread(
  { engine, store, book, home }: Needs,
  thread: string,
): Promise<string | undefined> {
  if (home.readOnly !== null) return home.readOnly;
  const writes = [{ kind: "restoreThread", thread }] as const;
  const answer = await store.commit(writes, "full");
  const opened = answer.ok ? await engine.openThread(thread) : answer;
  if (!opened.ok) return t("The thread could not be taken back.");
  book.look(thread);
  return undefined;
}
