import assert from "node:assert/strict";
import type { ElicitationRequest } from "../../../src/core/agentFeatures.ts";
import { Lives } from "../../../src/core/dispatch/lives.ts";
import { AgentPool } from "../../../src/core/dispatch/pool.ts";
import type {
  AgentEvents,
  PermissionRequest,
} from "../../../src/core/agentPort.ts";
import { FakeAgents, type FakeProcess } from "../../fakes/agent.ts";
import { settled } from "../../fakes/clock.ts";

interface World {
  readonly lives: Lives;
  readonly agents: FakeAgents;
  /** What was told, in order. */
  readonly told: string[];
}

function world(): World {
  const told: string[] = [];
  const agents = new FakeAgents();
  const tell =
    (what: string) =>
    (about?: unknown): void => {
      told.push(typeof about === "string" ? `${what} ${about}` : what);
    };
  const lives = new Lives(
    "t",
    {
      agents,
      pool: new AgentPool(
        () => 4,
        () => undefined,
      ),
      resolveAgent: (id) =>
        Promise.resolve({
          ok: true,
          value: { id, label: id, command: id, args: [], env: {} },
        }),
      surroundings: () =>
        Promise.resolve({ fragments: [], additionalFolders: [] }),
      elicitations: true,
    },
    {
      happened: ({ kind, life }) => told.push(`${kind} ${life}`),
      update: tell("update"),
      permission: tell("permission"),
      permissionGone: tell("permissionGone"),
      session: tell("session"),
      elicitation: tell("elicitation"),
      elicitationGone: tell("elicitationGone"),
      alive: tell("alive"),
      turnOver: tell("turnOver"),
    },
  );
  return { lives, agents, told };
}

/** A process with a session, and nothing told of it yet. */
async function opened(
  { lives, agents, told }: World,
  life: number,
): Promise<FakeProcess> {
  await lives.start(life, "a", "/x");
  await lives.open(life, null);
  told.length = 0;
  return agents.process;
}

const permission = (sessionId: string): PermissionRequest => ({
  id: "p1",
  sessionId,
  tool: { kind: "tool", toolCallId: "c", title: "Run" },
  options: [],
});
const elicitation = (sessionId: string): ElicitationRequest => ({
  ...{ id: "e1", sessionId, message: "?", mode: "url", url: "https://x" },
});

/** All an agent can say of a session. */
function sayAll(events: AgentEvents, session: string): void {
  events.update(session, { kind: "text", text: "hi" });
  events.permission(permission(session));
  events.session?.(session, { kind: "options", options: [] });
  events.elicitation?.(elicitation(session));
  events.alive();
}

describe("the processes of a thread", () => {
  it("tells what its session says", async () => {
    const one = world();
    const { events } = await opened(one, 1);
    sayAll(events, "s1");
    assert.deepEqual(one.told, [
      "update",
      "permission",
      "session",
      "elicitation",
      "alive",
    ]);
  });

  it("I28: what is said of another session is not told", async () => {
    const one = world();
    const { events } = await opened(one, 1);
    sayAll(events, "other");
    assert.deepEqual(one.told, ["alive"]);
  });

  it("I28: a stale update, question or sign of life of a process that is being ended is not told", async () => {
    const one = world();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    one.agents.endGate = () => promise;
    const { events } = await opened(one, 1);
    const over = one.lives.end(1);
    sayAll(events, "s1");
    assert.deepEqual(one.told, []);
    resolve(undefined);
    await over;
    sayAll(events, "s1");
    assert.deepEqual(one.told, ["agentGone 1"]);
  });

  it("I28: nor one of a process that died, whatever runs now", async () => {
    const one = world();
    const dead = await opened(one, 1);
    dead.die();
    await opened(one, 2);
    sayAll(dead.events, "s1");
    sayAll(dead.events, "s2");
    assert.deepEqual(one.told, []);
  });

  it("I28: a stale cancel reaches no other session and no newer process", async () => {
    const one = world();
    await opened(one, 1);
    await one.lives.end(1);
    const { turns } = await opened(one, 2);
    void one.lives.prompt(2, "s2", "b2", [{ type: "text", text: "two" }]);
    one.lives.cancel(1, "s1");
    one.lives.cancel(1, "s2");
    one.lives.cancel(2, "s1");
    assert.equal(turns[0]?.settled, false);
    assert.deepEqual(
      one.agents.acts.filter((act) => act.startsWith("cancel")),
      [],
    );
    one.lives.cancel(2, "s2");
    assert.equal(turns[0].settled, true);
  });

  it("I28: a response that comes after its process is gone does not end the next turn", async () => {
    const one = world();
    const first = await opened(one, 1);
    const late = Promise.withResolvers<never>();
    const answer = first.prompt.bind(first);
    first.prompt = (...of) => late.promise.catch(() => answer(...of));
    const turn = one.lives.prompt(1, "s1", "b1", []);
    await one.lives.end(1);
    assert.equal(one.told.filter((what) => what === "turnOver").length, 1);
    await opened(one, 2);
    late.reject(new Error("late"));
    await turn;
    await settled();
    assert.deepEqual(one.told, ["turnEnded 1"]);
  });
});
