import assert from "node:assert/strict";
import fc from "fast-check";
import {
  isSnowflake,
  snowflake,
  SnowflakeGenerator,
  snowflakeTime,
} from "../../src/core/snowflake.ts";

const millisecond = fc.nat({ max: 0xffff_ffff_fffe });
const wildClock = fc.array(
  fc.oneof(
    millisecond,
    fc.constantFrom(-1, 0, 1.5, Number.NaN, Infinity, -Infinity, 2 ** 60),
  ),
  { minLength: 1, maxLength: 50 },
);

describe("snowflakes", () => {
  it("I9: strictly increase across clock roll-back and restarts", () => {
    fc.assert(
      fc.property(fc.array(wildClock, { minLength: 1 }), (runs) => {
        let greatest: string | undefined;
        for (const readings of runs) {
          const left = [...readings];
          const ids = new SnowflakeGenerator(() => left.shift() ?? 0, greatest);
          for (let n = 0; n < readings.length; n += 1) {
            const id = ids.next();
            assert.ok(isSnowflake(id), id);
            assert.ok(greatest === undefined || greatest < id);
            greatest = id;
          }
        }
      }),
    );
  });

  it("I9: go on beyond whatever was seen from elsewhere", () => {
    fc.assert(
      fc.property(millisecond, millisecond, fc.nat(0xffff), (now, at, seq) => {
        const ids = new SnowflakeGenerator(() => now);
        const before = ids.next();
        const seen = snowflake(at, seq);
        ids.see(seen);
        const after = ids.next();
        assert.ok(after > seen && after > before);
      }),
    );
  });

  it("I10: the string order is the numeric order", () => {
    const part = fc.tuple(millisecond, fc.nat(0xffff));
    fc.assert(
      fc.property(part, part, ([m1, s1], [m2, s2]) => {
        const a = BigInt(m1) * 65536n + BigInt(s1);
        const b = BigInt(m2) * 65536n + BigInt(s2);
        const x = snowflake(m1, s1);
        const y = snowflake(m2, s2);
        assert.equal(x < y, a < b);
        assert.equal(x === y, a === b);
        assert.equal(BigInt(`0x${x}`), a);
      }),
    );
  });

  it("I11: 70 000 asked for within one millisecond are unique and ordered", () => {
    const ids = new SnowflakeGenerator(() => 1_700_000_000_000);
    const given = Array.from({ length: 70_000 }, () => ids.next());
    assert.equal(new Set(given).size, given.length);
    assert.deepEqual([...given].sort(), given);
    assert.equal(snowflakeTime(given[65_535] ?? ""), 1_700_000_000_000);
    assert.equal(snowflakeTime(given[65_536] ?? ""), 1_700_000_000_001);
  });

  it("tell the time they were given at", () => {
    fc.assert(
      fc.property(millisecond, (at) => {
        fc.pre(at > 0);
        const id = new SnowflakeGenerator(() => at).next();
        assert.equal(snowflakeTime(id), at);
        assert.equal(id.length, 16);
      }),
    );
  });

  it("are told from other strings", () => {
    for (const text of [
      "",
      "0",
      "G".repeat(16),
      "0".repeat(17),
      "A".repeat(16),
    ])
      assert.equal(isSnowflake(text), false, text);
    assert.equal(isSnowflake("018bcfe568000000"), true);
  });
});
