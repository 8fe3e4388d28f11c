import type { Diagnostic } from "./diagnostics.ts";

/** What a well-known diagnostic usually means; undefined for the many that are not in the table. */
export function hintFor({ code, message }: Diagnostic): string | undefined {
  const plain = code?.replace(/^ts\(?(\d+)\)?$/i, "TS$1").toUpperCase();
  const byNumber = /^\d{4,5}$/.test(plain ?? "") ? `TS${plain ?? ""}` : plain;
  const name = code?.toLowerCase().replace(/^@[\w-]+\//, "");
  return (
    hints.get(byNumber ?? "") ??
    hints.get(name ?? "") ??
    wordings.find(([pattern]) => pattern.test(message))?.[1]
  );
}

const hints: ReadonlyMap<string, string> = new Map([
  [
    "TS1005",
    "The syntax breaks here: look for a missing bracket, comma or semicolon just before.",
  ],
  [
    "TS2304",
    "This name is not known here: it is misspelt, not imported, or not declared.",
  ],
  [
    "TS2305",
    "The module does not export that name: check its spelling, or what the module exports.",
  ],
  [
    "TS2307",
    "The module was not found: check the path, or install the package and its types.",
  ],
  [
    "TS2322",
    "The value's type does not fit where it is assigned: change the value or the declared type.",
  ],
  [
    "TS2339",
    "The type has no such property: check its spelling, or narrow the type first.",
  ],
  [
    "TS2345",
    "An argument's type does not fit the parameter: change the argument or the parameter's type.",
  ],
  ["TS2365", "The operator does not work on these two types."],
  ["TS2451", "The name is declared twice in the same scope."],
  ["TS2531", "The value may be null: check it before it is used."],
  ["TS2532", "The value may be undefined: check it before it is used."],
  ["TS2551", "The property is most likely misspelt."],
  ["TS2552", "The name is most likely misspelt."],
  ["TS2554", "The call has too many or too few arguments."],
  ["TS2741", "A property that the type requires is missing."],
  ["TS2769", "No overload of the function takes these arguments."],
  ["TS6133", "Nothing uses this: remove it, or use it."],
  ["TS7006", "The parameter needs a type."],
  [
    "TS7016",
    "The module has no type declarations: install them, or declare the module.",
  ],
  ["TS18047", "The value may be null: check it before it is used."],
  ["TS18048", "The value may be undefined: check it before it is used."],
  ["no-unused-vars", "Nothing uses this: remove it, or use it."],
  ["no-undef", "This name is not known here: import or declare it."],
  ["no-explicit-any", "Give this a real type instead of any."],
  [
    "no-floating-promises",
    "Nobody waits for this promise or handles its failure: await it.",
  ],
  ["prefer-const", "It is never assigned again: declare it with const."],
  ["eqeqeq", "Use === instead of ==."],
  ["F401", "The import is not used: remove it."],
  ["F841", "The variable is assigned but never used."],
  ["E501", "The line is longer than the project allows."],
  ["F821", "This name is not defined: import or define it."],
  ["E0382", "The value was moved before: borrow or clone it instead."],
  ["E0425", "This name is not found in this scope."],
  ["E0308", "The types do not match."],
  ["E0502", "It is borrowed both mutably and immutably at once."],
]);

const wordings: readonly (readonly [RegExp, string])[] = [
  [
    /cannot find (?:name|symbol|module)|undeclared|not defined|unresolved/i,
    "This name is not known here: it is misspelt, not imported, or not declared.",
  ],
  [/possibly ['"`]?(?:null|undefined)/i, "Check the value before it is used."],
  [/never (?:used|read)|unused/i, "Nothing uses this: remove it, or use it."],
  [
    /not assignable|type mismatch|mismatched types|incompatible type/i,
    "The value's type does not fit here.",
  ],
  [
    /expected ['"`]?[;,)}\]]|unexpected token|syntax error/i,
    "The syntax breaks here, or just before.",
  ],
  [
    /deprecated/i,
    "It still works but will go away: look for what replaces it.",
  ],
];
