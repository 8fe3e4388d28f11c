import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk/unstable";
import { Lines } from "./lines.ts";
import { fields, type Fields } from "./parse.ts";
import { t } from "../util/l10n.ts";

export interface StreamEvents {
  /** Something came, whatever it is. */
  traffic(): void;
  /** Each message, in the order the agent spoke. True takes it out of the stream: the SDK never sees it. */
  message(message: Fields): boolean;
  /** A line that is no message; the SDK would answer it with an error. */
  garbage(line: string): void;
  /** The agent's output cannot be followed any more. */
  broken(reason: string): void;
  /** Each message either way, for who wants to look. */
  trace?(direction: TraceDirection, message: unknown): void;
}

export type TraceDirection = "sent" | "received";

export interface AgentStream {
  readonly stream: Stream;
  /** No more will come; gives the SDK its end. */
  end(): void;
}

const maxLineBytes = 64 * 1024 * 1024;

/** JSON lines over a process's pipes, with every message seen in order before the SDK has it. */
export function openStream(
  child: ChildProcessWithoutNullStreams,
  events: StreamEvents,
): AgentStream {
  const lines = new Lines(maxLineBytes);
  let controller: ReadableStreamDefaultController<AnyMessage> | undefined;
  const readable = new ReadableStream<AnyMessage>({
    start(given) {
      controller = given;
    },
    cancel() {
      controller = undefined;
    },
  });
  const take = (line: string): void => {
    if (line.trim() === "") return;
    const message = parse(line);
    if (message !== undefined) events.trace?.("received", message);
    if (message === undefined) events.garbage(line);
    else if (!events.message(message))
      controller?.enqueue(message as AnyMessage);
  };
  child.stdout.on("data", (piece: Buffer) => {
    events.traffic();
    const complete = lines.push(piece);
    if (complete === undefined) {
      child.stdout.removeAllListeners("data").resume();
      events.broken(
        t("a line of its output is longer than {0} bytes", maxLineBytes),
      );
    } else complete.forEach(take);
  });
  const writable = new WritableStream<AnyMessage>({
    write: (message) =>
      new Promise((resolve, reject) => {
        events.trace?.("sent", message);
        child.stdin.write(`${JSON.stringify(message)}\n`, (error) => {
          if (error) reject(error);
          else resolve();
        });
      }),
  });
  return {
    stream: { readable, writable },
    end() {
      take(lines.flush());
      controller?.close();
      controller = undefined;
    },
  };
}

/** A JSON-RPC message, or undefined. One without its version, or with an empty error beside its result, is taken as meant. */
function parse(line: string): Fields | undefined {
  let value: Fields | undefined;
  try {
    value = fields(JSON.parse(line));
  } catch {
    return undefined;
  }
  if (value === undefined) return undefined;
  if (typeof value["method"] === "string") return { ...value, jsonrpc: "2.0" };
  const { id, result, error } = value;
  if (id === undefined || id === null) return undefined;
  if (fields(error) !== undefined) return { jsonrpc: "2.0", id, error };
  return "result" in value ? { jsonrpc: "2.0", id, result } : undefined;
}
