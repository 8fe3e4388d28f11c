import path from "node:path";
import { installed, npm } from "../cache.ts";

export interface Server {
  /** Folder that holds `out/server-main.js`. */
  readonly folder: string;
}

/** Fetches the headless VS Code (once) and answers where it is. */
export async function installServer(
  say: (line: string) => void,
): Promise<Server> {
  const folder = await installed(
    "vscode",
    import.meta.dirname,
    async (work) => {
      say("fetching the headless VS Code (about 600 MB on disk, once) …");
      // Its own install script builds every native module, Kerberos included, and wants their system headers;
      // the server needs none of them to run, so scripts stay off and only the logger is built, where a compiler is.
      await npm(work, ["ci", "--ignore-scripts"]);
      const vscode = serverFolder(work);
      await npm(vscode, [
        "install",
        "--omit=dev",
        "--ignore-scripts",
        "--no-save",
      ]);
      try {
        await npm(
          vscode,
          ["rebuild", "@vscode/spdlog", "@vscode/native-watchdog"],
          {
            npm_config_nodedir: headers(work),
          },
        );
      } catch {
        say("no compiler found: VS Code runs without its native logger.");
      }
    },
    say,
  );
  return { folder: serverFolder(folder) };
}

const serverFolder = (root: string): string =>
  path.join(root, "node_modules", "code-server", "lib", "vscode");

/** The Node package that comes along brings the headers a native build needs. */
const headers = (root: string): string =>
  path.join(root, "node_modules", `node-${process.platform}-${process.arch}`);
