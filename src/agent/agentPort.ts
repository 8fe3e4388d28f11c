import type { FilePort, TerminalPort } from "../core/agentFeatures.ts";
import type { AgentPort } from "../core/agentPort.ts";
import type { Log } from "../core/ports.ts";
import { Connection } from "./connection.ts";
import type { OptionBook } from "./chosenOptions.ts";
import { endTree } from "./endTree.ts";
import { startProcess } from "./process.ts";
import { redactedText } from "../util/redact.ts";
import { SecretAnswers } from "./secretAnswers.ts";
import type { TraceDirection } from "./stream.ts";

export interface AgentPortOptions {
  readonly log: Log;
  /** Turnline's own version, told to agents. */
  readonly version?: string;
  /** Names of host variables agents get beyond the usual ones. */
  readonly inherit?: readonly string[];
  /** Read at each start: it is a setting. */
  readonly initializeMs?: () => number;
  readonly sessionMs?: number;
  /** How long an agent has to end by itself before it is killed. */
  readonly graceMs?: number;
  /** Serves agents that read and write through the client; without it they are told that we don't. */
  readonly files?: FilePort;
  readonly terminals?: TerminalPort;
  /** What the user last chose of an agent's options: set again in each session it opens. */
  readonly chosen?: OptionBook;
  /** Leaves the user's own secrets out of what is shown of errors. */
  readonly hide?: (text: string) => string;
  /** Sees every message of the protocol, without the secret answers in it. */
  readonly trace?: (
    agent: string,
    direction: TraceDirection,
    message: unknown,
  ) => void;
}

/** Agents as child processes that speak ACP over their pipes. */
export function createAgentPort(options: AgentPortOptions): AgentPort {
  const {
    log,
    version = "0.0.0",
    inherit = [],
    initializeMs = () => 30_000,
    sessionMs = 60_000,
    graceMs = 2_000,
    files,
    terminals,
    chosen = { of: () => ({}), set: () => undefined },
    trace,
    hide = (text) => text,
  } = options;
  const redact = (text: string): string => redactedText(hide(text));
  return {
    async start(spec, folder, events, stopped) {
      const started = await startProcess(spec, folder, {
        log,
        inherit,
        graceMs,
        redact,
      });
      if (!started.ok) return started;
      const secret = new SecretAnswers();
      const connection = new Connection(spec, started.value, events, {
        log,
        version,
        initializeMs: initializeMs(),
        sessionMs,
        chosen,
        trace: (direction, message) =>
          trace?.(spec.id, direction, secret.hide(direction, message)),
        ...(files === undefined ? {} : { files }),
        ...(terminals === undefined ? {} : { terminals }),
      });
      // It has nothing to save yet, so it gets no time to end by itself.
      void stopped?.then(() => started.value.end(0));
      const ready = await connection.initialize();
      if (ready.ok) return { ok: true, value: connection };
      await connection.end();
      return ready;
    },
    async endLeftover(identity) {
      await endTree(identity, {
        graceMs,
        limitMs: graceMs + 10_000,
        ownGroup: false,
      });
    },
  };
}
