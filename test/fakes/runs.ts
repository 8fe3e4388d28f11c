/** How often a generated test runs: many times more where time is no matter (`TURNLINE_LONG=1`). */
export function runs(count: number): number {
  return process.env["TURNLINE_LONG"] === "1" ? count * 25 : count;
}
