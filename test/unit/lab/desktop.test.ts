import assert from "node:assert/strict";
import { type Machine, placeOf, shellArgs } from "../../../scripts/desktop.ts";

const told = "1.106.0\n03c265b1adee71ac88f833e065f7bb956b60550a\nx64\n";

const cases: readonly [string, Partial<Machine>, RegExp][] = [
  ["a VS Code of the version wanted", {}, /^desktop$/],
  ["a newer one", { code: "2.1.0\nabc\nx64" }, /^desktop$/],
  ["a newer minor one", { code: "1.110.3" }, /^desktop$/],
  ["an older one", { code: "1.99.9\nabc" }, /^headless .*1\.99\.9.*1\.106\.0/],
  ["a warning first", { code: `Warning: x\n${told}` }, /^desktop$/],
  ["no version", { code: "hello" }, /^headless .*version/],
  ["none", { code: undefined }, /^headless there is no desktop VS Code/],
  ["no display", { env: {} }, /^headless there is no display/],
  ["an empty display", { env: { DISPLAY: "" } }, /^headless .*no display/],
  ["macOS", { platform: "darwin", env: {} }, /^desktop$/],
  ["Windows", { platform: "win32", env: {} }, /^desktop$/],
  [
    "Windows without one",
    { platform: "win32", code: undefined },
    /^nowhere .*Install VS Code 1\.106\.0 or newer and put `code` on the PATH/,
  ],
];

describe("where npm start opens VS Code", () => {
  for (const [title, machine, expected] of cases)
    it(title, () => {
      const place = placeOf({
        platform: "linux",
        env: { DISPLAY: ":0" },
        code: told,
        wanted: "^1.106.0",
        ...machine,
      });
      const reason = place.kind === "desktop" ? "" : ` ${place.reason}`;
      assert.match(`${place.kind}${reason}`, expected);
    });

  it("quotes what Windows' shell would split", () => {
    const args = ["--new-window", "C:\\My Files\\sample"];
    assert.deepEqual(shellArgs("linux", args), args);
    assert.deepEqual(shellArgs("win32", args), [
      '"--new-window"',
      '"C:\\My Files\\sample"',
    ]);
  });
});
