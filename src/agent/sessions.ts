import { methods } from "@agentclientprotocol/sdk/unstable";
import type { Asker } from "../core/agentFeatures.ts";
import type {
  AgentCapabilities,
  AgentSpec,
  AgentUpdate,
  Answer,
  OpenedSession,
  SessionOptions,
} from "../core/agentPort.ts";
import type { Acp } from "./acp.ts";
import type { Behind } from "./behind.ts";
import type { Hearing } from "./hearing.ts";
import { text, type Fields } from "./parse.ts";
import { serversLeftOut, sessionParams } from "./sessionParams.ts";
import { t } from "../util/l10n.ts";

/** Opens sessions and knows the folders each was given. */
export class Sessions {
  readonly #spec: AgentSpec;
  readonly #acp: Acp;
  readonly #hearing: Hearing;
  readonly #capabilities: () => AgentCapabilities;
  readonly #silenceMs: number;
  readonly #behind: Behind;
  readonly #folders = new Map<string, readonly string[]>();

  constructor(
    spec: AgentSpec,
    acp: Acp,
    hearing: Hearing,
    capabilities: () => AgentCapabilities,
    silenceMs: number,
    behind: Behind,
  ) {
    this.#spec = spec;
    this.#acp = acp;
    this.#hearing = hearing;
    this.#capabilities = capabilities;
    this.#silenceMs = silenceMs;
    this.#behind = behind;
  }

  askerOf(sessionId: string): Asker | undefined {
    const folders = this.#folders.get(sessionId);
    return folders === undefined
      ? undefined
      : { agent: this.#spec.id, sessionId, folders };
  }

  /** A session whose id the agent chooses: a new one, or a fork of `from`. */
  async open(
    method: string,
    options: SessionOptions,
    from?: string,
  ): Promise<Answer<OpenedSession>> {
    const { updates } = this.#hearing;
    const strangers = await this.#behind.strangers();
    updates.open();
    const answer = await this.#acp.call({
      method,
      params: this.#params(options, from),
      read: (given) => {
        const sessionId = text(given["sessionId"]);
        return sessionId === undefined ? undefined : { sessionId, given };
      },
      ...(from === undefined ? {} : { inSession: true }),
      limit: this.#acp.withinSilence(this.#silenceMs),
    });
    if (!answer.ok) {
      updates.failed();
      return answer;
    }
    const { sessionId, given } = answer.value;
    await this.#behind.remember(strangers);
    const opened = this.#opened(sessionId, options, given, []);
    updates.opened(sessionId);
    return opened;
  }

  async resume(
    sessionId: string,
    options: SessionOptions,
  ): Promise<Answer<OpenedSession>> {
    const strangers = await this.#behind.strangers();
    const answer = await this.#goOn(
      methods.agent.session.resume,
      sessionId,
      options,
    );
    if (!answer.ok) return answer;
    await this.#behind.remember(strangers);
    return this.#opened(sessionId, options, answer.value, []);
  }

  async load(
    sessionId: string,
    options: SessionOptions,
  ): Promise<Answer<OpenedSession>> {
    const { updates } = this.#hearing;
    const strangers = await this.#behind.strangers();
    updates.replay(sessionId);
    const answer = await this.#goOn(
      methods.agent.session.load,
      sessionId,
      options,
    );
    const replay = updates.replayed(sessionId);
    if (!answer.ok) return answer;
    await this.#behind.remember(strangers);
    return this.#opened(sessionId, options, answer.value, replay);
  }

  /** Agents call back before they answer: the folders are known from the first byte on. */
  #goOn(
    method: string,
    sessionId: string,
    options: SessionOptions,
  ): Promise<Answer<Fields>> {
    this.#folders.set(sessionId, foldersOf(options));
    return this.#acp.call({
      method,
      params: this.#params(options, sessionId),
      read: (given) => given,
      inSession: true,
      limit: this.#acp.withinSilence(this.#silenceMs),
    });
  }

  #opened(
    sessionId: string,
    options: SessionOptions,
    given: Fields,
    replay: readonly AgentUpdate[],
  ): Answer<OpenedSession> {
    this.#folders.set(sessionId, foldersOf(options));
    const config = this.#hearing.options.opened(sessionId, given);
    return {
      ok: true,
      value: {
        sessionId,
        replay,
        ...(config === undefined ? {} : { options: config }),
        ...this.#leftOut(options),
      },
    };
  }

  #leftOut(options: SessionOptions): Pick<OpenedSession, "notice"> {
    const left = serversLeftOut(options, this.#capabilities());
    if (left.length === 0) return {};
    const { label } = this.#spec;
    const title =
      left.length === 1
        ? t("{0} can't use the MCP server {1}.", label, left.join(", "))
        : t("{0} can't use the MCP servers {1}.", label, left.join(", "));
    return { notice: { kind: "notice", level: "warning", title } };
  }

  #params(options: SessionOptions, sessionId: string | undefined): object {
    const params = sessionParams(options, this.#capabilities());
    return sessionId === undefined ? params : { ...params, sessionId };
  }
}

function foldersOf(options: SessionOptions): readonly string[] {
  return [options.folder, ...options.additionalFolders];
}
