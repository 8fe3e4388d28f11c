import type { LiveAgent } from "../agentPort.ts";

/** One process of a thread, from the wish for it until nothing of it is left. */
export interface Life {
  readonly life: number;
  readonly folder: string;
  agent: LiveAgent | null;
  label: string;
  sessionId: string | null;
  /** What the session was given as it was opened. */
  systemPrompt: string | null;
  /** The session was taken up again. */
  resumed: boolean;
  /** It was prompted since it was opened. */
  prompted: boolean;
  /** A prompt of it has no response yet. */
  running: boolean;
  dead: boolean;
  ending: boolean;
  /** Tells whoever starts it to stop. */
  readonly stop: PromiseWithResolvers<void>;
  /** Settles when nothing of it is left. */
  readonly over: PromiseWithResolvers<void>;
}

export function newLife(life: number, label: string, folder: string): Life {
  const none = {
    ...{ agent: null, sessionId: null, systemPrompt: null },
    ...{ resumed: false, prompted: false, running: false },
    ...{ dead: false, ending: false },
  };
  return {
    ...none,
    ...{ life, label, folder },
    stop: Promise.withResolvers(),
    over: Promise.withResolvers(),
  };
}

/** Asked for meanwhile, while the starting went on. */
export function isEnding(own: Life): boolean {
  return own.ending;
}
