import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { longestFirst } from "../../../scripts/durations.ts";
import { inputsHash, isCurrent, stampOf } from "../../../scripts/vsix.ts";
import { exclusive, installed } from "../../lab/cache.ts";
import { ownErrors } from "../../lab/vscode/hostLog.ts";

describe("the harness", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), "turnline-harness-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function deadPid(): Promise<number> {
    const child = spawn(process.execPath, ["-e", ""]);
    await once(child, "exit");
    return child.pid ?? 0;
  }

  it("takes a lock over from a process that is gone", async () => {
    const lock = path.join(folder, "a.lock");
    mkdirSync(lock);
    writeFileSync(path.join(lock, "pid"), String(await deadPid()));
    const release = await exclusive(lock, () => assert.fail("it waits"));
    assert.ok(existsSync(lock));
    await release();
    assert.equal(existsSync(lock), false);
  });

  it("waits for one that lives, says for whom, and goes on when it lets go", async () => {
    const lock = path.join(folder, "a.lock");
    const release = await exclusive(lock, () => undefined);
    const waited = Promise.withResolvers<number>();
    const second = exclusive(lock, waited.resolve);
    assert.equal(await waited.promise, process.pid);
    await release();
    await (
      await second
    )();
  });

  it("removes what an interrupted fetch left, and fetches again", async () => {
    const before = process.env["TURNLINE_CACHE"];
    process.env["TURNLINE_CACHE"] = path.join(folder, "cache");
    try {
      writeFileSync(path.join(folder, "package.json"), "{}");
      writeFileSync(path.join(folder, "package-lock.json"), "{}");
      const fetched = await installed("x", folder, () => Promise.resolve());
      const left = `${fetched}.${await deadPid()}`;
      mkdirSync(left);
      rmSync(fetched, { recursive: true });
      assert.equal(
        await installed("x", folder, () => Promise.resolve()),
        fetched,
      );
      assert.equal(existsSync(left), false);
    } finally {
      if (before === undefined) delete process.env["TURNLINE_CACHE"];
      else process.env["TURNLINE_CACHE"] = before;
    }
  });

  it("builds again exactly when something a package is made of has changed", () => {
    const [vsix, stamp] = [path.join(folder, "t.vsix"), path.join(folder, "s")];
    mkdirSync(path.join(folder, "src"));
    writeFileSync(path.join(folder, "src", "a.ts"), "1");
    writeFileSync(vsix, "packed");
    const current = (): boolean =>
      isCurrent({ inputs: inputsHash(folder), vsix, stamp });
    assert.equal(current(), false);
    writeFileSync(stamp, stampOf(inputsHash(folder), vsix));
    assert.equal(current(), true);
    writeFileSync(path.join(folder, "src", "a.ts"), "2");
    assert.equal(current(), false);
    writeFileSync(path.join(folder, "src", "a.ts"), "1");
    assert.equal(current(), true);
    writeFileSync(path.join(folder, "src", "b.ts"), "");
    assert.equal(current(), false);
    rmSync(path.join(folder, "src", "b.ts"));
    writeFileSync(vsix, "another");
    assert.equal(current(), false);
  });

  it("runs the files that took longest first, new ones by their size", () => {
    assert.deepEqual(
      longestFirst(
        [
          { name: "short", bytes: 90_000 },
          { name: "long", bytes: 10 },
          { name: "new", bytes: 3_000 },
        ],
        { short: 1, long: 60 },
      ),
      ["long", "new", "short"],
    );
  });

  it("finds our errors in an extension host's log, and only ours", () => {
    const log = `2026-01-01 10:00:00.000 [info] ExtensionService#_doActivateExtension turnline.turnline, startup: false
2026-01-01 10:00:01.000 [error] Error: getaddrinfo ENOTFOUND example
	at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:123:26)
2026-01-01 10:00:02.000 [error] Error: no
	at Object.error (/d/extensions/turnline.turnline-0.1.0/dist/extension.cjs:157:2065)
2026-01-01 10:00:03.000 [error] Error: theirs
	at x (/tmp/turnline-e2e-1/vscode/extensions/other-1.0.0/dist/main.js:1:1)
`;
    assert.deepEqual(
      ownErrors(log).map((entry) => entry.split("\n")[0]),
      ["2026-01-01 10:00:02.000 [error] Error: no"],
    );
  });
});
