import { cpSync, writeFileSync } from "node:fs";
import path from "node:path";
import { installed, npm, type Say } from "../cache.ts";

export interface Server {
  /** Folder that holds `out/server-main.js`. */
  readonly folder: string;
}

const logger = "spdlog.cjs";

/** Fetches the headless VS Code (once) and answers where it is. */
export async function installServer(
  say: Say,
  signal?: AbortSignal,
): Promise<Server> {
  const folder = await installed({
    name: "vscode",
    source: import.meta.dirname,
    also: [logger],
    install: async (work) => {
      say("fetching the headless VS Code (about 600 MB on disk, once) …");
      // Its own install script builds every native module, Kerberos included, and wants a compiler and their system headers;
      // the server needs none of them to run, so scripts stay off and the two it would miss are stood in for.
      await npm(work, ["ci", "--ignore-scripts"], signal);
      const vscode = serverFolder(work);
      await npm(
        vscode,
        ["install", "--omit=dev", "--ignore-scripts", "--no-save"],
        signal,
      );
      standIn(vscode);
    },
    say,
    signal,
  });
  return { folder: serverFolder(folder) };
}

/** What an extension host logs is evidence; that its parent is alive it looks for by itself as well. */
function standIn(vscode: string): void {
  const own = path.join(vscode, "node_modules", "@vscode");
  cpSync(
    path.join(import.meta.dirname, logger),
    path.join(own, "spdlog", "index.js"),
  );
  writeFileSync(
    path.join(own, "native-watchdog", "index.js"),
    "exports.start = () => undefined;\n",
  );
}

const serverFolder = (root: string): string =>
  path.join(root, "node_modules", "code-server", "lib", "vscode");
