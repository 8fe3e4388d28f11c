import { setImmediate as nextPoll } from "node:timers/promises";
import {
  client,
  methods,
  PROTOCOL_VERSION,
  type ClientCapabilities,
} from "@agentclientprotocol/sdk/unstable";
import type { FilePort, TerminalPort } from "../core/agentFeatures.ts";
import type { ProcessIdentity } from "../core/message.ts";
import type {
  AgentBlock,
  AgentCapabilities,
  AgentEvents,
  AgentFeatures,
  AgentSpec,
  Answer,
  LiveAgent,
  OpenedSession,
  SessionOptions,
  TurnResult,
} from "../core/agentPort.ts";
import type { Log } from "../core/ports.ts";
import { Acp } from "./acp.ts";
import { Behind } from "./behind.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { choose, type OptionBook } from "./chosenOptions.ts";
import { ClientTerminals, serveFiles } from "./clientMethods.ts";
import { toAcp } from "./content.ts";
import { Elicitations } from "./elicitations.ts";
import { failed } from "./errors.ts";
import { Features } from "./features.ts";
import { guarded } from "./guarded.ts";
import { Hearing } from "./hearing.ts";
import { defined, text } from "./parse.ts";
import {
  permissionAnswer,
  permissions,
  type Permissions,
} from "./permissions.ts";
import type { AgentProcess } from "./process.ts";
import { Sessions } from "./sessions.ts";
import type { TraceDirection } from "./stream.ts";
import { openingOf } from "./quirks.ts";
import { turnUsage } from "./translate.ts";
import { typedFailure } from "./typedFailure.ts";
import { t } from "../util/l10n.ts";

export interface ConnectionOptions {
  readonly log: Log;
  readonly version: string;
  readonly initializeMs: number;
  /** How long an agent may stay silent while it opens a session. */
  readonly sessionMs: number;
  readonly files?: FilePort;
  readonly terminals?: TerminalPort;
  readonly chosen: OptionBook;
  readonly trace: (direction: TraceDirection, message: unknown) => void;
}

/** One agent process and the conversation with it. */
export class Connection implements LiveAgent {
  readonly identity: ProcessIdentity;
  readonly features: AgentFeatures;
  readonly #spec: AgentSpec;
  readonly #options: ConnectionOptions;
  readonly #events: AgentEvents;
  readonly #permissions: Permissions;
  readonly #elicitations: Elicitations;
  readonly #sessions: Sessions;
  readonly #acp: Acp;
  readonly #terminals: ClientTerminals | undefined;
  #capabilities: AgentCapabilities | undefined;

  constructor(
    spec: AgentSpec,
    process: AgentProcess,
    events: AgentEvents,
    options: ConnectionOptions,
  ) {
    this.identity = process.identity;
    this.#spec = spec;
    this.#options = options;
    this.#events = guarded(events, options.log);
    this.#permissions = permissions(this.#events);
    this.#elicitations = new Elicitations(this.#events);
    const hearing = new Hearing(
      spec,
      this.#events,
      this.#permissions,
      this.#elicitations,
      options.log,
    );
    const app = client({ name: "turnline" })
      .onRequest(
        methods.client.session.requestPermission,
        (params) => params,
        ({ requestId, signal }) =>
          this.#permissions.answerTo(requestId, signal),
      )
      .onRequest(
        methods.client.elicitation.create,
        (params) => params,
        ({ requestId, signal }) =>
          this.#elicitations.questions.answerTo(requestId, signal),
      );
    const askerOf = (sessionId: string) => this.#sessions.askerOf(sessionId);
    if (options.files !== undefined) serveFiles(app, options.files, askerOf);
    this.#terminals =
      options.terminals === undefined
        ? undefined
        : new ClientTerminals(
            app,
            options.terminals,
            this.identity.nonce,
            askerOf,
            hearing.terminals,
          );
    this.#acp = new Acp(
      spec,
      process,
      app,
      {
        alive: () => this.#events.alive(),
        heard: (message) => hearing.heard(message),
        trace: options.trace,
        over: (failure) => {
          hearing.terminals.flush();
          void this.#terminals?.end();
          this.#permissions.end();
          this.#elicitations.questions.end();
          if (this.#capabilities !== undefined) this.#events.ended(failure);
        },
      },
      options.log,
    );
    const behind = new Behind(this.identity);
    this.#sessions = new Sessions(
      spec,
      this.#acp,
      hearing,
      () => this.capabilities,
      options.sessionMs,
      behind,
    );
    this.features = new Features(
      this.#acp,
      this.#sessions,
      hearing.options,
      hearing.account,
      this.#elicitations,
      behind,
      options.sessionMs,
      (id, value) => options.chosen.set(spec.id, id, value),
    );
  }

  get capabilities(): AgentCapabilities {
    if (this.#capabilities === undefined)
      throw new Error("The agent has not answered initialize");
    return this.#capabilities;
  }

  async initialize(): Promise<Answer<true>> {
    const answer = await this.#acp.call({
      method: methods.agent.initialize,
      params: {
        protocolVersion: PROTOCOL_VERSION,
        clientInfo: {
          name: "turnline",
          title: "Turnline",
          version: this.#options.version,
        },
        clientCapabilities: this.#clientCapabilities(),
      },
      read: (given) => given,
      limit: this.#acp.within(this.#options.initializeMs),
    });
    if (!answer.ok) return answer;
    const version = answer.value["protocolVersion"];
    if (version !== PROTOCOL_VERSION)
      return failed(
        this.#acp.notAcp(
          t("it offers protocol version {0}", JSON.stringify(version)),
        ),
      );
    this.#capabilities = capabilitiesOf(answer.value);
    this.#acp.initialized(this.#capabilities.name);
    return { ok: true, value: true };
  }

  async newSession(options: SessionOptions): Promise<Answer<OpenedSession>> {
    return this.#chosen(
      await this.#sessions.open(methods.agent.session.new, options),
    );
  }

  async resumeSession(
    sessionId: string,
    options: SessionOptions,
  ): Promise<Answer<OpenedSession>> {
    const { resume, load } = this.capabilities;
    if (resume)
      return this.#chosen(await this.#sessions.resume(sessionId, options));
    if (load)
      return this.#chosen(await this.#sessions.load(sessionId, options));
    return failed({
      kind: "noSession",
      message: t("{0} can't go on with an earlier session.", this.#spec.label),
    });
  }

  async prompt(
    sessionId: string,
    blocks: readonly AgentBlock[],
  ): Promise<Answer<TurnResult>> {
    const questions = [this.#permissions, this.#elicitations.questions];
    for (const kind of questions) kind.turnBegun(sessionId);
    const answer = await this.#acp.call<TurnResult>({
      method: methods.agent.session.prompt,
      params: { sessionId, prompt: blocks.map(toAcp) },
      read: (given) => {
        const stopReason = text(given["stopReason"]);
        if (stopReason === undefined) return undefined;
        const error = typedFailure(given["_meta"]);
        return defined({
          stopReason,
          usage: turnUsage(given["usage"]),
          error: stopReason === "cancelled" ? undefined : error,
        });
      },
      inSession: true,
      named: sessionId,
    });
    // The last pieces of a turn may be read in the same poll as its answer.
    await nextPoll();
    for (const kind of questions) kind.turnOver(sessionId);
    return answer;
  }

  cancel(sessionId: string): void {
    this.#acp.notify(methods.agent.session.cancel, { sessionId });
    this.#permissions.cancel(sessionId);
    this.#elicitations.questions.cancel(sessionId);
  }

  answerPermission(id: string, optionId: string | null): void {
    this.#permissions.answer(id, permissionAnswer(optionId));
  }

  probe(): Promise<boolean> {
    return this.#acp.probe();
  }

  async end(): Promise<void> {
    await this.#acp.end();
    await this.#terminals?.end();
  }

  /** Before the first prompt, so that it is answered as the user chose. */
  async #chosen(opened: Answer<OpenedSession>): Promise<Answer<OpenedSession>> {
    if (!opened.ok) return opened;
    const { chosen, log } = this.#options;
    const before = chosen.of(this.#spec.id);
    const value = await choose(opened.value, before, this.features, log);
    return { ok: true, value };
  }

  /** Agents are told only of what there is someone to serve. */
  #clientCapabilities(): ClientCapabilities {
    const { files, terminals } = this.#options;
    const hasFiles = files !== undefined;
    return {
      fs: { readTextFile: hasFiles, writeTextFile: hasFiles },
      terminal: terminals !== undefined,
      auth: { terminal: true },
      session: {
        configOptions: { boolean: {} },
        notices: {},
        compaction: {},
      },
      ...(this.#events.elicitation === undefined
        ? {}
        : { elicitation: { form: {}, url: {} } }),
      _meta: { terminal_output: true, ...openingOf(this.#spec).meta },
    };
  }
}
