import type { Block, Message } from "../../src/core/message.ts";
import type { Write } from "../../src/core/writes.ts";
import { at, body, timeAt, user, write } from "./recordBuilder.ts";
import type { Commit } from "./recordScenario.ts";

/** A short life in which everything happens that is ever written, each as the dispatcher commits it. */
export function everyKind(): readonly Commit[] {
  const full = (...writes: readonly Write[]): Commit => ({
    writes,
    durability: "full",
  });
  const streamed = (...writes: readonly Write[]): Commit => ({
    writes,
    durability: "normal",
  });
  const sent = (id: string, n: number): readonly Write[] => [
    write.claim(at(n), [[id, n]]),
    write.state("sent", id),
    write.append(`${id}-start`, n + 1, at(n), body.start([at(n)])),
  ];
  const call = body.call("c1");
  return [
    full(write.thread("t"), write.thread("x")),
    full(
      blob,
      write.accept("m1", 1, {
        blocks: [
          { type: "text", text: "look at the parser" },
          picture("hash0"),
        ],
      }),
      ...sent("m1", 2),
    ),
    full(write.append("a1", 4, at(2), body.agent("Hel"))),
    streamed({ kind: "text", id: "a1", offset: 3, text: "lo" }),
    streamed(write.append("c1", 5, at(2), call)),
    full(write.accept("m2", 6), write.accept("m3", 7)),
    full(
      {
        kind: "rank",
        ranks: [
          { id: "m3", rank: 1 },
          { id: "m2", rank: 2 },
        ],
      },
      {
        kind: "edit",
        id: "m2",
        blocks: [{ type: "text", text: "rather this" }],
        marks: { separate: true },
      },
    ),
    streamed(
      { kind: "body", id: "c1", body: { ...call, status: "completed" } },
      write.append("r1", 8, at(2), body.result("c1")),
    ),
    // The end of a turn: states, terminal record and cursor together.
    full(
      { kind: "text", id: "a1", offset: 5, text: ", all of it" },
      write.state("delivered", "m1"),
      write.append("m1-end", 9, at(2), body.end()),
      write.session("t", { cursor: at(2), ledger: { todo: "h" } }),
    ),
    full(write.claim(at(10), [["m2", 10]])),
    full(write.requeue("m2", 2)),
    full(...sent("m2", 11)),
    full(write.append("a2", 13, at(11), body.agent("half"))),
    full(
      write.state("seenAborted", "m2"),
      write.append("m2-end", 14, at(11), body.end("interrupted")),
      write.session("t", { state: "suspended" }),
    ),
    full(...sent("m3", 15)),
    full(
      write.state("uncertain", "m3"),
      write.append("m3-end", 17, at(15), body.end("interrupted")),
    ),
    full(
      write.accept("m4", 18, { retryOf: "m2" }),
      ...sent("m4", 19),
      write.state("superseded", "m2"),
    ),
    full(
      write.state("delivered", "m4"),
      write.append("m4-end", 21, at(19), body.end()),
    ),
    full(write.state("discarded", "m3")),
    full({ kind: "import", messages: imported }),
    full({
      kind: "archive",
      archive: {
        ...{ id: "r", thread: "t", batches: [at(2)], text: "in short" },
        createdAt: timeAt(22),
      },
    }),
    full({ kind: "unarchive", id: "r" }),
    full({ kind: "deleteThread", thread: "x", at: timeAt(23) }),
    full({ kind: "restoreThread", thread: "x" }),
    full(write.thread("t", { title: "Renamed", archived: true })),
    full(
      write.thread("y"),
      { ...blob, hash: clearedBlob },
      write.accept("y1", 40, { thread: "y", blocks: [picture(clearedBlob)] }),
      write.session("y"),
    ),
    // It stays deleted, for its rows to be cleared away.
    full({ kind: "deleteThread", thread: "y", at: timeAt(41) }),
  ];
}

/** Used only in a thread that is deleted in the end. */
export const clearedBlob = "hash of y";

function picture(hash: string): Block {
  return { type: "image", mimeType: "image/png", blob: hash, bytes: 3 };
}

const blob: Extract<Write, { kind: "blob" }> = {
  kind: "blob",
  hash: "hash0",
  mimeType: "image/png",
  data: new Uint8Array([1, 2, 3]),
};

const imported: readonly Message[] = [
  {
    id: "i1",
    thread: "x",
    arrived: at(30),
    rank: null,
    position: at(30),
    batch: at(30),
    sequence: 0,
    batchType: "user_request",
    parentBatch: null,
    retryOf: null,
    sender: user,
    state: "delivered",
    marks: {},
    body: { kind: "user", blocks: [{ type: "text", text: "from elsewhere" }] },
  },
];
