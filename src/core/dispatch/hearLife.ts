import type { ElicitationRequest, SessionChange } from "../agentFeatures.ts";
import type {
  AgentEvents,
  AgentUpdate,
  PermissionRequest,
} from "../agentPort.ts";
import { isConversation } from "../sessionReplay.ts";
import type { LifeEvent } from "./events.ts";
import type { Life } from "./life.ts";

/** Who hears what the processes do. Nothing of a life that has been ended is told any more, but that it is gone. */
export interface LifeListener {
  happened(event: LifeEvent): void;
  update(update: AgentUpdate): void;
  permission(request: PermissionRequest): void;
  permissionGone(id: string): void;
  session(change: SessionChange): void;
  elicitation(request: ElicitationRequest): void;
  elicitationGone(id: string): void;
  alive(): void;
  /** The response of the running turn, or its death: called before the event is told. */
  turnOver(): void;
}

/** What the agent of a life says, as far as it is news. That a question is gone is told of any life: it may have been asked before that was ended. */
export function hearLife(
  own: Life,
  listener: LifeListener,
  elicitations: boolean,
): Omit<AgentEvents, "ended"> {
  const heard = (session: string | undefined, tell: () => void): void => {
    const ours = session === undefined || session === own.sessionId;
    if (ours && !own.ending && !own.dead) tell();
  };
  return {
    update: (session, update) =>
      heard(session, () => {
        if (!isRepeating(own) || !isConversation(update))
          listener.update(update);
      }),
    permission: (request) =>
      heard(request.sessionId, () => listener.permission(request)),
    permissionGone: (id) => listener.permissionGone(id),
    alive: () => heard(undefined, () => listener.alive()),
    session: (session, change) =>
      heard(session, () => {
        if (!isLoaded(own) || change.kind === "options")
          listener.session(change);
      }),
    ...(elicitations
      ? {
          elicitation: (request) =>
            heard(request.sessionId, () => listener.elicitation(request)),
          elicitationGone: (id) => listener.elicitationGone(id),
        }
      : {}),
  };
}

/** Taken up again and not prompted yet: what it says of the conversation now was said before. */
function isRepeating({ resumed, prompted }: Life): boolean {
  return resumed && !prompted;
}

/** A session that is loaded repeats also what it said of itself; of one that is resumed that is news. */
function isLoaded(own: Life): boolean {
  return isRepeating(own) && own.agent?.capabilities.resume !== true;
}
