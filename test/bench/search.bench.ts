import fs from "node:fs/promises";
import type { Write } from "../../src/core/writes.ts";
import { mustOpen, newFolder } from "../fakes/realStore.ts";
import { at, body, write } from "../fakes/recordBuilder.ts";
import type { Figure } from "./figure.ts";

const [few, many] = [1_000, 100_000];
const perBatch = 20;
const words = "lorem ipsum dolor sit amet consectetur adipiscing elit".split(
  " ",
);
const questions = ["lorem", "dolor si", "needle", "amet elit", "ip"];

/** How the first results of a search grow with what there is to search. */
export async function bench(): Promise<readonly Figure[]> {
  const [small, large] = [await filled(few), await filled(many)];
  try {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < 9; round++)
      for (const text of questions) {
        times[0].push(await small.ask(text));
        times[1].push(await large.ask(text));
      }
    const [one, other] = [median(times[0]), median(times[1])];
    return [
      { name: "search.growth", value: other / one, unit: "x", limit: 3 },
      { name: "search.ms", value: other, unit: "ms", limit: null },
    ];
  } finally {
    await small.close();
    await large.close();
  }
}

interface Filled {
  ask(text: string): Promise<number>;
  close(): Promise<void>;
}

async function filled(count: number): Promise<Filled> {
  const folder = await newFolder();
  const store = await mustOpen(folder);
  await store.commit([write.thread("t")], "normal");
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
      for (let m = first + 1; m < first + perBatch; m++)
        writes.push(write.append(`m${m}`, m, batch, body.agent(text(m))));
    }
    const answer = await store.commit(writes, "normal");
    if (!answer.ok) throw new Error(JSON.stringify(answer));
  }
  const ask = async (asked: string): Promise<number> => {
    const start = performance.now();
    await store.search({ text: asked, limit: 60 });
    return performance.now() - start;
  };
  // The first search makes up what the index still lacks.
  await ask("lorem");
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
  return `${n % 500 === 0 ? "needle " : ""}${some.join(" ")} ${n}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
