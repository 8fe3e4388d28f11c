import type { ChatSurfaces } from "./chatSurfaces.ts";
import type { Setup } from "./checkSetup.ts";
import { currentThread } from "./currentThread.ts";
import { pickReadyAgent } from "./pickAgent.ts";
import type { Services } from "./services.ts";
import type { Trace } from "./trace.ts";
import { t } from "../util/l10n.ts";

/** How the agents stand, and what can be done about it. */
export function setupCommands(
  surfaces: ChatSurfaces,
  services: Services,
  setup: Setup,
  trace: Trace,
): Readonly<Record<string, () => unknown>> {
  const { engine, catalog } = services;
  return {
    checkSetup: () => setup.show(),
    traceProtocol: () => trace.toggle(),
    showTrace: () => trace.show(),
    signIn: async () => {
      const id = currentThread(surfaces, services);
      const thread = id === undefined ? undefined : engine.snapshot(id)?.thread;
      if (thread === undefined) await catalog.settleDefault();
      await setup.signIn(thread?.agent ?? catalog.defaultId());
    },
    signOut: async () => {
      const agent = await pickReadyAgent(
        catalog,
        t("Sign out of which agent?"),
      );
      if (agent !== undefined) await setup.signOut(agent);
    },
  };
}
