// The one door of every npm script: sets the clone up (on any Node from 18), then runs the task on the pinned Node.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const [task, ...args] = process.argv.slice(2);
const node = path.join(
  root,
  "node_modules",
  "node",
  "bin",
  process.platform === "win32" ? "node.exe" : "node",
);

setUp();
run();

function setUp() {
  const stamp = path.join(root, "node_modules", ".turnline-setup");
  const wanted = createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
  if (
    existsSync(stamp) &&
    readFileSync(stamp, "utf8") === wanted &&
    existsSync(node)
  )
    return;
  console.log(
    "Turnline: installing dependencies (once per lockfile, about a minute) …",
  );
  const npm = process.env.npm_execpath
    ? [process.execPath, process.env.npm_execpath]
    : [process.platform === "win32" ? "npm.cmd" : "npm"];
  const done = spawnSync(
    npm[0],
    [
      ...npm.slice(1),
      "ci",
      // Whatever the user's own npm settings say: without the tools, or the Node one of them fetches, nothing runs.
      "--include=dev",
      "--ignore-scripts=false",
      ...["--no-audit", "--no-fund", "--loglevel=error"],
    ],
    {
      cwd: root,
      stdio: "inherit",
      shell: npm.length === 1 && process.platform === "win32",
    },
  );
  if (done.status !== 0 || !existsSync(node)) {
    console.error(
      "Turnline: the dependencies could not be installed. Check the connection to your npm registry, then run the same command again.",
    );
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

function run() {
  const bin = path.join(root, "node_modules", ".bin");
  const child = spawn(
    node,
    [path.join(root, "scripts", `${task}.ts`), ...args],
    {
      cwd: root,
      stdio: "inherit",
      env: {
        ...process.env,
        PATH: `${path.dirname(node)}${path.delimiter}${bin}${path.delimiter}${process.env.PATH ?? ""}`,
      },
    },
  );
  // The child cleans up, and its end is ours. A terminal's Ctrl-C reaches it by itself and us twice, through npm too:
  // what is passed on must not look like a second Ctrl-C, and on Windows it would end the child at once.
  let told = process.platform === "win32";
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => {
      if (!told) child.kill("SIGTERM");
      told = true;
    });
  child.on("exit", (code, signal) =>
    process.exit(code ?? (signal === null ? 1 : 130)),
  );
}
