import fc from "fast-check";

/** Any character there is. fast-check's own `binary` unit builds a table of all of them, which takes most of a second. */
const anyChar = fc
  .integer({ min: 0, max: 0x10_ff_ff - 0x8_00 })
  .map((at) => String.fromCodePoint(at < 0xd8_00 ? at : at + 0x8_00));

export const anyText: fc.Arbitrary<string> = fc.string({ unit: anyChar });
