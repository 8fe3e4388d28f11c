import assert from "node:assert/strict";
import { settle } from "../../../src/core/compile/memory.ts";
import type { Compiled } from "../../../src/core/compile/types.ts";
import type {
  Marks,
  Message,
  MessageState,
  Sender,
  StopReason,
} from "../../../src/core/message.ts";
import type { Session } from "../../../src/core/thread.ts";
import {
  alice,
  calls,
  claude,
  codex,
  compileFor,
  identity,
  live,
  results,
  says,
  sessionOf,
  Story,
  text,
  thinks,
  todo,
  wordsOf,
  type Agent,
  type Said,
} from "./story.ts";

export type Op =
  | {
      readonly op: "submit";
      readonly bot: boolean;
      readonly command: boolean;
      readonly waited: NonNullable<Marks["waited"]>;
    }
  | { readonly op: "reorder" }
  | {
      readonly op: "dispatch";
      readonly agent: 0 | 1;
      readonly mode: "batched" | "lane" | "one";
      readonly outcome: keyof typeof outcomes;
      readonly tools: readonly ("pair" | "open" | "stray")[];
      readonly todo: string;
      readonly continues: boolean;
    }
  | { readonly op: "late"; readonly tool: boolean }
  | { readonly op: "retry" }
  | { readonly op: "discard" }
  | { readonly op: "lose"; readonly agent: 0 | 1 };

interface Outcome {
  readonly stop: StopReason;
  readonly state: MessageState;
  readonly speaks: boolean;
}

export const outcomes = {
  success: { stop: "end_turn", state: "delivered", speaks: true },
  cutOff: { stop: "max_tokens", state: "delivered", speaks: true },
  cancelled: { stop: "cancelled", state: "delivered", speaks: true },
  cancelledEarly: { stop: "cancelled", state: "delivered", speaks: false },
  died: { stop: "error", state: "seenAborted", speaks: true },
  diedUnread: { stop: "error", state: "uncertain", speaks: false },
  // So it was once recorded, though nothing shows that it was read.
  erroredUnread: { stop: "error", state: "seenAborted", speaks: false },
  crashed: { stop: "interrupted", state: "seenAborted", speaks: true },
  crashedUnread: { stop: "interrupted", state: "uncertain", speaks: false },
  refused: { stop: "refusal", state: "delivered", speaks: true },
} satisfies Readonly<Record<string, Outcome>>;

/** A session as the test knows it: by what went in and came out, not by cursors. */
interface Known {
  session: Session;
  readonly got: Set<string>;
  /** Sent with no sign of having been read: for the user to decide about. */
  readonly maybe: Set<string>;
  readonly wrote: Set<string>;
  /** The todo list it has. */
  told: string;
  /** It may have another, or none. */
  unsure: boolean;
}

interface Queued {
  readonly said: Said;
  readonly lane: string;
  readonly alone: boolean;
}

export interface Sent {
  readonly compiled: Compiled;
  readonly start: Message;
}

const bot: Sender = { kind: "agent", id: "ci", name: "CI" };
const agents: readonly [Agent, Agent] = [claude, codex];

/** A thread lived through by an interpreter of operations; checks every prompt against what its session knows. */
export class World {
  readonly story = new Story();
  readonly sent: Sent[] = [];
  readonly texts = new Map<string, string>();
  readonly #sessions = new Map<string, Known>();
  readonly #ran = new Map<string, { agent: Agent; known: Known }>();
  #queue: Queued[] = [];
  #markers = 0;

  run(op: Op): void {
    switch (op.op) {
      case "submit": {
        const words = `${op.command ? "/do " : ""}${this.#marker()}`;
        const sender = op.bot ? bot : alice;
        const said = {
          blocks: [text(words)],
          sender,
          marks: { waited: op.waited },
        };
        this.#queue.push({ said, lane: sender.kind, alone: op.command });
        return;
      }
      case "reorder":
        this.#queue.reverse();
        return;
      case "dispatch":
        this.#dispatch(op);
        return;
      case "late":
        this.#late(op.tool);
        return;
      case "retry": {
        const original = this.#aborted();
        if (original === undefined) return;
        // A copy says the same; here it is marked anew, to be told from its original.
        const blocks = [text(this.#marker())];
        const said = { blocks, sender: original.sender, retryOf: original.id };
        this.#queue.unshift({ said, lane: "retry", alone: true });
        return;
      }
      case "discard": {
        const message = this.#aborted();
        if (message !== undefined) this.story.setState([message], "discarded");
        return;
      }
      case "lose": {
        const { id } = agents[op.agent];
        const known = this.#sessions.get(id);
        if (known === undefined) return;
        const generation = known.session.generation + 1;
        this.#sessions.set(id, fresh(agents[op.agent], generation));
      }
    }
  }

  #dispatch(op: Extract<Op, { op: "dispatch" }>): void {
    const picked = this.#pick(op.mode);
    if (picked.length === 0) return;
    const agent = agents[op.agent];
    const known = this.#sessions.get(agent.id) ?? fresh(agent, 1);
    this.#sessions.set(agent.id, known);
    const newest = op.continues ? this.story.rows.at(-1)?.batch : undefined;
    const batch = this.story.claim(
      picked.map(({ said }) => said),
      newest ?? undefined,
    );
    const compiled = compileFor(this.story, batch, {
      agent,
      memory: live(known.session),
      fragments: [identity, todo(op.todo)],
      commands: ["do"],
      budgetTokens: 1_000_000,
    });
    const alone = compiled.recipe.form?.alone === true;
    this.#check(compiled, batch, known);
    if (!alone) checkFragments(compiled, known, op.todo);
    this.#settle(op, agent, known, batch, compiled);
  }

  #settle(
    op: Extract<Op, { op: "dispatch" }>,
    agent: Agent,
    known: Known,
    batch: readonly Message[],
    compiled: Compiled,
  ): void {
    const outcome: Outcome = outcomes[op.outcome];
    const id = batch[0]?.batch ?? "";
    for (const { hash, text: kept } of compiled.keep)
      this.texts.set(hash, kept);
    const start = this.story.start(batch, known.session, compiled.recipe);
    this.sent.push({ compiled, start });
    const copied = new Set(batch.map(({ retryOf }) => retryOf));
    this.story.setState(
      this.story.rows.filter((row) => copied.has(row.id)),
      "superseded",
    );
    if (outcome.speaks) this.#speak(op.tools, id, agent, known);
    this.story.append(id, agent, { kind: "turnEnd", stop: outcome.stop });
    this.story.setState(batch, outcome.state);
    const own = markersIn(
      wordsOf(
        batch.flatMap(({ body }) => (body.kind === "user" ? body.blocks : [])),
      ),
    );
    const read =
      (outcome.speaks || outcome.state === "delivered") &&
      outcome.stop !== "refusal";
    for (const marker of own) known.maybe.add(marker);
    if (read)
      for (const marker of markersIn(wordsOf(compiled.blocks)))
        known.got.add(marker);
    const succeeded =
      outcome.stop === "end_turn" || outcome.stop === "max_tokens";
    const sent = compiled.recipe.form?.alone === true ? known.told : op.todo;
    known.unsure =
      (!succeeded && (known.told !== "" || sent !== "")) ||
      (known.unsure && (!succeeded || compiled.recipe.form?.alone === true));
    known.told = succeeded ? sent : "";
    const before = known.session.cursor;
    known.session = settle(known.session, compiled, outcome.stop);
    const { cursor } = known.session;
    if (!succeeded) assert.equal(cursor, before, "I40: moved by a failure");
    else if (cursor !== before)
      assert.ok(
        compiled.recipe.positions.includes(cursor ?? ""),
        "I40: moved to what was not compiled",
      );
    const died = outcome.stop === "error" || outcome.stop === "interrupted";
    if (died) this.#ran.delete(id);
    else this.#ran.set(id, { agent, known });
  }

  #speak(
    tools: Extract<Op, { op: "dispatch" }>["tools"],
    batch: string,
    agent: Agent,
    known: Known,
  ): void {
    const write = () => {
      const marker = this.#marker();
      known.wrote.add(marker);
      return marker;
    };
    this.story.append(batch, agent, thinks("hm"));
    tools.forEach((tool, i) => {
      const call = `${batch}-${i}-${this.story.last}`;
      const title = write();
      if (tool !== "stray") this.story.append(batch, agent, calls(call, title));
      if (tool !== "open")
        this.story.append(batch, agent, results(call, `${title}result`));
    });
    this.story.append(batch, agent, says(write()));
  }

  /** More of a turn that has ended, from an agent that still runs. */
  #late(tool: boolean): void {
    const [batch, ran] =
      [...this.#ran].findLast(([, { known }]) => this.#isCurrent(known)) ?? [];
    if (batch === undefined || ran === undefined) return;
    const open = this.story.rows.find(
      (row) => row.batch === batch && row.body.kind === "toolCall",
    );
    const marker = this.#marker();
    ran.known.wrote.add(marker);
    const body =
      tool && open?.body.kind === "toolCall"
        ? results(open.body.toolCallId, marker)
        : says(marker);
    this.story.append(batch, ran.agent, body, { late: true });
  }

  /** I37, I41: nothing twice, nothing of its own, nothing missing. */
  #check(compiled: Compiled, batch: readonly Message[], known: Known): void {
    const words = wordsOf(compiled.blocks);
    const inPrompt = markersIn(words);
    const ours = new Set(
      batch.flatMap((message) => markersIn(bodyWords(message))),
    );
    const unique = new Set(inPrompt);
    assert.equal(unique.size, inPrompt.length, "a message is there twice");
    for (const marker of ours)
      assert.ok(unique.has(marker), "the batch is whole");
    for (const marker of unique) {
      if (ours.has(marker)) continue;
      assert.ok(!known.got.has(marker), `${marker} was sent before`);
      assert.ok(!known.wrote.has(marker), `${marker} is its own`);
      assert.ok(
        !known.maybe.has(marker),
        `${marker} is for the user to decide`,
      );
    }
    for (const row of this.story.rows)
      if (batch.some(({ retryOf }) => retryOf === row.id))
        for (const marker of markersIn(bodyWords(row)))
          assert.ok(!unique.has(marker), `${marker} is there as its copy`);
    const results = words.match(/⟦\d+⟧result/gu) ?? [];
    for (const result of results)
      assert.ok(unique.has(result.replace("result", "")));
    if (compiled.recipe.form?.alone === true) return;
    for (const marker of this.#due(batch))
      assert.ok(
        [unique, known.got, known.wrote, known.maybe].some((set) =>
          set.has(marker),
        ),
        `${marker} is missing`,
      );
  }

  /** What any session has to know by now: the user's words, and what agents said in turns that did not crash. */
  #due(batch: readonly Message[]): string[] {
    const carried = new Set(batch.flatMap(({ id, retryOf }) => [id, retryOf]));
    const { rows } = this.story;
    const stays = (row: Message) =>
      row.body.kind === "user" &&
      !carried.has(row.id) &&
      ["sent", "delivered", "seenAborted", "uncertain"].includes(
        row.state ?? "",
      );
    const answered = new Set(rows.filter(stays).map((row) => row.batch));
    return rows
      .filter((row) => {
        if (row.body.kind === "user") return stays(row);
        return (
          row.body.kind === "agent" &&
          answered.has(row.batch) &&
          !this.#isDebris(row)
        );
      })
      .flatMap((row) => markersIn(bodyWords(row)));
  }

  #isDebris(row: Message): boolean {
    const batch = this.story.rows.filter((one) => one.batch === row.batch);
    const startAt = batch.findLastIndex(
      (one) =>
        one.body.kind === "turnStart" &&
        (one.sequence ?? 0) < (row.sequence ?? 0),
    );
    const end = batch.slice(startAt).find((one) => one.body.kind === "turnEnd");
    return (
      end?.body.kind === "turnEnd" &&
      ["error", "interrupted"].includes(end.body.stop)
    );
  }

  #isCurrent(known: Known): boolean {
    return this.#sessions.get(known.session.agent) === known;
  }

  #pick(mode: "batched" | "lane" | "one"): Queued[] {
    const [head] = this.#queue;
    if (head === undefined) return [];
    const barrier = this.#queue.findIndex(({ alone }) => alone);
    const free = barrier < 0 ? this.#queue : this.#queue.slice(0, barrier);
    const picked =
      mode === "one" || head.alone
        ? [head]
        : free.filter(({ lane }) => mode === "batched" || lane === head.lane);
    this.#queue = this.#queue.filter((item) => !picked.includes(item));
    return picked;
  }

  #aborted(): Message | undefined {
    const copied = new Set(this.#queue.map(({ said }) => said.retryOf));
    return this.story.rows.findLast(
      ({ id, state }) =>
        (state === "seenAborted" || state === "uncertain") && !copied.has(id),
    );
  }

  #marker(): string {
    this.#markers += 1;
    return `⟦${this.#markers}⟧`;
  }
}

function fresh(agent: Agent, generation: number): Known {
  const sessionId = `${agent.id}-${generation}`;
  return {
    session: sessionOf(agent, { generation, sessionId }),
    got: new Set(),
    maybe: new Set(),
    wrote: new Set(),
    told: "",
    unsure: false,
  };
}

/** Dynamic context goes when the session was last told something else; static only with everything. */
function checkFragments(compiled: Compiled, known: Known, now: string): void {
  const labels = compiled.parts.flatMap(({ kind, label }) =>
    kind === "fragment" ? [label] : [],
  );
  const full = compiled.kind === "full";
  assert.equal(
    labels.includes("todo"),
    full ? now !== "" : known.unsure || known.told !== now,
  );
  assert.equal(labels.includes("identity"), full);
}

function bodyWords({ body }: Message): string {
  if (body.kind === "user") return wordsOf(body.blocks);
  return body.kind === "agent" ? body.text : "";
}

/** Each with its repetitions; a result carries its call's marker and is not counted for itself. */
function markersIn(words: string): string[] {
  return words.match(/⟦\d+⟧(?!result)/gu) ?? [];
}
