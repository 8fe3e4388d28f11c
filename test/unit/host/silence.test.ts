import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..", "..", "..");

describe("no telemetry", () => {
  const sources = globSync(["src/**/*.ts", "webview/**/*.{ts,tsx}"], {
    cwd: root,
  });

  it("no part of Turnline opens a connection of its own or reports to anyone", () => {
    assert.ok(sources.length > 100);
    const speaks =
      /from "node:(?:https?|http2|tls|dgram)"|\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon|TelemetryLogger|EventSource/u;
    const found = sources.filter((file) =>
      speaks.test(readFileSync(path.join(root, file), "utf8")),
    );
    assert.deepEqual(found, []);
  });

  it("commands, environments and MCP servers are the machine's to name", () => {
    const manifest = JSON.parse(
      readFileSync(path.join(root, "package.json"), "utf8"),
    ) as {
      contributes: {
        configuration: {
          properties: Record<string, { scope?: string; type: string }>;
        };
      };
    };
    const { properties } = manifest.contributes.configuration;
    for (const name of ["turnline.agents", "turnline.mcpServers"])
      assert.equal(properties[name]?.scope, "machine", name);
    const objects = Object.entries(properties).filter(
      ([, { type, scope }]) => type === "object" && scope !== "machine",
    );
    assert.deepEqual(objects, []);
  });
});
