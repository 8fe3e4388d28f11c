import assert from "node:assert/strict";
import { membersOf, membersOnWindows } from "../../../src/agent/endTree.ts";
import {
  psRow,
  windowsRow,
  type ProcessRow,
} from "../../../src/agent/processTable.ts";

const row = (
  pid: number,
  parent: number,
  more: Partial<ProcessRow> = {},
): ProcessRow => ({
  pid,
  parent,
  group: pid,
  startTime: "then",
  zombie: false,
  marked: false,
  ...more,
});
const root = { nonce: "n", pid: 10, startTime: "then" };

describe("the processes of a run", () => {
  const table = [
    row(1, 0),
    row(10, 1),
    row(11, 10),
    row(12, 11, { zombie: true }),
    row(20, 1, { group: 10 }),
    row(30, 1, { marked: true }),
    row(31, 30),
    row(40, 1),
  ];
  const cases: readonly (readonly [
    string,
    readonly ProcessRow[],
    boolean,
    readonly number[],
  ])[] = [
    [
      "are the root, its group, the marked and their descendants",
      table,
      true,
      [10, 11, 20, 30, 31],
    ],
    [
      "leave a group alone that may be another's",
      table,
      false,
      [10, 11, 30, 31],
    ],
    [
      "leave a stranger alone that has the root's pid",
      [row(10, 1, { startTime: "later" }), row(11, 10)],
      false,
      [],
    ],
    [
      "never hold this process itself",
      [row(process.pid, 1, { marked: true })],
      true,
      [],
    ],
    [
      "are none when only zombies are left",
      [row(10, 1, { zombie: true })],
      true,
      [],
    ],
  ];
  for (const [title, rows, ownGroup, expected] of cases)
    it(`I35: ${title}`, () => {
      const members = membersOf(rows, root, ownGroup);
      assert.deepEqual(
        members.map(({ pid }) => pid),
        expected,
      );
    });

  it("are read from a line of ps", () => {
    const line =
      "  501   1   501 S    Mon Jan  5 10:11:12 2026 node agent.js HOME=/x TURNLINE_RUN=abc";
    assert.deepEqual(psRow(line, "TURNLINE_RUN=abc"), {
      pid: 501,
      parent: 1,
      group: 501,
      startTime: "Mon Jan 5 10:11:12 2026",
      zombie: false,
      marked: true,
    });
    assert.equal(psRow(line, "TURNLINE_RUN=ab")?.marked, false);
    assert.equal(psRow("", "x"), undefined);
  });
});

describe("the processes of a run on Windows", () => {
  const root = { nonce: "n", pid: 10, startTime: "100" };
  const at = (pid: number, parent: number, start: number): ProcessRow =>
    row(pid, parent, { startTime: String(start), group: 0 });
  const cases: readonly (readonly [
    string,
    readonly ProcessRow[],
    readonly number[],
  ])[] = [
    [
      "are the root and all that came of it",
      [at(1, 0, 1), at(10, 1, 100), at(11, 10, 110), at(12, 11, 120)],
      [10, 11, 12],
    ],
    [
      "outlive a root that is dead",
      [at(1, 0, 1), at(11, 10, 110), at(12, 11, 120)],
      [11, 12],
    ],
    [
      "are not those of a stranger who has the root's number now",
      [at(10, 1, 500), at(11, 10, 110), at(12, 10, 510)],
      [11],
    ],
    [
      "are not older than their parent: its number was another's then",
      [at(10, 1, 100), at(11, 10, 50)],
      [10],
    ],
  ];
  for (const [what, rows, pids] of cases)
    it(what, () => {
      const found = membersOnWindows(rows, root).map(({ pid }) => pid);
      assert.deepEqual(found, pids);
    });

  it("are read from lines of three numbers", () => {
    assert.deepEqual(windowsRow("4242 17 133765432101234567\r"), {
      pid: 4242,
      parent: 17,
      group: 0,
      startTime: "133765432101234567",
      zombie: false,
      marked: false,
    });
    for (const line of ["", "4 0 ", "0 0", "Get-CimInstance : Access denied"])
      assert.equal(windowsRow(line), undefined, line);
  });
});
