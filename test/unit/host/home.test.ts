import assert from "node:assert/strict";
import { Home } from "../../../src/host/home.ts";
import type {
  HomePorts,
  LockEvents,
  OpenRecord,
  RecordEvents,
  Role,
  Tenant,
} from "../../../src/host/homePorts.ts";
import { MemoryStore } from "../../fakes/memoryStore.ts";
import { silentLog } from "../../contract/agentHarness.ts";
import { write } from "../../fakes/recordBuilder.ts";

interface Asked {
  readonly role?: Role;
  /** Why opening fails, by "mode folder" or by folder. */
  readonly broken?: Readonly<Record<string, string>>;
  readonly trouble?: string;
  /** Folders whose lock another window holds. */
  readonly held?: readonly string[];
  readonly left?: "corrupt" | "newer";
  readonly strays?: number;
}

interface World {
  readonly home: Home;
  readonly events: LockEvents;
  /** What can be changed while it lives. */
  broken: Readonly<Record<string, string>>;
  trouble: string | undefined;
  role: Role;
  /** What was opened, and how. */
  readonly opened: string[];
  /** The events of each opening, in order. */
  readonly told: RecordEvents[];
  readonly locked: Set<string>;
  readonly heard: string[];
  readonly tenant: Tenant;
}

/** A home whose locks and files do as they are told. */
async function world(asked: Asked = {}): Promise<World> {
  const { held = [], left, strays = 0 } = asked;
  let events: LockEvents | undefined;
  const heard: string[] = [];
  const made: Omit<World, "home" | "events"> = {
    broken: asked.broken ?? {},
    trouble: asked.trouble,
    role: asked.role ?? "writer",
    opened: [],
    told: [],
    locked: new Set(),
    heard,
    tenant: {
      windDown: () => Promise.resolve(void heard.push("windDown")),
      takeOver: () => Promise.resolve(heard.push("takeOver")),
      changed: () => heard.push("changed"),
    },
  };
  const open: OpenRecord = (folder, mode, told) => {
    made.opened.push(`${mode} ${folder}`);
    made.told.push(told);
    const detail = made.broken[`${mode} ${folder}`] ?? made.broken[folder];
    const path = `${folder}/turnline.db`;
    if (detail !== undefined)
      return Promise.resolve({ ok: false, path, detail });
    const store = new MemoryStore();
    return Promise.resolve({
      ...{ ok: true, store, path },
      readOnly: mode === "read",
      left:
        left === undefined
          ? []
          : [{ path: "/home/old.db", reason: left, detail: "no." }],
      gather: () => Promise.resolve({ threads: strays, failed: [] }),
    });
  };
  const ports: HomePorts = {
    folder: "/home",
    rescue: ["/rescue", "/tmp"],
    open,
    lock: (folder, told) => {
      if (folder === "/home") events = told;
      return {
        get trouble() {
          return folder === "/home" ? made.trouble : undefined;
        },
        start: () => {
          if (held.includes(folder)) return Promise.resolve("reader");
          if (folder === "/home" && made.role === "reader")
            return Promise.resolve("reader");
          made.locked.add(folder);
          return Promise.resolve("writer");
        },
        dispose: () => Promise.resolve(void made.locked.delete(folder)),
      };
    },
    isWindowAlive: () => Promise.resolve(true),
    log: silentLog,
    lookAgainMs: 0,
  };
  const home = await Home.open(ports);
  assert.ok(events);
  return Object.assign(made, { home, events });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

const allBroken = { "/home": "gone", "/rescue": "gone", "/tmp": "gone" };

describe("the home of a record", () => {
  it("is written to by its writer", async () => {
    const { home, opened } = await world();
    assert.equal(home.readOnly, null);
    assert.equal(home.notOurs, null);
    assert.deepEqual(opened, ["write /home"]);
    assert.deepEqual(home.news, []);
  });

  it("I7: is only read by a second window, which says so and takes over when it can", async () => {
    const { home, events, opened, heard, tenant } = await world({
      role: "reader",
    });
    assert.match(home.readOnly ?? "", /Another window has this workspace open/);
    await home.moveIn(tenant);
    events.onChange("writer");
    await until(() => heard.includes("changed"));
    assert.equal(home.readOnly, null);
    assert.deepEqual(opened, ["read /home", "write /home"]);
    assert.deepEqual(heard, ["takeOver", "changed"]);
  });

  it("I7: makes up for a takeover that came before anyone lived in it", async () => {
    const { home, events, heard, tenant } = await world({ role: "reader" });
    events.onChange("writer");
    await until(() => home.readOnly === null);
    await home.moveIn(tenant);
    assert.deepEqual(heard, ["takeOver"]);
  });

  it("I7: stays a reader once it was let go, and gives the lock up for good", async () => {
    const { home, events, locked, heard, tenant } = await world();
    await home.moveIn(tenant);
    await events.onRelease();
    events.onChange("reader");
    await until(() => !locked.has("/home"));
    assert.equal(heard.filter((one) => one === "windDown").length, 1);
    assert.equal(heard.includes("takeOver"), false);
    assert.match(home.readOnly ?? "", /Reload this window/);
    assert.ok(home.notOurs);
  });

  it("I7: a reader that finds nothing to read writes nowhere, and looks again", async () => {
    const made = await world({
      role: "reader",
      broken: { "/home": "not there yet" },
    });
    const { home, opened, heard, tenant } = made;
    await home.moveIn(tenant);
    assert.match(home.readOnly ?? "", /Another window has this workspace open/);
    assert.deepEqual(home.news, []);
    made.broken = {};
    await until(() => heard.includes("takeOver"));
    assert.ok(opened.every((one) => one === "read /home"));
    assert.match(home.readOnly ?? "", /Another window/);
    await home.dispose();
  });

  it("I8: the files of another window, or of a place that stands in, are not this one's to delete", async () => {
    const reader = await world({ role: "reader" });
    assert.match(reader.home.notOurs ?? "", /Another window/);
    const rescued = await world({ broken: { "/home": "locked" } });
    assert.match(rescued.home.notOurs ?? "", /could not be opened/);
    const barred = await world({ role: "reader", trouble: "read-only" });
    assert.match(barred.home.notOurs ?? "", /read-only/);
    const empty = await world({ broken: allBroken });
    assert.equal(empty.home.notOurs, null);
  });

  it("deletes while it holds the lock, and lets go afterwards", async () => {
    const { home, locked, heard, tenant } = await world();
    await home.moveIn(tenant);
    let held = false;
    await home.erase(() => {
      held = locked.has("/home") && heard.includes("windDown");
    });
    assert.ok(held);
    assert.equal(locked.size, 0);
    assert.equal(home.readOnly, "The history is being deleted.");
  });

  for (const [why, asked, used] of [
    ["locked", { broken: { "/home": "It is locked." } }, "/rescue"],
    [
      "no room anywhere but the last",
      { broken: { "/home": "full", "/rescue": "full" } },
      "/tmp",
    ],
    [
      "another window uses the first",
      { broken: { "/home": "full" }, held: ["/rescue"] },
      "/tmp",
    ],
  ] as const)
    it(`I8: leaves what cannot be opened alone and goes on elsewhere, under a lock: ${why}`, async () => {
      const { home, locked } = await world(asked);
      assert.equal(home.readOnly, null);
      assert.equal(home.news.length, 1);
      assert.match(
        home.news[0]?.text ?? "",
        new RegExp(`/home/turnline.db was left.*${used}`),
      );
      assert.deepEqual([...locked], ["/home", used]);
      await home.dispose();
      assert.equal(locked.size, 0);
    });

  it("I6: shows an empty chat and a way out when nothing can be opened at all", async () => {
    const made = await world({ broken: allBroken });
    const { home, heard, tenant } = made;
    await home.moveIn(tenant);
    assert.match(home.readOnly ?? "", /No history could be opened: gone/);
    assert.deepEqual(home.news[0]?.ways, ["openAgain"]);
    assert.deepEqual(await home.store.threads(), []);
    const answer = await home.store.commit([write.thread("t")], "full");
    assert.deepEqual(answer, { ok: false, reason: "readOnly", detail: "gone" });
    await home.openAgain();
    assert.match(home.readOnly ?? "", /No history/);
    made.broken = {};
    await home.openAgain();
    assert.equal(home.readOnly, null);
    assert.deepEqual(home.news, []);
    assert.equal(heard.filter((one) => one === "takeOver").length, 2);
    assert.ok((await home.store.commit([write.thread("t")], "full")).ok);
  });

  it("I6: reads what it cannot open to write, and keeps new threads elsewhere if the user wants", async () => {
    const { home, opened, heard, tenant, locked } = await world({
      broken: { "write /home": "disk I/O error" },
    });
    await home.moveIn(tenant);
    assert.match(home.readOnly ?? "", /disk I\/O error/);
    assert.deepEqual(home.news[0]?.ways, ["keepElsewhere", "openAgain"]);
    await home.keepElsewhere();
    assert.equal(home.readOnly, null);
    assert.deepEqual(opened, ["write /home", "read /home", "write /rescue"]);
    assert.deepEqual(heard, ["takeOver", "changed"]);
    const texts = home.news.map(({ text }) => text);
    assert.match(texts.join(""), /\/rescue\/turnline\.db/);
    assert.ok(locked.has("/rescue"));
  });

  it("says so when there is no other place either, and goes on reading", async () => {
    const { home } = await world({
      broken: { "/rescue": "gone" },
      trouble: "it is read-only",
      role: "reader",
      held: ["/tmp"],
    });
    await home.keepElsewhere();
    assert.match(home.readOnly ?? "", /it is read-only/);
    assert.match(home.news.at(0)?.title ?? "", /no other place/);
    assert.deepEqual(await home.store.threads(), []);
  });

  it("reads a folder that cannot be written to, says why, and goes back to it when it can", async () => {
    const made = await world({
      role: "reader",
      trouble: "the folder is read-only",
    });
    const { home, events, opened, heard, tenant } = made;
    assert.match(home.readOnly ?? "", /the folder is read-only/);
    assert.deepEqual(opened, ["read /home"]);
    await home.moveIn(tenant);
    await home.keepElsewhere();
    assert.equal(home.readOnly, null);
    made.trouble = undefined;
    heard.length = 0;
    events.onChange("writer");
    await until(() => heard.length > 0);
    assert.deepEqual(heard, ["changed"], "what runs elsewhere keeps its place");
    assert.match(home.news[0]?.title ?? "", /can be used again/);
    assert.deepEqual(home.news[0]?.ways, ["reload"]);
  });

  it("tells a newer history from a damaged one, and which threads came back", async () => {
    const newer = await world({ left: "newer", strays: 2 });
    assert.deepEqual(
      newer.home.news.map(({ title }) => title),
      [
        "A history of a newer Turnline was left as it is.",
        "2 threads came back that were kept elsewhere.",
      ],
    );
    const damaged = await world({ left: "corrupt" });
    assert.match(damaged.home.news[0]?.title ?? "", /could not be read/);
  });

  it("opens a store again that died, and gives up on one that dies again and again", async () => {
    const { home, opened, told, heard, tenant } = await world();
    await home.moveIn(tenant);
    for (let deaths = 1; deaths <= 3; deaths += 1) {
      told.at(-1)?.onLost("gone");
      await until(() => heard.length === 2 * deaths);
      assert.equal(opened.length, deaths + 1);
      assert.equal(home.readOnly, null);
    }
    told[0]?.onLost("an old one says so late");
    told.at(-1)?.onLost("gone");
    await until(() => home.readOnly !== null);
    assert.equal(opened.length, 4);
    assert.deepEqual(home.news[0]?.ways, ["reload"]);
  });
});
