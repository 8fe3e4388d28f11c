import {
  RequestError,
  type ClientApp,
  type ClientConnection,
} from "@agentclientprotocol/sdk/unstable";
import type { AgentFailure, AgentSpec, Answer } from "../core/agentPort.ts";
import type { Log } from "../core/ports.ts";
import { t } from "../util/l10n.ts";
import { ended, exited, failed, notAcp, refused, timedOut } from "./errors.ts";
import { limit, tooLong } from "./limit.ts";
import { fields, type Fields } from "./parse.ts";
import type { AgentProcess } from "./process.ts";
import { openStream, type AgentStream, type TraceDirection } from "./stream.ts";
import { Tail } from "./tail.ts";

export interface Call<T> {
  readonly method: string;
  readonly params: object;
  /** Undefined means that the answer does not fit. */
  readonly read: (answer: Fields) => T | undefined;
  /** The call names a session: an error may mean that it is lost. */
  readonly inSession?: true;
  /** More than the session can be missing here: only an error that names it means that it is lost. */
  readonly named?: string;
  readonly limit?: TimeLimit;
}

export interface TimeLimit {
  readonly ms: number;
  /** From when it counts. */
  readonly since: () => number;
}

export interface AcpListener {
  alive(): void;
  /** Each message in the order the agent spoke; true keeps it from the SDK. */
  heard(message: Fields): boolean;
  /** Nothing of the process is left. */
  over(failure: AgentFailure): void;
  trace?(direction: TraceDirection, message: unknown): void;
}

/** More than this before the first answer is no agent. */
const garbageLimit = 1000;

/** The protocol with one process: calls that always settle, and the process's end. */
export class Acp {
  readonly #spec: AgentSpec;
  readonly #process: AgentProcess;
  readonly #log: Log;
  readonly #stream: AgentStream;
  readonly #connection: ClientConnection;
  /** Settles when nothing of the process is left, with the reason. */
  readonly #over: Promise<AgentFailure>;
  readonly #garbage = new Tail(2000);
  #garbageLines = 0;
  #agentName: string | undefined;
  #lastTraffic = performance.now();
  #broken: AgentFailure | undefined;
  #endAsked = false;

  constructor(
    spec: AgentSpec,
    process: AgentProcess,
    app: ClientApp,
    listener: AcpListener,
    log: Log,
  ) {
    this.#spec = spec;
    this.#process = process;
    this.#log = log;
    this.#stream = openStream(process.child, {
      traffic: () => {
        this.#lastTraffic = performance.now();
        listener.alive();
      },
      message: (message) => listener.heard(message),
      garbage: (line) => this.#sawGarbage(line),
      broken: (reason) => this.#break(reason),
      trace: (direction, message) => listener.trace?.(direction, message),
    });
    this.#connection = app.connect(this.#stream.stream);
    this.#over = this.#follow(listener);
    // A failed write closes the connection while the process lives: without this its calls would wait for ever.
    void this.#connection.closed.then(() => this.#process.end());
  }

  /** The agent has answered `initialize`, naming itself. */
  initialized(agentName: string): void {
    this.#agentName = agentName;
  }

  async call<T>(call: Call<T>): Promise<Answer<T>> {
    const asked = this.#connection.agent
      .request(call.method, call.params)
      .then((answer) => ({ answer }))
      .catch((error: unknown) => ({ error }));
    const outcome =
      call.limit === undefined
        ? await asked
        : await limit(asked, call.limit.ms, call.limit.since);
    if (outcome === tooLong) return failed(this.#late(call));
    if ("error" in outcome) {
      if (!(outcome.error instanceof RequestError))
        return failed(await this.#over);
      const name = this.#agentName ?? "";
      return failed(
        this.#clean(refused(this.#spec, name, outcome.error, call)),
      );
    }
    // `session/load` and its kin may answer null.
    const value = call.read(fields(outcome.answer) ?? {});
    return value === undefined
      ? failed(
          this.notAcp(
            t("its answer to {0} lacks what it must hold", call.method),
          ),
        )
      : { ok: true, value };
  }

  notify(method: string, params: object): void {
    this.#connection.agent.notify(method, params).catch(() => undefined);
  }

  /** Any answer is a sign of life, an error too. */
  async probe(): Promise<boolean> {
    try {
      await this.#connection.agent.request("_turnline/ping", {});
      return true;
    } catch (error) {
      return error instanceof RequestError;
    }
  }

  async end(): Promise<void> {
    this.#endAsked = true;
    await this.#process.end();
    await this.#over;
  }

  notAcp(what: string): AgentFailure {
    return notAcp(this.#spec, what, this.#lastWords());
  }

  /** A limit from now. */
  within(ms: number): TimeLimit {
    const began = performance.now();
    return { ms, since: () => began };
  }

  /** A limit on silence: traffic of any kind puts it off. */
  withinSilence(ms: number): TimeLimit {
    const began = performance.now();
    return { ms, since: () => Math.max(began, this.#lastTraffic) };
  }

  /** Follows the process to its end. Calls settle only then, so that nobody writes to a session an old process still holds. */
  async #follow(listener: AcpListener): Promise<AgentFailure> {
    await this.#process.outputEnded;
    this.#stream.end();
    const failure = this.#failure();
    await this.#process.end();
    this.#log.info("agent.ended", { agent: this.#spec.id, ...failure });
    // What waited for the end is told before the listener.
    setImmediate(() => listener.over(failure));
    return failure;
  }

  #failure(): AgentFailure {
    if (this.#broken !== undefined) return this.#broken;
    if (this.#endAsked) return ended(this.#spec);
    return exited(this.#spec, this.#process.exit(), this.#lastWords());
  }

  #late<T>({ method, limit: given }: Call<T>): AgentFailure {
    return this.#agentName === undefined && this.#garbageLines > 0
      ? this.notAcp(t("its output is not JSON-RPC"))
      : timedOut(this.#spec, method, given?.ms ?? 0, this.#lastWords());
  }

  #sawGarbage(line: string): void {
    this.#garbageLines += 1;
    const start = line.slice(0, 500);
    this.#garbage.push(`${start}\n`);
    this.#log.warn("agent.notJson", { agent: this.#spec.id, line: start });
    if (this.#agentName === undefined && this.#garbageLines >= garbageLimit)
      this.#break(t("its output is not JSON-RPC"));
  }

  #break(reason: string): void {
    if (this.#broken !== undefined) return;
    this.#broken = this.notAcp(reason);
    void this.#process.end(0);
  }

  #lastWords(): string {
    const { redact, stderr } = this.#process;
    return redact(stderr() || this.#garbage.toString());
  }

  /** What an agent says when it fails may quote the key that it failed with. */
  #clean(failure: AgentFailure): AgentFailure {
    const { redact } = this.#process;
    const { message, detail } = failure;
    return {
      ...failure,
      message: redact(message),
      ...(detail === undefined ? {} : { detail: redact(detail) }),
    };
  }
}
