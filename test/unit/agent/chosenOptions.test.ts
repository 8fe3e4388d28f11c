import assert from "node:assert/strict";
import { choose } from "../../../src/agent/chosenOptions.ts";
import type { ConfigOption } from "../../../src/core/agentFeatures.ts";
import { silentLog } from "../../contract/agentHarness.ts";

const mode = (value: string): ConfigOption => ({
  ...{ id: "mode", name: "Mode", type: "select", value },
  groups: [{ choices: [{ value: "ask", name: "Ask" }] }],
});
const loud = (value: boolean): ConfigOption => ({
  ...{ id: "loud", name: "Loud", type: "boolean", value },
});

describe("options chosen before", () => {
  const cases: readonly (readonly [
    what: string,
    chosen: Readonly<Record<string, string | boolean>>,
    set: readonly unknown[],
  ])[] = [
    [
      "what differs is set",
      { mode: "ask", loud: true },
      ["mode=ask", "loud=true"],
    ],
    ["what is so already is left alone", { loud: false }, []],
    ["a choice the agent no longer offers is left alone", { mode: "gone" }, []],
    ["an option of another kind is left alone", { loud: "yes" }, []],
    ["an unknown option is left alone", { taste: "sweet" }, []],
  ];
  for (const [what, chosen, expected] of cases)
    it(what, async () => {
      const set: string[] = [];
      const opened = {
        sessionId: "s",
        replay: [],
        options: [mode("code"), loud(false)],
      };
      const after = await choose(
        opened,
        chosen,
        {
          setOption: (_, id, value) => {
            set.push(`${id}=${String(value)}`);
            return Promise.resolve({
              ok: true,
              value: [mode("ask"), loud(false)],
            });
          },
        },
        silentLog,
      );
      assert.deepEqual(set, expected);
      assert.equal(after.options?.length, 2);
    });

  const efforts: Readonly<Record<string, readonly string[]>> = {
    small: ["low", "high"],
    large: ["low", "high", "max"],
  };
  for (const category of ["model", "size"])
    for (const chosen of [
      { effort: "max", size: "large" },
      { effort: "high", size: "large" },
      { size: "large", effort: "max" },
    ])
      it(`all are set though one brings the choices of another and sets it back: ${category} ${JSON.stringify(chosen)}`, async () => {
        let size = "small";
        let effort = "low";
        const select = (
          id: string,
          value: string,
          values: readonly string[],
        ): ConfigOption => ({
          ...{ id, name: id, type: "select", value },
          ...(id === "size" ? { category } : {}),
          groups: [
            { choices: values.map((one) => ({ value: one, name: one })) },
          ],
        });
        const options = (): readonly ConfigOption[] => [
          select("size", size, Object.keys(efforts)),
          select("effort", effort, efforts[size] ?? []),
        ];
        const after = await choose(
          { sessionId: "s", replay: [], options: options() },
          chosen,
          {
            setOption: (_, id, value) => {
              if (id === "effort") effort = String(value);
              else [size, effort] = [String(value), "low"];
              return Promise.resolve({ ok: true, value: options() });
            },
          },
          silentLog,
        );
        assert.deepEqual(
          Object.fromEntries(
            (after.options ?? []).map((one) => [one.id, one.value]),
          ),
          chosen,
        );
      });

  it("two that set each other back are not set for ever", async () => {
    let on = "";
    const options = (): readonly ConfigOption[] =>
      ["a", "b"].map((id) => ({
        ...{ id, name: id, type: "boolean", value: on === id },
      }));
    await choose(
      { sessionId: "s", replay: [], options: options() },
      { a: true, b: true },
      {
        setOption: (_, id) => {
          on = id;
          return Promise.resolve({ ok: true, value: options() });
        },
      },
      silentLog,
    );
    assert.equal(on, "b");
  });

  it("a refusal costs nothing but the option", async () => {
    const opened = { sessionId: "s", replay: [], options: [mode("code")] };
    const failure = { kind: "refused", message: "no" } as const;
    const after = await choose(
      opened,
      { mode: "ask" },
      { setOption: () => Promise.resolve({ ok: false, failure }) },
      silentLog,
    );
    assert.deepEqual(after, opened);
  });
});
