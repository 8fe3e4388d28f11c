import assert from "node:assert/strict";
import type { History } from "../../src/core/recordPort.ts";
import { Engine } from "../../src/history/engine.ts";
import { openFile } from "../../src/history/opening.ts";
import type { OpenOptions, OpenResult } from "../../src/history/opening.ts";
import type {
  Operation,
  Operations,
  Result,
} from "../../src/history/operations.ts";
import type { Sliced } from "../../src/history/slices.ts";

/** What only the record's owner asks for. */
type Upkeep = {
  readonly [K in "adopt" | "retain" | "maintain"]: (
    ...parameters: Parameters<Operations[K]>
  ) => Promise<Result<K>>;
};

export interface DirectStore {
  readonly store: History & Upkeep;
  readonly result: Extract<OpenResult, { ok: true }>;
  readonly integrity: () => string;
  readonly close: () => void;
}

/** The real store without its worker: for tests that open hundreds of files. */
export function openDirect(
  folder: string,
  options: Pick<OpenOptions, "hook" | "migrations"> = {},
): DirectStore {
  const { result, connection, fullText } = openFile({
    ...options,
    folder,
    mode: "write",
  });
  assert.ok(result.ok && connection, JSON.stringify(result));
  const engine = new Engine(connection, {
    file: result.path,
    readOnly: false,
    fullText: fullText === true,
    statements: () => 0,
    onDamage: (detail) => assert.fail(detail),
  });
  const calls = engine as unknown as Record<
    Operation,
    (...list: readonly unknown[]) => unknown
  >;
  const store = new Proxy(
    {},
    {
      get:
        (_, operation) =>
        (...parameters: readonly unknown[]): Promise<unknown> =>
          Promise.resolve(
            finished(calls[operation as Operation](...parameters)),
          ),
    },
  ) as DirectStore["store"];
  return {
    store,
    result,
    integrity: () => engine.integrity(),
    close: () => engine.close(),
  };
}

/** Runs long work to its end at once. */
export function finished(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null || !("next" in answer))
    return answer;
  const work = answer as Sliced<unknown>;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
