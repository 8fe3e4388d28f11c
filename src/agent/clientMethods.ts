import { randomUUID } from "node:crypto";
import {
  methods,
  RequestError,
  type ClientApp,
} from "@agentclientprotocol/sdk/unstable";
import type {
  Asker,
  Denied,
  FilePort,
  Granted,
  Terminal,
  TerminalExit,
  TerminalPort,
} from "../core/agentFeatures.ts";
import { defined } from "./parse.ts";
import type { TerminalViews } from "./terminalViews.ts";

/** Who asks when a session is named; undefined for a session we never opened. */
export type AskerOf = (sessionId: string) => Asker | undefined;

/** Serves `fs/*` from the files port. */
export function serveFiles(
  app: ClientApp,
  files: FilePort,
  askerOf: AskerOf,
): void {
  app
    .onRequest(methods.client.fs.readTextFile, async ({ params }) => {
      const range = defined({
        line: params.line ?? undefined,
        limit: params.limit ?? undefined,
      });
      const asker = known(askerOf, params.sessionId);
      return {
        content: granted(await files.read(asker, params.path, range)),
      };
    })
    .onRequest(methods.client.fs.writeTextFile, async ({ params }) => {
      const asker = known(askerOf, params.sessionId);
      granted(await files.write(asker, params.path, params.content));
      return {};
    });
}

/** Serves `terminal/*` from the terminals port; what runs is shown in the tool calls that name it. */
export class ClientTerminals {
  readonly #terminals = new Map<string, Terminal>();
  readonly #views: TerminalViews;
  #over = false;

  constructor(
    app: ClientApp,
    port: TerminalPort,
    run: string,
    askerOf: AskerOf,
    views: TerminalViews,
  ) {
    this.#views = views;
    app
      .onRequest(methods.client.terminal.create, async ({ params }) => {
        const request = defined({
          command: params.command,
          args: params.args ?? [],
          env: Object.fromEntries(
            (params.env ?? []).map(({ name, value }) => [name, value]),
          ),
          folder: params.cwd ?? undefined,
          outputLimit: params.outputByteLimit ?? undefined,
        });
        const asker = known(askerOf, params.sessionId);
        const terminal = granted(await port.create(asker, request, run));
        if (this.#over) await terminal.kill();
        return { terminalId: this.#add(terminal) };
      })
      .onRequest(methods.client.terminal.output, ({ params }) => {
        const { output, truncated, exit } = this.#get(
          params.terminalId,
        ).state();
        return exit === undefined
          ? { output, truncated }
          : { output, truncated, exitStatus: status(exit) };
      })
      .onRequest(methods.client.terminal.waitForExit, async ({ params }) =>
        status(await this.#get(params.terminalId).exited),
      )
      .onRequest(methods.client.terminal.kill, async ({ params }) => {
        await this.#get(params.terminalId).kill();
        return {};
      })
      .onRequest(methods.client.terminal.release, async ({ params }) => {
        const terminal = this.#get(params.terminalId);
        this.#terminals.delete(params.terminalId);
        await terminal.kill();
        this.#views.release(params.terminalId);
        return {};
      });
  }

  /** The agent is gone, and what it had run goes with it: not every system finds it by the agent's nonce. */
  async end(): Promise<void> {
    this.#over = true;
    const left = [...this.#terminals.values()];
    this.#terminals.clear();
    await Promise.all(left.map((terminal) => terminal.kill()));
  }

  #add(terminal: Terminal): string {
    const id = randomUUID();
    this.#terminals.set(id, terminal);
    this.#views.add(id, () => terminal.state());
    terminal.onChange(() => this.#views.changed(id));
    return id;
  }

  #get(id: string): Terminal {
    const terminal = this.#terminals.get(id);
    if (terminal === undefined) throw RequestError.resourceNotFound(id);
    return terminal;
  }
}

function status({ code, signal }: TerminalExit): {
  exitCode: number | null;
  signal: string | null;
} {
  return { exitCode: code, signal };
}

function known(askerOf: AskerOf, sessionId: string): Asker {
  const asker = askerOf(sessionId);
  if (asker === undefined) throw RequestError.sessionNotFound(sessionId);
  return asker;
}

/** JSON-RPC takes its refusals as errors thrown in a handler. */
function granted<T>(answer: Granted<T>): T {
  if (answer.ok) return answer.value;
  throw asError(answer.denied);
}

function asError({ kind, message }: Denied): RequestError {
  return kind === "notFound"
    ? RequestError.resourceNotFound(message)
    : RequestError.internalError({ details: message }, message);
}
