import { createHash, randomUUID } from "node:crypto";
import { createAgentPort } from "../../src/agent/agentPort.ts";
import { compile } from "../../src/core/compile/compile.ts";
import { defaultDispatchSettings } from "../../src/core/dispatch/settings.ts";
import { Engine } from "../../src/core/engine.ts";
import type { History } from "../../src/core/recordPort.ts";
import { systemClock } from "../../src/host/clock.ts";
import { silentLog } from "../contract/agentHarness.ts";

/** The engine as the extension wires it, with one agent. */
export function startEngine(store: History, agent: string): Promise<Engine> {
  return Engine.start({
    store,
    agents: createAgentPort({ log: silentLog }),
    clock: systemClock,
    log: silentLog,
    compile,
    sha256: (data) => createHash("sha256").update(data).digest("hex"),
    uuid: randomUUID,
    resolveAgent: (id) =>
      Promise.resolve({
        ok: true,
        value: {
          ...{ id, label: "Agent", command: process.execPath },
          ...{ args: [agent], env: {} },
        },
      }),
    surroundings: () =>
      Promise.resolve({ fragments: [], additionalFolders: [] }),
    archives: (id) => store.archives(id),
    settings: defaultDispatchSettings,
  });
}
