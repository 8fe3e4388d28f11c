import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createAgentPort } from "../../src/agent/agentPort.ts";
import { compile } from "../../src/core/compile/compile.ts";
import { defaultDispatchSettings } from "../../src/core/dispatch/settings.ts";
import { Engine } from "../../src/core/engine.ts";
import type { AgentSpec, LiveAgent } from "../../src/core/agentPort.ts";
import { importSession } from "../../src/core/sessionImport.ts";
import type { ImportAnswer } from "../../src/core/transferImport.ts";
import { hastyClock } from "../fakes/hastyClock.ts";
import { MemoryStore } from "../fakes/memoryStore.ts";
import { alice, sha256 } from "../fakes/world.ts";
import { faultSpec, Listener, say, silentLog, value } from "./agentHarness.ts";

const builtin = path.resolve(
  import.meta.dirname,
  "../../src/builtinAgent/main.ts",
);

const agents: readonly {
  readonly name: string;
  readonly spec: (folder: string) => AgentSpec;
  readonly asks: readonly [string, string];
}[] = [
  {
    name: "the fault agent",
    spec: (folder) => ({
      ...faultSpec("--page=1"),
      env: { FAULT_SESSIONS: path.join(folder, "sessions") },
    }),
    asks: ["first apples", "then pears"],
  },
  {
    name: "the built-in agent",
    spec: (folder) => ({
      id: "builtin",
      label: "Built-in",
      command: process.execPath,
      args: [builtin],
      env: {
        TURNLINE_BUILTIN_HOME: path.join(folder, "home"),
        TURNLINE_BUILTIN_PACE_MS: "0",
      },
    }),
    asks: ["help", "what can you do?"],
  },
];

for (const { name, spec: specIn, asks } of agents)
  describe(`a session of ${name}, imported`, function () {
    this.timeout(30_000);
    let folder: string;
    let spec: AgentSpec;
    let sessionId: string;
    const store = new MemoryStore();
    const port = createAgentPort({ log: silentLog, graceMs: 300 });

    const withAgent = async <T>(
      use: (agent: LiveAgent) => Promise<T>,
    ): Promise<T> => {
      const agent = value(await port.start(spec, folder, new Listener()));
      try {
        return await use(agent);
      } finally {
        await agent.end();
      }
    };

    const bring = (): Promise<ImportAnswer> =>
      withAgent(async ({ features }) => {
        assert.ok(features);
        const { sessions } = value(await features.listSessions({ folder }));
        const session = sessions.find((one) => one.sessionId === sessionId);
        assert.ok(session);
        const options = { folder, additionalFolders: [] };
        const { replay } = value(
          await features.loadSession(sessionId, options),
        );
        const from = { id: spec.id, label: spec.label };
        const usedAt = 1_700_000_000_000;
        return importSession(
          store,
          { agent: from, session, usedAt, folder, user: alice, replay },
          { now: () => 1_800_000_000_000, sha256 },
        );
      });

    before(async () => {
      folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "turnline-i-")));
      spec = specIn(folder);
      sessionId = await withAgent(async (agent) => {
        const opened = value(
          await agent.newSession({ folder, additionalFolders: [] }),
        );
        for (const ask of asks)
          value(await agent.prompt(opened.sessionId, say(ask)));
        return opened.sessionId;
      });
    });

    after(() => rmSync(folder, { recursive: true }));

    it("becomes a thread with a batch for each thing that was said, once", async () => {
      const first = await bring();
      assert.ok(first.ok && first.added > 0, JSON.stringify(first));
      const { messages } = await store.page(first.thread, { limit: 100 });
      const said = messages.flatMap(({ body, state }) =>
        body.kind === "user" ? [{ state, blocks: body.blocks }] : [],
      );
      assert.deepEqual(
        said,
        asks.map((text) => ({
          state: "delivered",
          blocks: [{ type: "text", text }],
        })),
      );
      assert.equal(new Set(messages.map(({ batch }) => batch)).size, 2);
      const again = await bring();
      assert.deepEqual(again, { ok: true, thread: first.thread, added: 0 });
    });

    it("I41: goes on in the agent's own session, which is sent only what is new", async () => {
      const [thread] = await store.threads();
      assert.ok(thread);
      const engine = await Engine.start({
        store,
        agents: port,
        clock: hastyClock(1),
        log: silentLog,
        compile,
        sha256,
        uuid: randomUUID,
        resolveAgent: () => Promise.resolve({ ok: true, value: spec }),
        surroundings: () =>
          Promise.resolve({ fragments: [], additionalFolders: [] }),
        settings: defaultDispatchSettings,
      });
      const over = new Promise<void>((resolve) =>
        engine.onChange((change) => {
          const { message } = change.kind === "message" ? change : {};
          if (message?.body.kind === "turnEnd") resolve();
        }),
      );
      await engine.submit(thread.id, {
        id: "next",
        sender: alice,
        blocks: [{ type: "text", text: "help" }],
      });
      await over;
      await engine.dispose();
      const { messages } = await store.page(thread.id, { limit: 100 });
      const start = messages.find(({ body }) => body.kind === "turnStart");
      assert.ok(start?.body.kind === "turnStart");
      assert.equal(start.body.session, sessionId);
      assert.equal(start.body.recipe.kind, "delta");
      assert.equal(start.body.recipe.positions.length, 1);
      const before = messages.length;
      const again = await bring();
      assert.deepEqual(again, { ok: true, thread: thread.id, added: 0 });
      const after = await store.page(thread.id, { limit: 100 });
      assert.equal(after.messages.length, before);
    });
  });
