import { readingContract } from "./storeReading.ts";
import { recordsContract } from "./storeRecords.ts";
import { Subject } from "./storeSubject.ts";
import type { Opened } from "./storeSubject.ts";
import { writingContract } from "./storeWriting.ts";

/** What every store must do, whatever it keeps its rows in. */
export function storeContract(open: () => Promise<Opened>): void {
  const on = new Subject(open);
  writingContract(on);
  recordsContract(on);
  readingContract(on);
}
