// Builds Turnline and opens it in VS Code on a small sample workspace.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import path from "node:path";
import { type RunningServer, startServer } from "../test/lab/vscode/server.ts";
import { workbenchUrl } from "../test/lab/vscode/workbench.ts";
import { fromRoot, root, run } from "./tools.ts";
import { currentVsix } from "./vsix.ts";

/** Where the sample workspace and VS Code's own data are kept between starts. */
const home = process.env["TURNLINE_HOME"] ?? fromRoot("out");
const sample = path.join(home, "sample");
/** A development extension that opens the chat at the start, so that a newcomer need not look for it. */
const opener = fromRoot("test", "lab", "opener");
const say = (line: string): void => console.log(`Turnline: ${line}`);

try {
  if (!existsSync(sample))
    cpSync(fromRoot("test", "fixtures", "workspace"), sample, {
      recursive: true,
    });
  if (hasDisplay() && hasDesktopCode()) await openDesktop();
  else await serveHeadless();
} catch (error) {
  console.error(
    `Turnline: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exit(1);
}

async function openDesktop(): Promise<void> {
  say("building …");
  if (!(await run(process.execPath, [fromRoot("esbuild.mjs")])))
    throw new Error(
      "the build failed; the errors are above. Mend them, then run the same command again.",
    );
  say("opening VS Code …");
  spawn(
    "code",
    [
      "--new-window",
      `--extensionDevelopmentPath=${root}`,
      `--extensionDevelopmentPath=${opener}`,
      sample,
    ],
    {
      stdio: "inherit",
      shell: process.platform === "win32",
    },
  ).on("exit", (code) => process.exit(code ?? 1));
}

async function serveHeadless(): Promise<void> {
  say(
    "no desktop VS Code with a display here: using a headless one, in your browser.",
  );
  const stop = new AbortController();
  let server: RunningServer | undefined;
  const stopAll = async (): Promise<void> => {
    if (stop.signal.aborted) return;
    say("stopping …");
    stop.abort();
    // One that is still starting ends itself.
    await server?.stop();
    if (server !== undefined) process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => void stopAll());
  const vsix = await currentVsix(say);
  say("starting VS Code …");
  try {
    server = await startServer({
      data: path.join(home, "vscode"),
      vsix,
      port: Number(process.env["PORT"] ?? 8139),
      machineSettings: {
        "workbench.secondarySideBar.defaultVisibility": "visible",
      },
      signal: stop.signal,
      say,
    });
  } catch (error) {
    if (stop.signal.aborted) process.exit(0);
    throw error;
  }
  const payload = [
    [
      "extensionDevelopmentPath",
      `vscode-remote://127.0.0.1:${server.port}${opener}`,
    ],
  ] as const;
  say(`open ${workbenchUrl({ server, folder: sample, payload })}`);
  say("the chat opens in the secondary side bar. Ctrl-C stops everything.");
}

function hasDesktopCode(): boolean {
  return (
    spawnSync("code", ["--version"], {
      stdio: "ignore",
      shell: process.platform === "win32",
    }).status === 0
  );
}

function hasDisplay(): boolean {
  if (process.platform !== "linux") return true;
  return Boolean(process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"]);
}
