import { execFile } from "node:child_process";
import os from "node:os";

/** The name in front of the user's messages in a thread: as set, else git's in its folder, else `user`. Asks git once a folder. */
export function createUserName(
  set: () => string,
  folderOf: (thread: string) => string | undefined,
): (thread: string) => Promise<string> {
  const git = new Map<string, Promise<string>>();
  return async (thread) => {
    const named = set();
    if (named !== "") return named;
    const folder = folderOf(thread) ?? os.homedir();
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
