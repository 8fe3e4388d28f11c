import assert from "node:assert/strict";
import * as z from "zod/mini";
import { Channel } from "../../../src/protocol/channel.ts";
import type { ChannelProblem } from "../../../src/protocol/channel.ts";
import type { Reply } from "../../../src/protocol/reply.ts";

const said = z.strictObject({ say: z.string() });
type Said = z.infer<typeof said>;

interface Line {
  readonly here: Channel<Said, Said>;
  readonly there: Channel<Said, Said>;
  readonly handled: Said[];
  readonly problems: ChannelProblem[];
}

/** Two ends joined; `there` answers with `answer`. */
function line(
  answer: (message: Said) => Reply | undefined | Promise<Reply | undefined>,
): Line {
  const handled: Said[] = [];
  const problems: ChannelProblem[] = [];
  const report = (problem: ChannelProblem): void => {
    problems.push(problem);
  };
  const here: Channel<Said, Said> = new Channel<Said, Said>({
    inbound: said,
    send: (data) => there.receive(structuredClone(data)),
    handle: () => undefined,
    report,
  });
  const there: Channel<Said, Said> = new Channel<Said, Said>({
    inbound: said,
    send: (data) => here.receive(structuredClone(data)),
    handle: (message) => {
      handled.push(message);
      return answer(message);
    },
    report,
  });
  return { here, there, handled, problems };
}

describe("The channel between host and view", () => {
  const answers: readonly (readonly [
    string,
    (message: Said) => Reply | undefined | Promise<Reply | undefined>,
    Reply,
  ])[] = [
    ["nothing", () => undefined, { kind: "done" }],
    ["a later nothing", () => Promise.resolve(undefined), { kind: "done" }],
    [
      "a typed no",
      () => ({ kind: "refused", message: "full" }),
      { kind: "refused", message: "full" },
    ],
    [
      "a throw",
      () => {
        throw new Error("broken");
      },
      { kind: "failed", message: "broken" },
    ],
    [
      "a rejection",
      () => Promise.reject(new Error("broken later")),
      { kind: "failed", message: "broken later" },
    ],
  ];
  for (const [name, answer, reply] of answers)
    it(`answers a request once, also with ${name}`, async () => {
      const { here } = line(answer);
      assert.deepEqual(await here.request({ say: "a" }), reply);
    });

  it("settles what waits when it is disposed, and what is asked after", async () => {
    const { here } = line(() => new Promise(() => undefined));
    const waiting = here.request({ say: "a" });
    here.dispose();
    assert.equal((await waiting).kind, "failed");
    assert.equal((await here.request({ say: "b" })).kind, "failed");
  });

  it("answers when what is sent can't be carried", async () => {
    const problems: ChannelProblem[] = [];
    const channel = new Channel<Said, Said>({
      inbound: said,
      send: () => {
        throw new Error("cannot be cloned");
      },
      handle: () => undefined,
      report: (problem) => problems.push(problem),
    });
    assert.equal((await channel.request({ say: "a" })).kind, "failed");
    assert.equal(problems.length, 1);
  });

  it("handles messages in the order they came", () => {
    const { here, handled } = line(() => Promise.resolve(undefined));
    for (const say of ["a", "b", "c"]) here.post({ say });
    assert.deepEqual(
      handled.map(({ say }) => say),
      ["a", "b", "c"],
    );
  });

  const misfits: readonly unknown[] = [
    undefined,
    null,
    "text",
    42,
    {},
    { kind: "post" },
    { kind: "post", body: { say: 1 } },
    { kind: "post", body: { say: "a", also: "b" } },
    { kind: "request", body: { say: "a" } },
    { kind: "request", id: -1, body: { say: "a" } },
    { kind: "run", command: "workbench.action.quit" },
    { kind: "post", body: { say: "a" }, extra: true },
    { kind: "reply", id: 1, body: { kind: "done", more: 1 } },
  ];
  it("I50: what does not fit is refused and reported, and nothing else happens", () => {
    for (const misfit of misfits) {
      const { there, handled, problems } = line(() => undefined);
      there.receive(misfit);
      assert.deepEqual(handled, [], JSON.stringify(misfit));
      assert.deepEqual(
        problems.map(({ kind }) => kind),
        ["refused"],
        JSON.stringify(misfit),
      );
    }
  });

  it("I50: a request that does not fit is answered as failed", async () => {
    const { here, handled, problems } = line(() => undefined);
    const reply = await here.request({ say: 1 } as unknown as Said);
    assert.equal(reply.kind, "failed");
    assert.deepEqual(handled, []);
    assert.equal(problems.length, 1);
  });
});
