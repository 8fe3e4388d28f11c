import type { ChatSurfaces } from "./chatSurfaces.ts";
import { pickAgent } from "./pickAgent.ts";
import type { Services } from "./services.ts";

/** Commands about which thread is shown, and who answers in it. */
export function threadCommands(
  surfaces: ChatSurfaces,
  { catalog }: Services,
): Readonly<Record<string, () => unknown>> {
  return {
    newThread: () => surfaces.ask(() => ({ type: "newThread" })),
    // The question comes first: a chat that takes the focus would close it.
    chooseAgent: async () => {
      const agent = await pickAgent(catalog);
      if (agent !== undefined)
        await surfaces.ask((thread) => ({
          type: "chooseAgent",
          thread,
          agent,
        }));
    },
  };
}
