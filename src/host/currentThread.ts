import type { ChatSurfaces } from "./chatSurfaces.ts";
import type { Services } from "./services.ts";

/** The thread a command means: the one in front, else the newest; undefined before there is any. */
export function currentThread(
  surfaces: ChatSurfaces,
  { engine, book }: Pick<Services, "engine" | "book">,
): string | undefined {
  const shown = surfaces.thread();
  // A thread that is only begun has nothing to act on, and is what the user means all the same.
  if (shown !== undefined && shown !== "")
    return engine.snapshot(shown) === undefined ? undefined : shown;
  return book.summaries().find(({ archived }) => !archived)?.id;
}
