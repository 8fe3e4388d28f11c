import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { Readable, Writable } from "node:stream";
import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
} from "@agentclientprotocol/sdk/unstable";
import type { Write } from "../../src/core/writes.ts";
import { mustOpen, newFolder } from "../fakes/realStore.ts";
import { at, body, threadOf, user, write } from "../fakes/recordBuilder.ts";
import { startEngine } from "./benchHost.ts";
import type { Figure } from "./figure.ts";
import { fill } from "./store.bench.ts";

const agent = path.join(import.meta.dirname, "suites", "stampAgent.mjs");
const thread = "t0";
const blocks = [
  { type: "text", text: "A message as people type them" },
] as const;
const warmUp = 50;
const perRound = 20;
const leastRounds = 20;
const mostRounds = 100;
/** How far apart the middle half of the ratios may lie, as a part of their median, for that to be believed. */
const closeEnough = 0.1;

/** Something that takes a message and tells when its prompt reached the agent's input, in nanoseconds from the start. */
interface Way {
  send(): Promise<number>;
  close(): Promise<void>;
}

/**
 * What stands between `submit` and the agent's input, against the least there could be: the SDK's own client
 * after one durable commit of the same rows. And whether it grows with what is stored.
 */
export async function bench(): Promise<readonly Figure[]> {
  const folders = [await newFolder(), await newFolder(), await newFolder()];
  const [bareFolder = "", small = "", large = ""] = folders;
  await fill(small, 100);
  await fill(large, 100_000);
  const ways = [
    await bare(bareFolder),
    await turnline(small),
    await turnline(large),
  ];
  try {
    const [overhead = [], growth = []] = await inRounds(ways);
    return [
      ratio("dispatch.overhead", overhead),
      ratio("dispatch.overhead.growth", growth),
    ];
  } finally {
    for (const way of ways) await way.close();
    for (const folder of folders) await fs.rm(folder, { recursive: true });
  }
}

/**
 * Each way against the one before it. They take messages by turns, so that whatever else the machine does weighs on all
 * alike; a round tells of each the time of a message that little got in the way of, and rounds go on until they agree.
 */
async function inRounds(ways: readonly Way[]): Promise<number[][]> {
  const ratios = ways.slice(1).map((): number[] => []);
  for (let n = 0; n < warmUp; n++) for (const way of ways) await way.send();
  const agree = (): boolean =>
    ratios.every((list) => spread(list) <= closeEnough);
  for (let round = 0; round < mostRounds; round++) {
    if (round >= leastRounds && agree()) break;
    const times = ways.map((): number[] => []);
    for (let n = 0; n < perRound; n++)
      for (const [index, way] of ways.entries())
        times[index]?.push(await way.send());
    const low = times.map((list) => quantile(list, 0.2));
    for (const [index, list] of ratios.entries())
      list.push((low[index + 1] ?? NaN) / (low[index] ?? NaN));
  }
  return ratios;
}

/** The SDK's client, and one durable commit before each prompt. */
async function bare(folder: string): Promise<Way> {
  const store = await mustOpen(folder);
  await store.commit([{ kind: "thread", thread: threadOf(thread) }], "full");
  const child = spawn(process.execPath, [agent], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let heard = 0n;
  const connection = client({ name: "bare" })
    .onNotification(
      methods.client.session.update,
      (params) => params as { update: { content: { text: string } } },
      ({ params }) => {
        heard = BigInt(params.update.content.text);
      },
    )
    .connect(
      ndJsonStream(
        Writable.toWeb(child.stdin),
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      ),
    );
  const peer = connection.agent;
  await peer.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
  });
  const { sessionId } = await peer.request(methods.agent.session.new, {
    cwd: folder,
    mcpServers: [],
  });
  let n = 0;
  return {
    async send() {
      const from = process.hrtime.bigint();
      await store.commit(intent((n += 3)), "full");
      await peer.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [...blocks],
      });
      await new Promise((resolve) => setImmediate(resolve));
      return Number(heard - from);
    },
    async close() {
      connection.close();
      child.kill();
      await store.close();
    },
  };
}

/** The message and the intent to send it: what has to be on disk before the agent may see a byte. */
function intent(n: number): readonly Write[] {
  const id = randomUUID();
  const [arrived, position, start] = [n, n + 1, n + 2];
  return [
    write.accept(id, arrived, { thread, blocks }),
    write.claim(at(position), [[id, position]]),
    write.append(
      ...([randomUUID(), start, at(position)] as const),
      ...([body.start([at(position)]), {}, thread] as const),
    ),
    write.state("sent", id),
  ];
}

/** The engine on the real store and a real agent, with no fragments: what the user adds is not what is measured. */
async function turnline(folder: string): Promise<Way> {
  const store = await mustOpen(folder);
  const engine = await startEngine(store, agent);
  await engine.setFolder(thread, folder);
  return {
    send() {
      const { promise, resolve } = Promise.withResolvers<number>();
      let heard = 0n;
      const stop = engine.onChange((change) => {
        if (change.thread !== thread) return;
        if (change.kind === "message" && change.message.body.kind === "agent")
          heard = BigInt(change.message.body.text);
        if (change.kind !== "turn" || change.turn !== null) return;
        stop();
        resolve(Number(heard - from));
      });
      const from = process.hrtime.bigint();
      void engine.submit(thread, { id: randomUUID(), sender: user, blocks });
      return promise;
    },
    async close() {
      await engine.dispose();
      await store.close();
    },
  };
}

function ratio(name: string, ratios: readonly number[]): Figure {
  return { name, value: quantile(ratios, 0.5), unit: "×", limit: 1.5 };
}

function spread(list: readonly number[]): number {
  const half = quantile(list, 0.75) - quantile(list, 0.25);
  return half / quantile(list, 0.5);
}

function quantile(list: readonly number[], part: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)] ?? NaN;
}
