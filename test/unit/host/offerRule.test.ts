import assert from "node:assert/strict";
import type { Brought } from "../../../src/core/recordPort.ts";
import type { Thread } from "../../../src/core/thread.ts";
import {
  offerOnce,
  tellBrought,
  type Elsewhere,
} from "../../../src/host/offerRule.ts";
import { threadOf } from "../../fakes/recordBuilder.ts";

describe("the offer to bring threads", () => {
  const one: Elsewhere = {
    bring: () => Promise.resolve({ kind: "inUse" }),
  };
  let threads: readonly Thread[] = [];
  let readOnly: string | null = null;
  let found: readonly Elsewhere[] = [];
  let offers: (readonly Elsewhere[])[] = [];
  let look: () => void;
  beforeEach(() => {
    [threads, readOnly, found, offers] = [[], null, [], []];
    look = offerOnce(
      {
        engine: { threads: () => threads },
        home: {
          get readOnly() {
            return readOnly;
          },
        },
      },
      () => found,
      (elsewhere) => offers.push(elsewhere),
    );
  });

  it("is made when the folder turns out to be known, and once", () => {
    look();
    assert.deepEqual(offers, []);
    found = [one];
    look();
    look();
    assert.deepEqual(offers, [[one]]);
  });

  it("is not made where there are threads, nor where nothing can be written", () => {
    found = [one];
    threads = [threadOf("t")];
    look();
    [threads, readOnly] = [[], "Another window writes."];
    look();
    assert.deepEqual(offers, []);
    readOnly = null;
    look();
    assert.equal(offers.length, 1, "it was only put off");
  });

  const brought = (threads: number, ...failed: string[]): Brought => ({
    ...{ kind: "brought", threads, failed },
  });
  const inUse: Brought = { kind: "inUse" };
  const cases: readonly (readonly [
    outcomes: readonly Brought[],
    text: RegExp,
    complete: boolean,
  ])[] = [
    [[brought(1)], /^Brought 1 thread\.$/, true],
    [[brought(2), brought(1)], /^Brought 3 threads\.$/, true],
    [[brought(0), inUse], /^Brought 0 threads\. The other workspace is/, false],
    [[brought(2, "x: bad")], /could not be read: x: bad\.$/, false],
  ];
  for (const [outcomes, text, complete] of cases)
    it(`tells of ${JSON.stringify(outcomes)}`, () => {
      const told = tellBrought(outcomes);
      assert.match(told.text, text);
      assert.equal(told.complete, complete);
    });
});
