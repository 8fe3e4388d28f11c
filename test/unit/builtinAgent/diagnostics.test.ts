import assert from "node:assert/strict";
import { hintFor } from "../../../src/builtinAgent/diagnosticHints.ts";
import {
  type Diagnostic,
  parseDiagnostics,
} from "../../../src/builtinAgent/diagnostics.ts";

const one = (
  file: string,
  line: number,
  severity: Diagnostic["severity"],
  message: string,
  code?: string,
): Diagnostic => ({
  file,
  line,
  severity,
  message,
  ...(code !== undefined && { code }),
});

const cases: readonly (readonly [string, readonly Diagnostic[]])[] = [
  ["", []],
  ["just words, 10:30 or so", []],
  ["see https://example.com:80 for the error", []],
  [
    "src/a.ts(3,5): error TS2304: Cannot find name 'x'.",
    [one("src/a.ts", 3, "error", "Cannot find name 'x'.", "TS2304")],
  ],
  [
    "src/a.ts:3:5 - error TS2304: Cannot find name 'x'.",
    [one("src/a.ts", 3, "error", "Cannot find name 'x'.", "TS2304")],
  ],
  [
    "main.c:7:1: warning: unused variable 'i' [-Wunused-variable]",
    [one("main.c", 7, "warning", "unused variable 'i'", "-Wunused-variable")],
  ],
  [
    "- error src/a.ts:3:5 Cannot find name 'x' (ts 2304)",
    [one("src/a.ts", 3, "error", "Cannot find name 'x'", "2304")],
  ],
  [
    "pkg/x.py:4:1: F401 'os' imported but unused",
    [one("pkg/x.py", 4, "warning", "'os' imported but unused", "F401")],
  ],
  [
    "C:\\w\\a.cs(2,3): warning CS0168: declared but never used",
    [one("C:\\w\\a.cs", 2, "warning", "declared but never used", "CS0168")],
  ],
  [
    'Problems:\n[{"resource":"/w/a.ts","severity":8,"message":"m","code":{"value":"2304"},"startLineNumber":4},{"resource":"/w/a.ts","severity":4,"message":"n","startLineNumber":5}]',
    [
      one("/w/a.ts", 4, "error", "m", "2304"),
      one("/w/a.ts", 5, "warning", "n"),
    ],
  ],
  [
    '{"uri":"file:///w/a.ts","diagnostics":[{"message":"m","severity":2,"code":"no-undef","range":{"start":{"line":0}}}]}',
    [one("file:///w/a.ts", 1, "warning", "m", "no-undef")],
  ],
  ['[{"message":"nowhere"}]', []],
  ["[broken", []],
];

describe("built-in agent: diagnostics", () => {
  for (const [text, found] of cases)
    it(JSON.stringify(text), () => {
      assert.deepEqual(parseDiagnostics(text), found);
    });

  it("explains the common ones and is silent on the others", () => {
    const hint = (code: string | undefined, message = "m") =>
      hintFor(one("a", 1, "error", message, code));
    for (const code of ["TS2304", "2304", "ts(2304)"])
      assert.match(hint(code) ?? "", /not imported/);
    assert.match(hint("@typescript-eslint/no-explicit-any") ?? "", /real type/);
    assert.match(hint(undefined, "x is possibly 'null'") ?? "", /Check/);
    assert.equal(hint("TS9999"), undefined);
    assert.equal(hint("constructor"), undefined);
  });
});
