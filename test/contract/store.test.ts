import fs from "node:fs/promises";
import type { Faults } from "../../src/history/operations.ts";
import { storeContract } from "./storeContract.ts";
import type { Opened } from "./storeSubject.ts";
import { MemoryStore } from "../fakes/memoryStore.ts";
import { mustOpen, newFolder } from "../fakes/realStore.ts";

async function onDisk(faults: Faults = {}): Promise<Opened> {
  const folder = await newFolder();
  const store = await mustOpen(folder, { faults });
  return {
    store,
    end: async () => {
      await store.close();
      await fs.rm(folder, { recursive: true });
    },
  };
}

describe("the memory store", () => {
  storeContract(() =>
    Promise.resolve({ store: new MemoryStore(), end: () => Promise.resolve() }),
  );
});

describe("the store on disk", () => {
  storeContract(() => onDisk());
});

describe("the store on disk without a full-text index", () => {
  storeContract(() => onDisk({ noFullText: true }));
});
