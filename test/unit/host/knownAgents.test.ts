import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import {
  knownAgents,
  onPath,
  passedOn,
} from "../../../src/host/knownAgents.ts";

const root = path.resolve(import.meta.dirname, "..", "..", "..");

interface Lockfile {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly integrity?: string }>
  >;
}

describe("agents known by name", () => {
  for (const agent of knownAgents) {
    const read = (...names: readonly string[]): string =>
      readFileSync(path.join(root, ...names), "utf8");
    it(`${agent.label} is locked at one version, each package with its hash, and it is the version the tests run`, () => {
      const text = read("media", "agents", agent.id, "package-lock.json");
      const lock = JSON.parse(text) as Lockfile;
      const name = `node_modules/${agent.package}`;
      assert.equal(lock.packages[name]?.version, agent.version);
      const lab = JSON.parse(
        read("test", "lab", "agents", "package-lock.json"),
      ) as Lockfile;
      assert.equal(lab.packages[name]?.version, agent.version);
      for (const [where, { integrity }] of Object.entries(lock.packages))
        if (where !== "") assert.match(integrity ?? "", /^sha512-/, where);
      assert.doesNotMatch(text, /"resolved"/);
    });
  }

  const environment = {
    ANTHROPIC_API_KEY: "a",
    ANTHROPIC_BASE_URL: "b",
    OPENAI_API_KEY: "o",
    CODEX_HOME: "c",
    GITHUB_TOKEN: "g",
    PATH: "/bin",
    CLAUDE_CONFIG_DIR: undefined,
  };
  const cases: readonly (readonly [agent: string, names: readonly string[]])[] =
    [
      ["claude-code", ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"]],
      ["codex", ["OPENAI_API_KEY", "CODEX_HOME"]],
      ["someone-else", []],
    ];
  for (const [agent, names] of cases)
    it(`${agent} is given ${names.join(", ") || "nothing"} of the user's own variables`, () => {
      assert.deepEqual(Object.keys(passedOn(agent, environment)), names);
    });

  const files = new Set([
    "/a/codex-acp",
    "/b/codex-acp",
    "C:\\x\\codex-acp.cmd",
  ]);
  const isFile = (file: string): boolean => files.has(file);
  const searches: readonly (readonly [
    searched: string,
    platform: NodeJS.Platform,
    found: string | undefined,
  ])[] = [
    ["/none::/a:/b", "linux", "/a/codex-acp"],
    ["", "linux", undefined],
    ["C:\\y;C:\\x", "win32", "C:\\x\\codex-acp.cmd"],
  ];
  for (const [searched, platform, found] of searches)
    it(`on ${platform}, "${searched}" holds ${found ?? "nothing"}`, () => {
      assert.equal(onPath("codex-acp", searched, isFile, platform), found);
    });
});
