import type { AgentEvents } from "../core/agentPort.ts";
import type { Log } from "../core/ports.ts";

/** A listener's exception must not break the stream it listens to. */
export function guarded(events: AgentEvents, log: Log): AgentEvents {
  const guard =
    <A extends readonly unknown[]>(name: string, run: (...args: A) => void) =>
    (...args: A): void => {
      try {
        run(...args);
      } catch (error) {
        log.error("agent.listener", { name, error: String(error) });
      }
    };
  return {
    update: guard("update", (session, update) =>
      events.update(session, update),
    ),
    permission: guard("permission", (request) => events.permission(request)),
    permissionGone: guard("permissionGone", (id) => events.permissionGone(id)),
    alive: guard("alive", () => events.alive()),
    ended: guard("ended", (failure) => events.ended(failure)),
    session: guard("session", (session, change) =>
      events.session?.(session, change),
    ),
    ...(events.elicitation === undefined
      ? {}
      : {
          elicitation: guard("elicitation", (request) =>
            events.elicitation?.(request),
          ),
          elicitationGone: guard("elicitationGone", (id) =>
            events.elicitationGone?.(id),
          ),
        }),
  };
}
