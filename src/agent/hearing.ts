import { methods } from "@agentclientprotocol/sdk/unstable";
import type { AgentEvents, AgentSpec, AgentUpdate } from "../core/agentPort.ts";
import type { Log } from "../core/ports.ts";
import { Account, accountTold } from "./account.ts";
import type { Elicitations } from "./elicitations.ts";
import { fields, text, type Fields } from "./parse.ts";
import type { Permissions } from "./permissions.ts";
import { SessionChanges } from "./sessionChange.ts";
import { SessionOptionsBook } from "./sessionOptions.ts";
import { TerminalViews } from "./terminalViews.ts";
import { translate } from "./translate.ts";
import { Updates } from "./updates.ts";

/** Takes each message as the agent speaks it and tells what it means, in that order. */
export class Hearing {
  readonly updates: Updates;
  readonly terminals: TerminalViews;
  readonly options = new SessionOptionsBook();
  readonly account = new Account();
  readonly #spec: AgentSpec;
  readonly #permissions: Permissions;
  readonly #elicitations: Elicitations;
  readonly #log: Log;
  readonly #changes = new SessionChanges();

  constructor(
    spec: AgentSpec,
    events: AgentEvents,
    permissions: Permissions,
    elicitations: Elicitations,
    log: Log,
  ) {
    this.#spec = spec;
    this.#permissions = permissions;
    this.#elicitations = elicitations;
    this.#log = log;
    this.updates = new Updates((sessionId, heard) => {
      if (heard.on === "update") events.update(sessionId, heard.update);
      else events.session?.(sessionId, heard.change);
    });
    this.terminals = new TerminalViews((sessionId, update) =>
      this.updates.receive(sessionId, { on: "update", update }),
    );
  }

  /** True when the message needs no answer and is done with. */
  heard({ method, params, id }: Fields): boolean {
    switch (method) {
      case methods.client.session.update:
        this.#updated(fields(params) ?? {});
        return true;
      case methods.client.elicitation.complete:
        this.#elicitations.completed(params);
        return true;
      case accountTold:
        this.account.heard(params);
        return true;
      case methods.client.session.requestPermission:
        if (isId(id)) this.#permissions.asked(id, params);
        return false;
      case methods.client.elicitation.create:
        if (isId(id)) this.#elicitations.questions.asked(id, params);
        return false;
      default:
        return false;
    }
  }

  #updated(params: Fields): void {
    const sessionId = text(params["sessionId"]) ?? "";
    const given = fields(params["update"]) ?? {};
    const change = this.#changes.read(given);
    if (change !== undefined) {
      if (change.kind === "options")
        this.options.replace(sessionId, change.options);
      this.updates.receive(sessionId, { on: "session", change });
      return;
    }
    const update = this.#translated(sessionId, given);
    if (update === undefined) return;
    this.updates.receive(sessionId, { on: "update", update });
    if (update.kind === "mode") this.#modeChanged(sessionId, update.modeId);
  }

  #translated(sessionId: string, given: Fields): AgentUpdate | undefined {
    const update = translate(given);
    if (update?.kind === "unknown") {
      const { name } = update;
      this.#log.info("agent.unknownUpdate", { agent: this.#spec.id, name });
    }
    return update?.kind === "tool"
      ? this.terminals.fill(sessionId, update, fields(given["_meta"]))
      : update;
  }

  #modeChanged(sessionId: string, modeId: string): void {
    const options = this.options.modeChanged(sessionId, modeId);
    if (options === undefined) return;
    const change = { kind: "options" as const, options };
    this.updates.receive(sessionId, { on: "session", change });
  }
}

function isId(id: unknown): id is string | number {
  return typeof id === "string" || typeof id === "number";
}
