import { asError } from "../../util/asError.ts";
import type { Reply, Request, ThreadEvent } from "./events.ts";

/** An event in the mailbox: made when its turn comes, from what the store holds then. */
export interface Entry {
  readonly name: string;
  readonly make: (at: number) => ThreadEvent | Promise<ThreadEvent>;
  readonly reply: (reply: Reply) => void;
  /** Asked for from outside: tried once more after a failure of the runner, and answered in any case. */
  readonly asked: boolean;
  readonly again?: true;
}

/** Something to do between two events. */
export interface Reading {
  readonly name: "read";
  readonly run: () => Promise<void>;
}

export type Job = Entry | Reading;

/** An event that nobody waits for; it gets its time when its turn comes. */
export function inner(event: ThreadEvent): Entry {
  return {
    name: event.kind,
    make: (at) => ({ ...event, at }),
    reply: () => undefined,
    asked: false,
  };
}

/** Brings a bug that showed itself elsewhere to the runner. */
export function failing(error: Error): Entry {
  return {
    ...inner({ kind: "dispatch", at: 0 }),
    make: () => Promise.reject(error),
  };
}

/** Something to be read between two events, and what comes of it. */
export function reading<T>(read: () => Promise<T>): {
  readonly job: Reading;
  readonly result: Promise<T>;
} {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const run = (): Promise<void> =>
    read().then(resolve, (error: unknown) => reject(asError(error)));
  return { job: { name: "read", run }, result: promise };
}

/** A request, or one that is made from what the store holds when its turn comes. */
export function asked(
  make: Request | (() => Promise<Request>),
  reply: (reply: Reply) => void,
): Entry {
  return {
    name: typeof make === "function" ? "request" : make.kind,
    asked: true,
    reply,
    make: async (at) => ({
      ...(typeof make === "function" ? await make() : make),
      at,
    }),
  };
}
