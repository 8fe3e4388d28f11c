import fs from "node:fs/promises";
import type { SearchQuery } from "../../src/core/recordPort.ts";
import type { Write } from "../../src/core/writes.ts";
import { mustOpen, newFolder } from "../fakes/realStore.ts";
import { at, body, timeAt, write } from "../fakes/recordBuilder.ts";
import type { Figure } from "./figure.ts";

const [few, many] = [1_000, 100_000];
const perBatch = 20;
const words = "lorem ipsum dolor sit amet consectetur adipiscing elit".split(
  " ",
);
/** Less is the way to the store's thread and back, which says nothing about the search. */
const leastMs = 0.5;
type Question = Omit<SearchQuery, "limit">;
/** By words, by what nothing passes, by what little passes, and in writing without spaces. */
const questions: readonly Question[] = [
  { text: "lorem" },
  { text: "dolor si" },
  { text: "needle" },
  { text: "amet elit" },
  { text: "ip" },
  { text: "漢字" },
  { text: "", has: "diff" },
  { text: "", before: timeAt(0) - 1_000 },
  { text: "", agents: ["nobody"] },
  { text: "", threads: ["old"] },
  { text: "", threads: ["t"], before: timeAt(0) - 1_000 },
  { text: "lorem", has: "diff" },
  { text: "lorem", threads: ["old"] },
  { text: "lorem", agents: ["nobody"] },
  { text: "lorem", before: timeAt(0) - 1_000 },
  { text: "漢字", threads: ["t"] },
];

/** How the first answer to a search grows with what there is to search: that of the question it grows most for. */
export async function bench(): Promise<readonly Figure[]> {
  const [small, large] = [await filled(few), await filled(many)];
  try {
    const all: { readonly growth: number; readonly ms: number }[] = [];
    for (const question of questions) {
      const times: [number[], number[]] = [[], []];
      for (let round = 0; round < 15; round++) {
        times[0].push(await small.ask(question));
        times[1].push(await large.ask(question));
      }
      const [one = 0, other = 0] = times.map((some) =>
        Math.max(leastMs, median(some)),
      );
      all.push({ growth: other / one, ms: other });
      if (process.env["TURNLINE_DETAILS"] !== undefined)
        console.log(JSON.stringify(question), one.toFixed(2), other.toFixed(2));
    }
    const growth = Math.max(...all.map((one) => one.growth));
    const ms = Math.max(...all.map((one) => one.ms));
    return [
      { name: "search.growth", value: growth, unit: "x", limit: 3 },
      { name: "search.ms", value: ms, unit: "ms", limit: null },
    ];
  } finally {
    await small.close();
    await large.close();
  }
}

interface Filled {
  ask(question: Question): Promise<number>;
  close(): Promise<void>;
}

async function filled(count: number): Promise<Filled> {
  const folder = await newFolder();
  const store = await mustOpen(folder);
  const old = write.accept("old", -5, { thread: "old", text: "lorem old" });
  await store.commit([write.thread("t"), write.thread("old"), old], "normal");
  for (let n = 0; n < count; n += perBatch * 50) {
    const writes: Write[] = [];
    for (
      let first = n;
      first < Math.min(count, n + perBatch * 50);
      first += perBatch
    ) {
      const batch = at(first);
      writes.push(
        write.accept(`m${first}`, first, { text: text(first) }),
        write.claim(batch, [[`m${first}`, first]]),
      );
      const end = first + perBatch - 1;
      for (let m = first + 1; m < end; m++)
        writes.push(write.append(`m${m}`, m, batch, body.agent(text(m))));
      // Only what is settled is searched.
      writes.push(write.append(`m${end}`, end, batch, body.end()));
    }
    const answer = await store.commit(writes, "normal");
    if (!answer.ok) throw new Error(JSON.stringify(answer));
  }
  const ask = async (question: Question): Promise<number> => {
    const start = performance.now();
    await store.search({ ...question, limit: 60 });
    return performance.now() - start;
  };
  // The first search makes up what the index still lacks.
  await ask({ text: "lorem" });
  return {
    ask,
    close: async () => {
      await store.close();
      await fs.rm(folder, { recursive: true, force: true });
    },
  };
}

function text(n: number): string {
  const some = Array.from(
    { length: 12 },
    (_, index) => words[(n * 7 + index * 3) % words.length] ?? "",
  );
  return `${n < 20 ? "needle " : ""}${some.join(" ")} ${n}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
