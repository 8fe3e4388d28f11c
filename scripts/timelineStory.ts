// Half an hour of five threads, for pictures of the timeline.
import { writeFileSync } from "node:fs";
import type { Body, Message, Snowflake } from "../src/core/message.ts";
import { snowflake } from "../src/core/snowflake.ts";
import { answerFileDialog } from "../test/e2e/fileDialog.ts";
import type { Lab } from "../test/e2e/lab.ts";
import { body, threadOf, user } from "../test/fakes/recordBuilder.ts";

/** What a turn spends its time on, in seconds. */
type Part = readonly ["think" | "tool" | "permission", number];
interface StoryTurn {
  /** Minutes before now at which each message was typed, and at which they were sent. */
  readonly typed: readonly number[];
  readonly sent: number;
  readonly parts: readonly Part[];
  readonly stop?: Extract<Body, { kind: "turnEnd" }>["stop"];
  /** Sends the messages of the turn before it again. */
  readonly again?: true;
  readonly type?: Message["batchType"];
}

const words = [
  "Now run the e2e tests and fix what breaks in checkout",
  "Skip the visual regression project for now",
  "Use the cart in e2e/fixtures/cart.json",
  "Draft the PR description from the diff",
];

const work = (...seconds: readonly number[]): readonly Part[] =>
  seconds.map((long, n) => [n % 2 === 0 ? "think" : "tool", long]);

const story: readonly {
  readonly title: string;
  readonly agent: string;
  readonly turns: readonly StoryTurn[];
}[] = [
  {
    title: "Upgrade to Vite 7",
    agent: "codex",
    turns: [
      {
        ...{ typed: [28], sent: 28, parts: work(90, 120) },
        stop: "error",
      },
      { typed: [28], sent: 22.5, parts: work(100, 210, 40), again: true },
      { typed: [20.6, 19.7, 17.2], sent: 15.4, parts: work(130, 600, 60) },
    ],
  },
  {
    title: "Review PR 412",
    agent: "codex",
    turns: [
      {
        ...{ typed: [25], sent: 25, parts: work(10, 100) },
        type: "agent_to_agent",
      },
      { typed: [9], sent: 9, parts: work(30, 95) },
      { typed: [8.4, 7.8], sent: 6.8, parts: work(5, 120, 25) },
    ],
  },
  {
    title: "Flaky checkout test",
    agent: "codex",
    turns: [
      { typed: [10], sent: 10, parts: work(60, 130), stop: "cancelled" },
      {
        ...{ typed: [4], sent: 4 },
        parts: [...work(40), ["permission", 25], ["tool", 90]],
      },
    ],
  },
  {
    title: "Docs: env variables",
    agent: "claude-code",
    turns: [{ typed: [26.5], sent: 26.5, parts: work(120, 25) }],
  },
  {
    title: "Run the e2e suite",
    agent: "claude-code",
    turns: [
      { typed: [28.5], sent: 28.5, parts: work(50, 80, 30) },
      {
        ...{ typed: [27, 26.2], sent: 25.4 },
        parts: [...work(50, 80), ["permission", 28], ["tool", 70]],
      },
      {
        ...{ typed: [24.5, 23.4, 23, 21], sent: 20.3 },
        parts: [...work(70, 170, 20), ["permission", 40], ["tool", 130]],
      },
      { typed: [16, 13.7], sent: 11.8, parts: work(80, 250, 30, 200) },
    ],
  },
];

/** Brings them into the record as a user would bring threads from elsewhere. */
export async function importStory(lab: Lab): Promise<void> {
  for (const [n, { title, agent, turns }] of story.entries()) {
    const id = `story-${n}`;
    const messages = told(id, agent, turns);
    const more = {
      ...{ title, agent, folder: lab.folder },
      // The last one stands first.
      ...{ createdAt: n + 1, updatedAt: Date.now() + n },
    };
    const lines = [
      { kind: "thread", turnline: 1, thread: threadOf(id, more) },
      ...messages.map((message) => ({ kind: "message", message })),
      { kind: "end", messages: messages.length },
    ];
    const file = `${lab.folder}/${id}.jsonl`;
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
    await lab.command("Turnline: Import Thread...");
    await answerFileDialog(lab.page, file);
  }
}

function told(
  thread: string,
  agent: string,
  turns: readonly StoryTurn[],
): readonly Message[] {
  const now = Date.now();
  let last: Snowflake | null = null;
  return turns.flatMap((turn, n) => {
    const before = last;
    let time = now - turn.sent * 60_000;
    let count = 0;
    const place = (): Snowflake => snowflake(time, count++);
    const batch = snowflake(time, 0);
    last = batch;
    const row = (one: Body, arrived?: number): Message => {
      const position = place();
      const typed = one.kind === "user";
      return {
        id: `${thread}-${n}-${count}`,
        ...{ thread, position, batch, sequence: count - 1, body: one },
        arrived: arrived === undefined ? position : snowflake(arrived, count),
        ...{ marks: {}, rank: null, batchType: turn.type ?? "user_request" },
        parentBatch: turn.again === true ? before : null,
        retryOf: turn.again === true && typed ? `${thread}-${n - 1}-1` : null,
        sender: typed ? user : { kind: "agent", id: agent, name: agent },
        state: !typed
          ? null
          : turns[n + 1]?.again === true
            ? "superseded"
            : "delivered",
      };
    };
    const rows = turn.typed.map((minutes, at) =>
      row(
        { kind: "user", blocks: [{ type: "text", text: words[at] ?? "" }] },
        now - minutes * 60_000,
      ),
    );
    time += 300;
    rows.push(row({ ...body.start([batch]), agent } as Body));
    for (const [at, [kind, seconds]] of turn.parts.entries()) {
      time += 100;
      const id = `tool-${n}-${at}`;
      const end = time + seconds * 1_000;
      if (kind === "think") rows.push(row({ kind: "thought", text: "Hm." }));
      else if (kind === "tool") rows.push(row(body.call(id)));
      else
        rows.push(
          row({
            ...{ kind: "permission", toolCallId: id, title: "Run it" },
            options: [{ id: "yes", name: "Allow once", kind: "allow_once" }],
            ...{ chosen: "yes", decidedAt: snowflake(end, 0) },
          }),
        );
      time = end;
      if (kind === "tool") rows.push(row(body.result(id)));
    }
    rows.push(row(body.end(turn.stop)));
    return rows;
  });
}
