import assert from "node:assert/strict";
import type * as vscode from "vscode";
import type { ConfigOption } from "../../../src/core/agentFeatures.ts";
import { OptionMemory } from "../../../src/host/optionMemory.ts";

const mode: ConfigOption = {
  id: "mode",
  name: "Mode",
  type: "select",
  value: "ask",
  groups: [
    {
      choices: [
        { value: "ask", name: "Ask" },
        { value: "plan", name: "Plan" },
      ],
    },
  ],
};
const fast: ConfigOption = {
  id: "fast",
  name: "Fast",
  type: "boolean",
  value: false,
};

describe("options of agents that do not run", () => {
  const kept = new Map<string, unknown>();
  const memory = new OptionMemory({
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => {
      kept.set(key, structuredClone(value));
      return Promise.resolve();
    },
  } as unknown as vscode.Memento);

  beforeEach(() => kept.clear());

  it("are those it last offered, with what the user chose since", () => {
    memory.offers("a", [mode, fast]);
    assert.deepEqual(memory.offered("a"), [mode, fast]);
    memory.set("a", "mode", "plan");
    memory.set("a", "fast", true);
    assert.deepEqual(memory.offered("a"), [
      { ...mode, value: "plan" },
      { ...fast, value: true },
    ]);
    assert.deepEqual(memory.offered("b"), []);
  });

  it("keep their own value where the chosen one is not offered any more", () => {
    memory.offers("a", [mode]);
    memory.set("a", "mode", "gone");
    assert.deepEqual(memory.offered("a"), [mode]);
  });

  it("are none where what was kept does not fit", () => {
    kept.set("turnline.offeredOptions", { a: [{ id: 1 }] });
    assert.deepEqual(memory.offered("a"), []);
  });

  it("are not forgotten when a session tells of none", () => {
    memory.offers("a", [mode]);
    memory.offers("a", []);
    assert.deepEqual(memory.offered("a"), [mode]);
  });
});
