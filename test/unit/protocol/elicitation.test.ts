import assert from "node:assert/strict";
import {
  misfits,
  problemOf,
  type ElicitationField,
  type ElicitationValue,
} from "../../../src/protocol/elicitation.ts";
import { checked } from "../../../webview/chat/formValues.ts";

const base = { id: "f", title: "Field", required: false };
const text = (
  more: Partial<Extract<ElicitationField, { type: "text" }>> = {},
): ElicitationField => ({ ...base, type: "text", ...more });
const number = (
  more: Partial<Extract<ElicitationField, { type: "number" }>> = {},
): ElicitationField => ({ ...base, type: "number", integer: false, ...more });
const choices = [
  { value: "a", name: "A" },
  { value: "b", name: "B" },
];
const choice: ElicitationField = { ...base, type: "choice", choices };
const some = (
  more: Partial<Extract<ElicitationField, { type: "choices" }>> = {},
): ElicitationField => ({ ...base, type: "choices", choices, ...more });

describe("answers to a form", () => {
  it("a note stands for the choice it is the other answer to", () => {
    const question = { ...choice, id: "q", title: "Which?", required: true };
    const note = text({ id: "n", standsFor: "q" });
    const form = [question, note];
    assert.deepEqual(misfits(form, {}), ["Which?"]);
    assert.deepEqual(misfits(form, { n: " " }), ["Which?"]);
    assert.deepEqual(misfits(form, { n: "Green" }), []);
    assert.deepEqual(misfits(form, { q: "c", n: "Green" }), ["Which?"]);
    assert.deepEqual([...checked(form, { n: "Green" }).problems], []);
  });

  const cases: readonly (readonly [
    ElicitationField,
    ElicitationValue | undefined,
    string | undefined,
  ])[] = [
    [text(), undefined, undefined],
    [text({ required: true }), undefined, "missing"],
    [text({ required: true }), "  ", "missing"],
    [text(), 3, "type"],
    [text({ minLength: 2 }), "é", "shorter"],
    [text({ maxLength: 1 }), "😀", undefined],
    [text({ maxLength: 1 }), "ab", "longer"],
    [text({ pattern: "^x+$" }), "xx", undefined],
    [text({ pattern: "^x+$" }), "xy", "pattern"],
    [text({ pattern: "(" }), "anything", undefined],
    [text({ format: "email" }), "a@b", undefined],
    [text({ format: "email" }), "a b", "format"],
    [text({ format: "uri" }), "https://x.test/", undefined],
    [text({ format: "uri" }), "x.test", "format"],
    [text({ format: "date" }), "2026-02-28", undefined],
    [text({ format: "date" }), "tomorrow", "format"],
    [text({ format: "date-time" }), "2026-02-28T10:00:00Z", undefined],
    [number(), "many", "number"],
    [number({ integer: true }), 1.5, "integer"],
    [number({ minimum: 1 }), 0, "atLeast"],
    [number({ maximum: 9 }), 10, "atMost"],
    [number({ minimum: 1, maximum: 9 }), 9, undefined],
    [{ ...base, type: "boolean" }, "yes", "type"],
    [{ ...base, type: "boolean" }, false, undefined],
    [choice, "a", undefined],
    [choice, "c", "type"],
    [some(), ["a", "b"], undefined],
    [some(), ["a", "c"], "type"],
    [some({ required: true }), [], "missing"],
    [some({ minItems: 2 }), ["a"], "fewer"],
    [some({ maxItems: 1 }), ["a", "b"], "more"],
  ];
  for (const [field, value, problem] of cases)
    it(`${JSON.stringify(value)} in ${JSON.stringify(field)}: ${problem ?? "fits"}`, () =>
      assert.equal(problemOf(field, value)?.kind, problem));

  it("does not let an agent's pattern keep the host busy", () => {
    const field = text({ pattern: "^(a+)+$" });
    assert.equal(problemOf(field, `${"a".repeat(900)}!`), undefined);
  });

  it("names what does not fit and what nobody asked for", () => {
    const fields = [text({ required: true, title: "Name" }), choice];
    assert.deepEqual(misfits([fields[0] ?? choice], { other: 1 }), [
      "Name",
      "other",
    ]);
    assert.deepEqual(misfits([choice], { f: "b" }), []);
  });

  it("reads what stands in the controls: proposals count, what is empty does not", () => {
    const fields: readonly ElicitationField[] = [
      { ...number({ initial: 3 }), id: "n" },
      { ...number(), id: "odd" },
      { ...text(), id: "t" },
      { ...choice, id: "c" },
      { ...some({ initial: ["b"] }), id: "s" },
      { ...base, id: "b", type: "boolean" },
    ];
    const { values, problems } = checked(fields, { odd: "x1", c: "a" });
    assert.deepEqual(values, { n: 3, odd: "x1", c: "a", s: ["b"], b: false });
    assert.deepEqual([...problems], [["odd", { kind: "number" }]]);
  });
});
