import assert from "node:assert/strict";
import { long } from "../lab/long.ts";
import { everyKind } from "../fakes/recordLife.ts";
import { randomFrom, scenario } from "../fakes/recordScenario.ts";
import { runs } from "../fakes/runs.ts";
import { adoptDeed, lifeDeed, upgradeDeed } from "./deeds.ts";
import { inPairs, prefixes, survive } from "./harness.ts";
import type { Death } from "./harness.ts";
import { killEverywhere } from "./statements.ts";

/** Commits of a random life. */
const ofLife = 60;

const committed = ({ lines }: Death): number =>
  lines.filter((line) => line === "committed").length;

describe("kill -9", function () {
  this.timeout(long ? 3_600_000 : 600_000);

  it("has a life with everything in it that is ever written", async () => {
    const writes = everyKind().flatMap((commit) => commit.writes);
    assert.deepEqual([...new Set(writes.map(({ kind }) => kind))].sort(), [
      ...["accept", "append", "archive", "blob", "body", "claim"],
      ...["deleteThread", "edit", "import", "rank", "requeue"],
      ...["restoreThread", "session", "state", "text", "thread", "unarchive"],
    ]);
    const states = writes.map((one) => (one.kind === "state" ? one.to : ""));
    assert.deepEqual([...new Set(states)].sort(), [
      ...["", "delivered", "discarded", "seenAborted"],
      ...["sent", "superseded", "uncertain"],
    ]);
    const dumps = (await prefixes(everyKind())).map((one) =>
      JSON.stringify(one),
    );
    for (const [n, one] of dumps.slice(1).entries())
      assert.notEqual(one, dumps[n], `commit ${n + 1} changes nothing`);
  });

  it("I1: I3: I4: I5: I9: I12: before the statements of a life with everything", async () => {
    const kills = await killEverywhere(await lifeDeed(), long ? 1 : 3);
    assert.ok(kills > 300, String(kills));
  });

  it("I3: I8: before every statement of an upgrade with its copies", async () => {
    const kills = await killEverywhere(upgradeDeed());
    assert.ok(kills > 15, String(kills));
  });

  it("I3: I8: before every statement of bringing threads from another file", async () => {
    const kills = await killEverywhere(adoptDeed());
    assert.ok(kills > 25, String(kills));
  });

  it("I1: I3: I4: I5: I9: I12: at any instant", async () => {
    const random = randomFrom(Number(process.env["TURNLINE_SEED"] ?? 1));
    const lives = await Promise.all(
      [1, 2, 3].map(async (seed) => {
        const life = { seed, length: ofLife };
        return { life, expected: await prefixes(scenario(seed, life.length)) };
      }),
    );
    const deaths = await inPairs(
      Array.from({ length: runs(100) }, (_, n) => () => {
        const { life, expected } =
          lives[n % lives.length] ?? lives[0] ?? assert.fail();
        const afterCommits = Math.floor((random() * ofLife) / 2);
        return survive(life, expected, { afterCommits, ms: random() * 4 });
      }),
    );
    const killed = deaths.filter(({ signal }) => signal === "SIGKILL");
    assert.ok(killed.length >= deaths.length * 0.8, `${killed.length} killed`);
    const between = killed.filter(
      (death) => committed(death) > 0 && committed(death) < ofLife,
    );
    assert.ok(
      between.length >= deaths.length / 2,
      `${between.length} of ${deaths.length} between the first commit and the last`,
    );
  });
});
