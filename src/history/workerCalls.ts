import type { Worker } from "node:worker_threads";
import { assertNever } from "../util/assertNever.ts";
import type { OpenResult } from "./opening.ts";
import type {
  Operation,
  Operations,
  Reply,
  Request,
  Result,
} from "./operations.ts";
import type { Trouble } from "./sqliteError.ts";

/** Why something could not be read. */
export class StoreFailure extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble, detail: string) {
    super(detail);
    this.name = "StoreFailure";
    this.trouble = trouble;
  }
}

export interface WorkerEvents {
  damaged(detail: string): void;
  /** It died after it had opened, and nobody had asked it to close. */
  lost(detail: string): void;
}

/** Questions to the worker and its answers. Every promise settles, also when the worker dies. */
export class WorkerCalls {
  readonly opened: Promise<OpenResult>;
  readonly #worker: Worker;
  readonly #events: WorkerEvents;
  readonly #waiting = new Map<
    number,
    { resolve(value: unknown): void; reject(error: StoreFailure): void }
  >();
  readonly #exited: Promise<void>;
  readonly #open = Promise.withResolvers<OpenResult>();
  #count = 0;
  #isOpen = false;
  #closing = false;
  #ended: string | undefined;

  constructor(worker: Worker, events: WorkerEvents) {
    this.#worker = worker;
    this.#events = events;
    this.opened = this.#open.promise;
    worker.on("message", (reply: Reply) => this.#take(reply));
    worker.on("error", (error) => this.#end(String(error)));
    this.#exited = new Promise((resolve) => {
      worker.once("exit", () => {
        this.#end(
          this.#closing ? "the store has been closed" : "its worker has ended",
        );
        resolve();
      });
    });
  }

  ask<K extends Operation>(
    operation: K,
    ...parameters: Parameters<Operations[K]>
  ): Promise<Result<K>> {
    if (this.#ended !== undefined)
      return Promise.reject(new StoreFailure("failed", this.#ended));
    this.#count += 1;
    const id = this.#count;
    const request: Request = { id, operation, parameters };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {
        // The worker answers with what the operation gives; the types are joined here, once.
        resolve: (value) => resolve(value as Result<K>),
        reject,
      });
      this.#worker.postMessage(request);
    });
  }

  /** Settles when the worker is gone and the file is free. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#ended === undefined)
      await this.ask("close").catch(() => undefined);
    await this.#exited;
  }

  #take(reply: Reply): void {
    switch (reply.kind) {
      case "opened":
        this.#isOpen = reply.result.ok;
        this.#open.resolve(reply.result);
        return;
      case "damage":
        this.#events.damaged(reply.detail);
        return;
      case "answer":
        this.#settle(reply.id)?.resolve(reply.value);
        return;
      case "failure":
        this.#settle(reply.id)?.reject(
          new StoreFailure(reply.trouble, reply.detail),
        );
        return;
      default:
        assertNever(reply);
    }
  }

  #settle(
    id: number,
  ):
    | { resolve(value: unknown): void; reject(error: StoreFailure): void }
    | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #end(detail: string): void {
    const lost = this.#isOpen && !this.#closing && this.#ended === undefined;
    this.#ended ??= detail;
    this.#open.resolve({ ok: false, reason: "failed", path: "", detail });
    for (const id of [...this.#waiting.keys()])
      this.#settle(id)?.reject(new StoreFailure("failed", this.#ended));
    if (lost) this.#events.lost(this.#ended);
  }
}
