import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  AgentCatalog,
  type CatalogParts,
} from "../../../src/host/agentCatalog.ts";
import { loginPath } from "../../../src/host/loginPath.ts";
import type { Settings } from "../../../src/host/settings.ts";

describe("which agents there are", () => {
  let home: string;
  let own: string | undefined;
  const at = (...names: readonly string[]): string => path.join(home, ...names);
  const script = (file: string, ...lines: readonly string[]): string => {
    writeFileSync(file, ["#!/bin/sh", ...lines, ""].join("\n"));
    chmodSync(file, 0o755);
    return file;
  };
  let news: number;
  const catalog = (parts: Partial<CatalogParts> = {}): AgentCatalog =>
    new AgentCatalog({
      builtin: at("builtin.cjs"),
      storage: at("storage"),
      settings: () =>
        ({
          defaultAgent: "auto",
          agents: [],
          wrongAgents: new Map(),
        }) as Partial<Settings> as Settings,
      isTrusted: () => true,
      found: () => (news += 1),
      login: () => loginPath(shell, "linux"),
      ...parts,
    });
  let shell: string;

  beforeEach(() => {
    news = 0;
    home = mkdtempSync(path.join(os.tmpdir(), "turnline-catalog-"));
    mkdirSync(at("own"));
    mkdirSync(at("login"));
    script(at("login", "codex-acp"), "exit 0");
    shell = script(at("shell"), `PATH=${at("login")}:$PATH; eval "$2"`);
    own = process.env["PATH"];
    process.env["PATH"] = at("own");
  });
  afterEach(() => {
    process.env["PATH"] = own;
    rmSync(home, { recursive: true, force: true });
  });

  it("finds an agent that only the login shell's path has, and runs it with that path", async () => {
    const agents = catalog();
    assert.equal(agents.find("codex"), undefined);
    assert.equal(agents.defaultId(), "builtin");
    await agents.settleDefault();
    const found = agents.locate("codex");
    assert.equal(found?.origin, "path");
    assert.equal(found.spec.command, at("login", "codex-acp"));
    assert.equal(
      found.spec.env["PATH"],
      [at("own"), at("login")].join(path.delimiter),
    );
    assert.equal(agents.defaultId(), "codex");
    assert.equal(news, 1);
    const choice = agents.choices().find(({ id }) => id === "codex");
    assert.equal(choice?.availability, "ready");
  });

  it("asks the login shell once, and in a workspace that is not trusted not at all", async () => {
    let asked = 0;
    const login = (): Promise<string> => {
      asked += 1;
      return Promise.resolve("");
    };
    const wary = catalog({ login, isTrusted: () => false });
    await wary.resolveFurther("codex");
    assert.equal(asked, 0);
    const agents = catalog({ login });
    assert.equal((await agents.resolveFurther("codex")).ok, false);
    await agents.resolveFurther("codex");
    await agents.lookFurther();
    assert.equal(asked, 1);
  });
});
