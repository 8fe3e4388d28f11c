import path from "node:path";
import { installed, npm, type Say } from "../cache.ts";

/** Fetches the pinned real agents (once) and answers the folder they are in. */
export function installAgents(say: Say): Promise<string> {
  return installed({
    name: "agents",
    source: import.meta.dirname,
    install: async (work) => {
      say("fetching Claude Code and Codex (about 800 MB on disk, once) …");
      await npm(work, ["ci", "--ignore-scripts"]);
    },
    say,
  });
}

/** The script that runs an adapter. */
export function adapterScript(folder: string, adapter: string): string {
  return path.join(
    folder,
    "node_modules",
    "@agentclientprotocol",
    adapter,
    "dist",
    "index.js",
  );
}
