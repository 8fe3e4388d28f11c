import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import type { Reply } from "./reply.ts";

export type Json = Readonly<Record<string, unknown>>;
export type CallKind = "conversation" | "title" | "suggestion" | "guardian";

/** One request an agent made. */
export interface ModelCall {
  readonly kind: CallKind;
  readonly body: Json;
  readonly bytes: number;
  /** The texts of each user turn, in order. */
  readonly userTurns: readonly (readonly string[])[];
  /** Those of the last. */
  readonly userTexts: readonly string[];
}

/** How one vendor's API reads and speaks. */
export interface ModelApi {
  readonly path: string;
  kindOf(body: Json): CallKind;
  userTurns(body: Json): readonly (readonly string[])[];
  error(status: number, message: string): unknown;
  /** The events of a reply up to its end, each a line or a pause. */
  events(reply: Reply, call: number): Iterable<StreamStep>;
}

export type StreamStep =
  | { readonly event: string; readonly data: Json }
  | { readonly pauseMs: number };

const apis: readonly ModelApi[] = [claude, codex];

/** A model API on 127.0.0.1 whose words are scripted per test and whose requests are kept. */
export class ScriptedModel {
  readonly calls: ModelCall[] = [];
  /** Requests to anything but the model. */
  readonly others: string[] = [];
  /** Calls whose connection the agent closed before the reply had come to its end. */
  readonly left: ModelCall[] = [];
  /** What it says when the script has run out. */
  fallback: Reply = { text: "Done." };
  readonly #server: Server;
  #script: Reply[] = [];
  readonly #waiting: (() => void)[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<ScriptedModel> {
    const server = createServer();
    const model = new ScriptedModel(server);
    server.on("request", (request, response) => {
      model.#serve(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The replies to the next calls of the conversation, in order. */
  script(...replies: readonly Reply[]): void {
    this.#script.push(...replies);
  }

  /** Forgets what is left of the script: the agent never asked. */
  drop(): void {
    this.#script = [];
  }

  /** Calls of the conversation itself: no titles, suggestions or reviews. */
  conversation(): readonly ModelCall[] {
    return this.calls.filter(({ kind }) => kind === "conversation");
  }

  /** Settles when the conversation has had so many calls. */
  async untilCalls(count: number): Promise<void> {
    while (this.conversation().length < count) await this.#news();
  }

  /** Settles when the agent has closed so many calls before their end. */
  async untilLeft(count: number): Promise<void> {
    while (this.left.length < count) await this.#news();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const body = await readBody(request);
    const path = (request.url ?? "").split("?")[0];
    const api = apis.find((one) => one.path === path);
    if (request.method !== "POST" || api === undefined) {
      this.others.push(`${request.method ?? ""} ${request.url ?? ""}`);
      answer(response, 404, { error: { message: "not here" } });
      return;
    }
    const parsed = JSON.parse(body) as Json;
    const kind = api.kindOf(parsed);
    const userTurns = api.userTurns(parsed);
    const call = {
      kind,
      body: parsed,
      bytes: Buffer.byteLength(body),
      userTurns,
      userTexts: userTurns.at(-1) ?? [],
    };
    this.calls.push(call);
    const reply =
      kind === "conversation"
        ? (this.#script.shift() ?? this.fallback)
        : sideReply(kind);
    response.on("close", () => {
      if (response.writableEnded || reply.then === "cut") return;
      this.left.push(call);
      this.#tell();
    });
    this.#tell();
    await speak(api, reply, this.calls.length, response);
  }

  #news(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #tell(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

async function speak(
  api: ModelApi,
  reply: Reply,
  call: number,
  response: ServerResponse,
): Promise<void> {
  if (reply.status !== undefined) {
    const said = api.error(reply.status, reply.message ?? "scripted failure");
    answer(response, reply.status, said);
    return;
  }
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "request-id": `req_${call}`,
  });
  for (const step of api.events(reply, call)) {
    if (response.destroyed) return;
    if ("pauseMs" in step) await sleep(step.pauseMs);
    else
      response.write(
        `event: ${step.event}\ndata: ${JSON.stringify(step.data)}\n\n`,
      );
  }
  if (reply.then === "cut") response.destroy();
  else if (reply.then === undefined) response.end();
}

/** Calls beside the conversation get an answer of the form they ask for. */
function sideReply(kind: Exclude<CallKind, "conversation">): Reply {
  switch (kind) {
    case "title":
      return { text: JSON.stringify({ title: "A scripted title" }) };
    case "suggestion":
      return { text: "" };
    case "guardian":
      return { text: JSON.stringify({ outcome: "allow" }) };
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
