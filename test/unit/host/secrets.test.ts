import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { missingSecret, ReadyAgents } from "../../../src/host/readyAgents.ts";
import { Secrets } from "../../../src/host/secrets.ts";
import type { Settings } from "../../../src/host/settings.ts";
import { KnownSecrets } from "../../../src/util/redact.ts";

/** VS Code's own stores, in memory. */
function stores(): Pick<vscode.ExtensionContext, "secrets" | "globalState"> & {
  readonly kept: Map<string, unknown>;
} {
  const secrets = new Map<string, string>();
  const kept = new Map<string, unknown>();
  return {
    kept,
    secrets: {
      get: (key: string) => Promise.resolve(secrets.get(key)),
      store: (key: string, value: string) =>
        Promise.resolve(void secrets.set(key, value)),
      delete: (key: string) => Promise.resolve(void secrets.delete(key)),
    } as unknown as vscode.SecretStorage,
    globalState: {
      get: (key: string) => kept.get(key),
      update: (key: string, value: unknown) =>
        Promise.resolve(void kept.set(key, value)),
    } as unknown as vscode.ExtensionContext["globalState"],
  };
}

const spec = {
  ...{ id: "a", label: "A", command: "a", args: [] },
  env: { TOKEN: "Bearer ${secret:mine}", PLAIN: "x" },
};

function agents(
  secrets: Secrets,
  known: KnownSecrets,
  mcpServers: Settings["mcpServers"] = [],
): ReadyAgents {
  const catalog = {
    resolveFurther: () => Promise.resolve({ ok: true, value: spec } as const),
  };
  return new ReadyAgents(catalog, secrets, known, () => ({ mcpServers }));
}

describe("secrets that settings name", () => {
  it("are put in place when an agent starts, and hidden from then on", async () => {
    const known = new KnownSecrets();
    const secrets = new Secrets(stores(), known);
    await secrets.set("mine", "v4lue-of-mine");
    const ready = await agents(secrets, known).resolve("a");
    assert.ok(ready.ok);
    assert.deepEqual(ready.value.env, {
      TOKEN: "Bearer v4lue-of-mine",
      PLAIN: "x",
    });
    assert.doesNotMatch(known.hide("it is v4lue-of-mine"), /v4lue/);
  });

  it("one that is missing keeps the agent from starting, and is named", async () => {
    const known = new KnownSecrets();
    const secrets = new Secrets(stores(), known);
    const ready = await agents(secrets, known).resolve("a");
    assert.ok(!ready.ok);
    assert.equal(missingSecret(ready.failure.message), "mine");
  });

  it("those of MCP servers, in variables and headers", async () => {
    const known = new KnownSecrets();
    const secrets = new Secrets(stores(), known);
    await secrets.set("mine", "v4lue-of-mine");
    const ready = agents(secrets, known, [
      {
        type: "http",
        name: "web",
        url: "https://example.test",
        headers: { Authorization: "Bearer ${secret:web}" },
      },
    ]);
    const without = await ready.resolve("a");
    assert.ok(!without.ok);
    assert.equal(missingSecret(without.failure.message), "web");
    assert.deepEqual(await ready.servers(), []);
    await secrets.set("web", "v4lue-of-web");
    assert.ok((await ready.resolve("a")).ok);
    const [server] = await ready.servers();
    assert.ok(server?.type === "http");
    assert.equal(server.headers["Authorization"], "Bearer v4lue-of-web");
  });

  it("are listed by name only, learned after a restart, and forgotten when deleted", async () => {
    const store = stores();
    await new Secrets(store, new KnownSecrets()).set("mine", "v4lue-of-mine");
    assert.doesNotMatch(JSON.stringify([...store.kept]), /v4lue/);
    const known = new KnownSecrets();
    const secrets = new Secrets(store, known);
    await secrets.learn();
    assert.equal(known.hide("v4lue-of-mine"), "[redacted]");
    assert.deepEqual(secrets.names(), ["mine"]);
    await secrets.delete("mine");
    assert.deepEqual(secrets.names(), []);
    assert.equal(await secrets.get("mine"), undefined);
  });
});
