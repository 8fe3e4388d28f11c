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
import { exclusive, installed, lockOrHolder } from "../../lab/cache.ts";
import { hostComplaints, ownErrors } from "../../lab/vscode/hostLog.ts";

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

  it("waits no longer when it is stopped", async () => {
    const lock = path.join(folder, "a.lock");
    const release = await exclusive(lock, () => undefined);
    const stop = new AbortController();
    const waited = Promise.withResolvers<number>();
    const second = exclusive(lock, waited.resolve, stop.signal);
    await waited.promise;
    stop.abort();
    await assert.rejects(second, { name: "AbortError" });
    assert.equal(await lockOrHolder(lock), process.pid);
    await release();
  });

  it("removes what an interrupted fetch left, and fetches again", async () => {
    const before = process.env["TURNLINE_CACHE"];
    process.env["TURNLINE_CACHE"] = path.join(folder, "cache");
    try {
      writeFileSync(path.join(folder, "package.json"), "{}");
      writeFileSync(path.join(folder, "package-lock.json"), "{}");
      const what = {
        name: "x",
        source: folder,
        install: () => Promise.resolve(),
      };
      const fetched = await installed(what);
      const left = `${fetched}.${await deadPid()}`;
      mkdirSync(left);
      rmSync(fetched, { recursive: true });
      assert.equal(await installed(what), fetched);
      assert.equal(existsSync(left), false);
      writeFileSync(path.join(folder, "own.cjs"), "");
      assert.equal(await installed({ ...what, also: ["own.cjs"] }), fetched);
      writeFileSync(path.join(folder, "own.cjs"), "changed");
      assert.notEqual(await installed({ ...what, also: ["own.cjs"] }), fetched);
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

  it("finds our errors in what VS Code logs, and none to be found amiss", async () => {
    const logs = path.join(folder, "data", "logs", "1", "exthost1");
    assert.match(hostComplaints(folder).join(), /No extension host has logged/);
    const spdlog = (await import(
      new URL("../../lab/vscode/spdlog.cjs", import.meta.url).href
    )) as Spdlog;
    spdlog.setFlushOn(0);
    const log = await spdlog.createAsyncRotatingLogger(
      "remoteexthost",
      path.join(logs, "remoteexthost.log"),
      1,
      1,
    );
    log.setPattern("%Y-%m-%d %H:%M:%S.%e [%l] %v");
    log.setLevel(2);
    log.trace("not told");
    log.info("Extension host started");
    assert.deepEqual(hostComplaints(folder), []);
    log.error("turnline.turnline broke\n\tat here");
    log.clearFormatters();
    log.info("as it is\n");
    const [complaint = ""] = hostComplaints(folder);
    assert.match(
      complaint,
      /^[\d-]{10} [\d:.]{12} \[error\] turnline\.turnline broke\n\tat here\nas it is$/u,
    );
  });
});

/** VS Code's use of its logger. */
interface Spdlog {
  setFlushOn(level: number): void;
  createAsyncRotatingLogger(
    name: string,
    file: string,
    size: number,
    count: number,
  ): Promise<{
    setPattern(pattern: string): void;
    clearFormatters(): void;
    setLevel(level: number): void;
    trace(text: string): void;
    info(text: string): void;
    error(text: string): void;
  }>;
}
