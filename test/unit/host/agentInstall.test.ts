import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { processTable } from "../../../src/agent/processTable.ts";
import {
  installAgent,
  installedScript,
} from "../../../src/host/agentInstall.ts";
import { partInPlace, placesIn } from "../../../src/host/installProgress.ts";
import { knownAgent, type KnownAgent } from "../../../src/host/knownAgents.ts";
import { loginPath } from "../../../src/host/loginPath.ts";

describe("installing an agent", () => {
  const agent = knownAgent("codex") as KnownAgent;
  let home: string;
  const at = (name: string): string => path.join(home, name);
  const script = (name: string, ...lines: readonly string[]): string => {
    writeFileSync(at(name), ["#!/bin/sh", ...lines, ""].join("\n"));
    chmodSync(at(name), 0o755);
    return at(name);
  };

  beforeEach(() => {
    home = mkdtempSync(path.join(os.tmpdir(), "turnline-install-"));
    mkdirSync(at("locked"));
    for (const name of ["package.json", "package-lock.json"])
      writeFileSync(path.join(at("locked"), name), "{}");
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const install = (npm: string): ReturnType<typeof installAgent> =>
    installAgent(agent, { storage: home, locked: at("locked"), npm });
  const made = `node_modules/${agent.package}/dist`;

  it("runs `npm ci` on the lockfile, without scripts, and finds the agent afterwards", async () => {
    const npm = script(
      "npm",
      `[ "$1 $2" = "ci --ignore-scripts" ] || exit 9`,
      "[ -f package-lock.json ] || exit 8",
      `mkdir -p ${made} && : > ${made}/index.js`,
    );
    assert.deepEqual(await install(npm), { ok: true });
    assert.match(installedScript(home, agent) ?? "", /index\.js$/);
    assert.deepEqual(readdirSync(at("agents")), [`codex-${agent.version}`]);
  });

  it("looks for npm's own helpers where it is told to", async () => {
    script("helper", ": > found");
    const npm = script("npm", "helper || exit 7", `mkdir -p ${made}`);
    const done = await installAgent(agent, {
      ...{ storage: home, locked: at("locked"), npm },
      searchPath: `${home}${path.delimiter}${process.env["PATH"] ?? ""}`,
    });
    assert.deepEqual(done, { ok: true });
  });

  it("tells how much of what the lockfile names for this system is in place", () => {
    const packages = {
      "": {},
      "node_modules/a": {},
      "node_modules/@b/c": { os: ["linux"], cpu: ["x64"] },
      "node_modules/mac": { os: ["darwin"] },
    };
    writeFileSync(at("package-lock.json"), JSON.stringify({ packages }));
    const places = placesIn(home, { os: "linux", cpu: "x64" });
    assert.deepEqual(places, ["node_modules/a", "node_modules/@b/c"]);
    assert.equal(partInPlace(home, places), 0);
    mkdirSync(at("node_modules/a"), { recursive: true });
    writeFileSync(at("node_modules/a/package.json"), "{}");
    assert.equal(partInPlace(home, places), 0.5);
  });

  const failures: readonly (readonly [
    what: string,
    npm: () => string,
    why: RegExp,
  ])[] = [
    [
      "half a download",
      () =>
        script(
          "npm",
          `mkdir -p ${made}; : > ${made}/index.js`,
          "echo EINTEGRITY >&2",
          "exit 1",
        ),
      /EINTEGRITY/,
    ],
    ["no npm", () => at("no-npm"), /npm was not found/],
  ];
  for (const [what, npm, why] of failures)
    it(`${what} is never taken for an agent, and says why`, async () => {
      const answer = await install(npm());
      assert.ok(!answer.ok);
      assert.match(answer.why, why);
      assert.equal(installedScript(home, agent), undefined);
      assert.deepEqual(readdirSync(at("agents")), []);
    });

  it("one that is stopped ends with all it started, and leaves nothing", async () => {
    const stop = new AbortController();
    const npm = script(
      "npm",
      `mkdir -p ${made}`,
      // A helper that goes on writing, whatever becomes of npm.
      "(i=0; while :; do i=$((i+1)); : > node_modules/$i; done) &",
      `echo $! > ${at("helper.pid")}.new && mv ${at("helper.pid")}.new ${at("helper.pid")}`,
      "wait",
    );
    const done = installAgent(agent, {
      ...{ storage: home, locked: at("locked"), npm, signal: stop.signal },
    });
    while (!existsSync(at("helper.pid"))) await pause(5);
    stop.abort();
    assert.deepEqual(await done, { ok: false, why: "Stopped." });
    assert.deepEqual(readdirSync(at("agents")), []);
    const helper = Number(readFileSync(at("helper.pid"), "utf8"));
    const running = (await processTable("")).filter(({ zombie }) => !zombie);
    assert.ok(!running.some(({ pid }) => pid === helper));
  });

  it("asks the login shell for its path, whatever else that prints", async () => {
    const shell = script(
      "shell",
      "echo Welcome",
      `PATH=/from/login; eval "$2"`,
    );
    assert.equal(await loginPath(shell, "linux"), "/from/login");
    assert.equal(await loginPath(script("broken", "exit 1"), "linux"), "");
    assert.equal(await loginPath(at("none"), "linux"), "");
    assert.equal(await loginPath(shell, "win32"), "");
  });
});
