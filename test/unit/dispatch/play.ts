import type { Message, Sender } from "../../../src/core/message.ts";
import { capable } from "../../fakes/agent.ts";
import { failure, type Model } from "./model.ts";
import type { Act, Deed, Move, Scene } from "./moves.ts";

const senders: readonly Sender[] = [
  { kind: "user", name: "alice" },
  { kind: "agent", id: "peer", name: "Peer" },
  { kind: "trigger", id: "peer", name: "Timer" },
  { kind: "user", name: "alice" },
];

/** Plays a move on the model; what makes no sense now does nothing. */
export function play(model: Model, move: Move): void {
  const { state, process } = model;
  const item = (index: number): string | undefined =>
    state.queue[index % Math.max(1, state.queue.length)]?.id;
  const on = (index: number, run: (id: string) => void): void => {
    const id = item(index);
    if (id !== undefined) run(id);
  };
  switch (move.do) {
    case "submit":
      submit(model, move);
      return;
    case "again":
      again(model, move.n);
      return;
    case "remove":
      on(move.n, (id) => model.request({ kind: "remove", ids: [id] }));
      return;
    case "editBegin":
      on(move.n, (id) =>
        model.request({ kind: "editBegin", id, holder: "view" }),
      );
      return;
    case "editElsewhere":
      on(move.n, (id) =>
        model.request({ kind: "editBegin", id, holder: "other view" }),
      );
      return;
    case "editSave":
      on(move.n, (id) =>
        model.request({
          kind: "editSave",
          id,
          holder: "view",
          blocks: [{ type: "text", text: "edited" }],
        }),
      );
      return;
    case "editCancel":
      model.request({ kind: "editCancel", holder: "view" });
      model.request({ kind: "editCancel", holder: "other view" });
      return;
    case "split":
      on(move.n, (id) =>
        model.request({
          kind: "editSave",
          id,
          holder: "view",
          blocks: [{ type: "text", text: "ab" }],
          split: { offset: 1, newId: model.uuid() },
        }),
      );
      return;
    case "separate":
      on(move.n, (id) =>
        model.request({ kind: "separate", id, on: move.n % 2 === 0 }),
      );
      return;
    case "sendNow":
      on(move.n, (id) => model.request({ kind: "sendNow", id }));
      return;
    case "sendAll":
      model.request({ kind: "sendNow", id: null });
      return;
    case "reorder":
      on(move.n, (id) => {
        const before = item(move.m) ?? null;
        model.request({
          kind: "reorder",
          id,
          before: before === id ? null : before,
        });
      });
      return;
    case "merge":
      on(move.n, (id) =>
        on(move.m, (other) =>
          model.request({ kind: "merge", id, with: other }),
        ),
      );
      return;
    case "restore":
      model.request({
        kind: "restore",
        messages: model
          .messages()
          .filter(({ state: is }) => is === "discarded"),
        originals: model.messages(),
      });
      return;
    case "retry":
      model.request({ kind: "retry", originals: aborted(model) });
      return;
    case "discard":
      model.request({ kind: "discard", messages: aborted(model) });
      return;
    case "hold":
    case "resume":
    case "cancel":
    case "cancelAll":
    case "reset":
      model.request({ kind: move.do });
      return;
    case "otherAgent":
      model.request({
        kind: "setAgent",
        agent: state.thread.agent === "a" ? "b" : "a",
      });
      return;
    case "otherFolder":
      model.request({
        kind: "setFolder",
        folder: state.thread.folder === "/work" ? "/other" : "/work",
      });
      return;
    case "rename":
      model.request({ kind: "rename", title: "named" });
      return;
    case "archive":
      model.request({ kind: "archive", on: !state.thread.archived });
      return;
    case "fullTurn":
    case "silence":
    case "failures":
    case "agentBurst":
    case "secondThoughts":
      scene(model, move);
      return;
    case "pass":
      model.at += move.ms;
      model.tell({ kind: move.timer ? "wake" : "dispatch" });
      return;
    case "suspend":
      model.tell({ kind: "suspend" });
      return;
    case "diskFull":
      model.failCommits = 1;
      return;
    case "crash":
      model.crash();
      return;
    case "shutdown":
      model.tell({ kind: "shutdown" });
      // A host that cannot write does not take over.
      model.failCommits = 0;
      model.crash();
      return;
    case "stale":
      model.tell({ kind: "agentGone", life: state.nextLife + move.n });
      model.tell({
        kind: "turnEnded",
        life: -1,
        batch: state.turn?.batch ?? "",
        result: { ok: true, value: { stopReason: "end_turn" } },
      });
      return;
    case "process":
      if (process !== undefined) drive(model, process.life, move.act);
  }
}

/** What the process does next, where it can. */
function drive(model: Model, life: number, act: Act): void {
  const process = model.processes.get(life);
  if (process === undefined) return;
  const { stage } = process;
  switch (act.does) {
    case "started":
      if (stage !== "starting") return;
      process.stage = "started";
      model.tell({
        kind: "agentStarted",
        life,
        identity: { nonce: `n${life}`, pid: life, startTime: "" },
        capabilities: capable,
      });
      return;
    case "live":
      drive(model, life, { does: "started" });
      drive(model, life, { does: "opened" });
      return;
    case "startFails":
      if (stage !== "starting") return;
      process.stage = "gone";
      model.tell({ kind: "agentFailed", life, failure: failure(act.kind) });
      return;
    case "opened":
      if (stage !== "opening") return;
      process.stage = "live";
      process.sessionId = process.resume ?? `s${life}`;
      model.tell({ kind: "sessionOpened", life, sessionId: process.sessionId });
      return;
    case "openFails":
      if (stage === "opening")
        model.tell({
          kind: "sessionFailed",
          life,
          failure: failure(act.kind),
        });
      return;
    case "turnEnds":
      if (process.prompt === null || stage === "ending") return;
      respond(model, life, { ok: true, value: { stopReason: act.stop } });
      return;
    case "turnFails":
      if (process.prompt === null || stage === "ending") return;
      respond(model, life, { ok: false, failure: failure(act.kind) });
      return;
    case "update":
      if (process.prompt !== null) process.seen = true;
      model.lastSign = model.at;
      return;
    case "die":
      if (stage !== "live") return;
      if (process.prompt !== null)
        respond(model, life, { ok: false, failure: failure("exited") });
      model.tell({ kind: "agentEnded", life, failure: failure("exited") });
      return;
    case "gone":
      if (stage !== "ending") return;
      process.stage = "gone";
      process.prompt = null;
      model.tell({ kind: "agentGone", life });
      return;
    case "probe":
      if (stage === "live" || stage === "opening")
        model.tell({ kind: "probeAnswered", life });
      return;
    case "commands":
      if (stage === "live")
        model.tell({ kind: "commands", life, names: ["go"] });
      return;
    case "awaitsSlot":
      if (stage === "starting") model.tell({ kind: "slotAwaited", life });
      return;
    case "compacted":
      if (stage === "live") model.tell({ kind: "compacted", life });
      return;
    case "title":
      if (stage === "live")
        model.tell({ kind: "title", life, title: "by the agent" });
      return;
    case "formAnswered":
      model.request({
        kind: "answerElicitation",
        id: "form",
        answer: { action: "cancel" },
      });
      return;
    case "ask":
      if (stage === "live")
        model.tell({ kind: "permissionOpened", life, id: model.uuid() });
      return;
    case "withdraw":
    case "isAnswered": {
      const [id] = model.state.permissions;
      if (id === undefined || stage !== "live") return;
      if (act.does === "withdraw")
        model.tell({ kind: "permissionClosed", life, id });
      else model.request({ kind: "answerPermission", id, option: "yes" });
    }
  }
}

function respond(
  model: Model,
  life: number,
  result: Parameters<typeof turnEnded>[2],
): void {
  const process = model.processes.get(life);
  const batch = process?.prompt ?? null;
  if (process === undefined || batch === null) return;
  process.prompt = null;
  model.tell(turnEnded(life, batch, result));
}

function turnEnded(
  life: number,
  batch: string,
  result:
    | { readonly ok: true; readonly value: { readonly stopReason: string } }
    | { readonly ok: false; readonly failure: ReturnType<typeof failure> },
) {
  return { kind: "turnEnded", life, batch, result } as const;
}

function submit(
  model: Model,
  { who, size, how }: Extract<Move, { do: "submit" }>,
): void {
  const id = model.uuid();
  const newest = model.state.newest?.batch;
  const text = how === "slash" ? "/go on" : "x".repeat(size);
  model.request({
    kind: "submit",
    message: {
      id,
      sender: senders[who] ?? { kind: "user", name: "alice" },
      blocks: [{ type: "text", text }],
      mentions: ["t"],
      ...(how === "separate" ? { separate: true } : {}),
      ...(how === "now" ? { now: true } : {}),
      ...(how === "first" ? { first: true } : {}),
      ...(how === "continues" && newest !== undefined
        ? { continues: newest }
        : {}),
    },
  });
}

/** The same request id once more: acknowledged, and nothing else. */
function again(model: Model, n: number): void {
  const known = [...(model.state.turn?.messages ?? []), ...model.state.queue];
  const message = known[n % Math.max(1, known.length)];
  if (message?.body.kind !== "user") return;
  const before = model.messages().length;
  model.request({
    kind: "submit",
    message: {
      id: message.id,
      sender: message.sender,
      blocks: message.body.blocks,
    },
  });
  if (model.messages().length !== before)
    throw new Error("a repeated request was queued again");
}

function aborted(model: Model): readonly Message[] {
  return model
    .messages()
    .filter(({ state }) => state === "seenAborted" || state === "uncertain");
}

/** Several moves that belong together. */
function scene(model: Model, what: Scene): void {
  const act = (...acts: readonly Act[]): void => {
    for (const one of acts) play(model, { do: "process", act: one });
  };
  const say = (who: number): void =>
    play(model, { do: "submit", who, size: 1, how: "plain" });
  const live: Act = { does: "live" };
  switch (what.do) {
    case "fullTurn":
      if (model.state.queue.length === 0) say(0);
      act({ does: "gone" }, live, { does: "probe" }, { does: "update" });
      for (let n = 0; n < what.more; n += 1) say(0);
      act({ does: "turnEnds", stop: what.stop });
      return;
    case "silence":
      if (model.state.turn === null) say(0);
      act({ does: "gone" }, live, { does: "probe" });
      for (let n = 0; n < what.ticks; n += 1) {
        model.at += 5_000;
        model.tell({ kind: "wake" });
      }
      return;
    case "failures":
      for (let n = 0; n < 2; n += 1) {
        say(0);
        act({ does: "gone" }, live);
        say(0);
        act({ does: "turnFails", kind: what.kind });
      }
      return;
    case "agentBurst":
      for (let n = 0; n < what.turns; n += 1) {
        say(1);
        act({ does: "gone" }, live, { does: "turnEnds", stop: "end_turn" });
      }
      say(1);
      return;
    case "secondThoughts":
      say(0);
      act({ does: "gone" }, live, { does: "die" }, { does: "gone" });
      for (const deed of what.deeds) think(model, deed);
  }
}

/** One thing done about a turn that was cut off. */
function think(model: Model, deed: Deed): void {
  const act = (...acts: readonly Act[]): void => {
    for (const one of acts) play(model, { do: "process", act: one });
  };
  switch (deed) {
    case "remove":
      play(model, { do: "remove", n: 0 });
      return;
    case "continue":
      play(model, { do: "submit", who: 0, size: 1, how: "continues" });
      return;
    case "live":
      act({ does: "gone" }, { does: "live" });
      return;
    case "ends":
      act({ does: "turnEnds", stop: "end_turn" });
      return;
    case "dies":
      act({ does: "update" }, { does: "die" }, { does: "gone" });
      return;
    case "retry":
    case "discard":
    case "restore":
    case "hold":
    case "resume":
    case "crash":
      play(model, { do: deed });
  }
}
