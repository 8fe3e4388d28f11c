import { methods } from "@agentclientprotocol/sdk/unstable";
import type {
  ConfigOption,
  ElicitationAnswer,
  LeftProcess,
  ListedSession,
  SessionPage,
} from "../core/agentFeatures.ts";
import type {
  AgentFeatures,
  Answer,
  OpenedSession,
  SessionOptions,
} from "../core/agentPort.ts";
import type { Account } from "./account.ts";
import type { Acp } from "./acp.ts";
import type { Behind } from "./behind.ts";
import { apiKey } from "./capabilities.ts";
import type { Elicitations } from "./elicitations.ts";
import { defined, fields, list, text } from "./parse.ts";
import {
  configOptions,
  modeOption,
  type SessionOptionsBook,
} from "./sessionOptions.ts";
import type { Sessions } from "./sessions.ts";

/** How long an agent may take to tell unasked who is signed in: some run their own command to find out. */
const accountMs = 5_000;

/** What only some agents can do. One that can't answers so itself. */
export class Features implements AgentFeatures {
  readonly #acp: Acp;
  readonly #sessions: Sessions;
  readonly #options: SessionOptionsBook;
  readonly #account: Account;
  readonly #elicitations: Elicitations;
  readonly #behind: Behind;
  readonly #silenceMs: number;
  readonly #chose: (optionId: string, value: string | boolean) => void;

  constructor(
    acp: Acp,
    sessions: Sessions,
    options: SessionOptionsBook,
    account: Account,
    elicitations: Elicitations,
    behind: Behind,
    silenceMs: number,
    chose: (optionId: string, value: string | boolean) => void,
  ) {
    this.#acp = acp;
    this.#sessions = sessions;
    this.#options = options;
    this.#account = account;
    this.#elicitations = elicitations;
    this.#behind = behind;
    this.#silenceMs = silenceMs;
    this.#chose = chose;
  }

  async setOption(
    sessionId: string,
    optionId: string,
    value: string | boolean,
  ): Promise<Answer<readonly ConfigOption[]>> {
    if (optionId === modeOption && this.#options.hasPlainModes(sessionId)) {
      const modeId = String(value);
      const done = await this.#done(
        methods.agent.session.setMode,
        { sessionId, modeId },
        true,
      );
      if (!done.ok) return done;
      this.#chose(optionId, value);
      const options = this.#options.modeChanged(sessionId, modeId);
      return { ok: true, value: options ?? this.#options.of(sessionId) };
    }
    const answer = await this.#acp.call({
      method: methods.agent.session.setConfigOption,
      params: {
        sessionId,
        configId: optionId,
        value,
        ...(typeof value === "boolean" ? { type: "boolean" } : {}),
      },
      read: (given) => configOptions(given["configOptions"]),
      inSession: true,
      limit: this.#acp.withinSilence(this.#silenceMs),
    });
    if (answer.ok) {
      this.#chose(optionId, value);
      this.#options.replace(sessionId, answer.value);
    }
    return answer;
  }

  listSessions(query: {
    readonly folder?: string;
    readonly cursor?: string;
  }): Promise<Answer<SessionPage>> {
    return this.#acp.call({
      method: methods.agent.session.list,
      params: defined({ cwd: query.folder, cursor: query.cursor }),
      read: (given) => {
        const sessions = list(given["sessions"], listedSession);
        if (sessions === undefined) return undefined;
        return defined({ sessions, next: text(given["nextCursor"]) });
      },
      limit: this.#acp.withinSilence(this.#silenceMs),
    });
  }

  loadSession(
    sessionId: string,
    options: SessionOptions,
  ): Promise<Answer<OpenedSession>> {
    return this.#sessions.load(sessionId, options);
  }

  forkSession(
    sessionId: string,
    options: SessionOptions,
  ): Promise<Answer<OpenedSession>> {
    return this.#sessions.open(methods.agent.session.fork, options, sessionId);
  }

  closeSession(sessionId: string): Promise<Answer<true>> {
    return this.#done(methods.agent.session.close, { sessionId }, true);
  }

  deleteSession(sessionId: string): Promise<Answer<true>> {
    return this.#done(methods.agent.session.delete, { sessionId }, true);
  }

  setTitle(sessionId: string, title: string): Promise<Answer<true>> {
    return this.#done(
      methods.agent.session.setTitle,
      { sessionId, title },
      true,
    );
  }

  /** No limit: the user may take a while in the browser it opens. */
  signIn(methodId: string, key?: string): Promise<Answer<true>> {
    return this.#acp.call({
      method: methods.agent.authenticate,
      params: {
        methodId,
        ...(key === undefined ? {} : { _meta: { [apiKey]: { apiKey: key } } }),
      },
      read: () => true as const,
    });
  }

  /** Some agents tell by themselves, some when asked, some both. */
  async account(): Promise<Answer<string>> {
    const { told } = this.#account;
    if (told !== undefined) return { ok: true, value: told };
    const asked = await this.#askAccount();
    if (asked.ok) return asked;
    const later = await this.#account.within(accountMs);
    return later === undefined ? asked : { ok: true, value: later };
  }

  signOut(): Promise<Answer<true>> {
    return this.#done(methods.agent.logout, {}, false);
  }

  answerElicitation(id: string, answer: ElicitationAnswer): void {
    this.#elicitations.answer(id, answer);
  }

  leftRunning(): Promise<readonly LeftProcess[]> {
    return this.#behind.left();
  }

  endLeft(left: LeftProcess): Promise<void> {
    return this.#behind.end(left);
  }

  #askAccount(): Promise<Answer<string>> {
    return this.#acp.call({
      method: "authentication/status",
      params: {},
      read: (given) => {
        const type = text(given["type"]);
        if (type === undefined) return undefined;
        return type === "unauthenticated" ? "" : text(given["email"]) || type;
      },
      limit: this.#acp.withinSilence(this.#silenceMs),
    });
  }

  #done(
    method: string,
    params: object,
    inSession: boolean,
  ): Promise<Answer<true>> {
    return this.#acp.call({
      method,
      params,
      read: () => true as const,
      ...(inSession ? { inSession } : {}),
      limit: this.#acp.withinSilence(this.#silenceMs),
    });
  }
}

function listedSession(value: unknown): ListedSession | undefined {
  const given = fields(value);
  const sessionId = text(given?.["sessionId"]);
  if (sessionId === undefined) return undefined;
  return defined({
    sessionId,
    folder: text(given?.["cwd"]) ?? "",
    title: text(given?.["title"]),
    updatedAt: text(given?.["updatedAt"]),
  });
}
