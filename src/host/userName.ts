import { execFile } from "node:child_process";
import os from "node:os";

/**
 * The name in front of the user's messages in a thread: as set, else git's, else `user`. Asks git once a folder;
 * in the thread's own only where that is trusted, since a repository's settings are its author's.
 */
export function createUserName(
  set: () => string,
  folderOf: (thread: string) => string | undefined,
  isTrusted: () => boolean,
): (thread: string) => Promise<string> {
  const git = new Map<string, Promise<string>>();
  return async (thread) => {
    const named = set();
    if (named !== "") return named;
    const own = isTrusted() ? folderOf(thread) : undefined;
    const folder = own ?? os.homedir();
    const asked = git.get(folder) ?? gitName(folder);
    git.set(folder, asked);
    return (await asked) || "user";
  };
}

/** Run from the home folder, so that no program of the workspace can be taken for git. */
function gitName(folder: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      "git",
      ["-C", folder, "config", "--get", "user.name"],
      { cwd: os.homedir(), timeout: 2_000 },
      (error, stdout) => resolve(error === null ? stdout.trim() : ""),
    );
  });
}
