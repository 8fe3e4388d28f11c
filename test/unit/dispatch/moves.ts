import fc from "fast-check";
import type { AgentFailureKind } from "../../../src/core/agentPort.ts";

/** Something that happens, told without knowing the state: an index means "one of those there are". */
export type Move =
  | {
      readonly do: "submit";
      readonly who: number;
      readonly size: number;
      readonly how:
        "plain" | "slash" | "separate" | "now" | "first" | "continues";
    }
  | {
      readonly do:
        | "again"
        | "remove"
        | "editBegin"
        | "editElsewhere"
        | "editSave"
        | "split"
        | "separate"
        | "sendNow";
      readonly n: number;
    }
  | { readonly do: "reorder" | "merge"; readonly n: number; readonly m: number }
  | {
      readonly do:
        | "editCancel"
        | "restore"
        | "hold"
        | "resume"
        | "sendAll"
        | "cancel"
        | "cancelAll"
        | "retry"
        | "discard"
        | "reset"
        | "otherAgent"
        | "otherFolder"
        | "rename"
        | "archive";
    }
  | Scene
  | { readonly do: "process"; readonly act: Act }
  | { readonly do: "pass"; readonly ms: number; readonly timer: boolean }
  | { readonly do: "stale"; readonly n: number }
  | { readonly do: "diskFull" | "crash" | "suspend" | "shutdown" };

/** What moves of their own seldom add up to. */
export type Scene =
  | { readonly do: "fullTurn"; readonly stop: string; readonly more: number }
  | { readonly do: "silence"; readonly ticks: number }
  | { readonly do: "failures"; readonly kind: AgentFailureKind }
  | { readonly do: "agentBurst"; readonly turns: number }
  | { readonly do: "secondThoughts"; readonly deeds: readonly Deed[] };

/** What may be done about a turn that was cut off. */
export type Deed =
  | "retry"
  | "discard"
  | "restore"
  | "remove"
  | "continue"
  | "hold"
  | "resume"
  | "live"
  | "ends"
  | "dies"
  | "crash";

/** What the process that lives now does, where it can. */
export type Act =
  | {
      readonly does:
        | "live"
        | "started"
        | "opened"
        | "update"
        | "die"
        | "gone"
        | "probe"
        | "ask"
        | "withdraw"
        | "isAnswered"
        | "commands"
        | "awaitsSlot"
        | "compacted"
        | "title"
        | "formAnswered";
    }
  | {
      readonly does: "startFails" | "openFails" | "turnFails";
      readonly kind: AgentFailureKind;
    }
  | { readonly does: "turnEnds"; readonly stop: string };

const kinds: readonly AgentFailureKind[] = [
  "notFound",
  "exited",
  "timeout",
  "protocol",
  "signIn",
  "noSession",
  "refused",
];
const n = fc.nat(7);
const stop = fc.constantFrom(
  ...["end_turn", "end_turn", "max_tokens"],
  ...["refusal", "cancelled", "whatever"],
);
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc
      .constantFrom(
        ...(["live", "live", "live", "started", "opened", "update"] as const),
        ...(["die", "gone", "gone", "probe", "ask", "withdraw"] as const),
        ...(["isAnswered", "commands", "awaitsSlot", "compacted"] as const),
        ...(["title", "formAnswered"] as const),
      )
      .map((does) => ({ does })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constantFrom("startFails", "openFails", "turnFails"),
      kind: fc.constantFrom(...kinds),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ does: fc.constant("turnEnds"), stop }),
  },
);

const deed: fc.Arbitrary<Deed> = fc.constantFrom(
  ...(["retry", "retry", "discard", "restore", "remove"] as const),
  ...(["continue", "hold", "resume", "live", "ends"] as const),
  ...(["dies", "crash"] as const),
);

export const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("submit"),
      who: fc.nat(3),
      size: fc.constantFrom(1, 8, 60),
      how: fc.constantFrom(
        ...(["plain", "plain", "plain", "slash", "separate"] as const),
        ...(["now", "first", "continues"] as const),
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...(["again", "remove", "editBegin", "editSave"] as const),
        "editElsewhere" as const,
        ...(["split", "separate", "sendNow"] as const),
      ),
      n,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("reorder", "merge"), n, m: n }),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(
        ...(["editCancel", "restore", "hold", "resume", "resume"] as const),
        ...(["sendAll", "cancel", "cancel", "cancelAll", "retry"] as const),
        ...(["retry", "discard", "reset", "otherAgent", "suspend"] as const),
        ...(["otherFolder", "rename", "archive"] as const),
      )
      .map((name) => ({ do: name })),
  },
  { weight: 16, arbitrary: fc.record({ do: fc.constant("process"), act }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("pass"),
      ms: fc.constantFrom(1, 300, 5_000, 11_000, 400_000, 1_000_000),
      timer: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("stale"), n }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom("diskFull", "crash", "shutdown")
      .map((name) => ({ do: name })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("fullTurn"),
      stop,
      more: fc.nat(4),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("silence"),
      ticks: fc.constantFrom(5, 6, 9),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("agentBurst"), turns: fc.nat(4) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("failures"),
      kind: fc.constantFrom("refused", "exited", "signIn"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("secondThoughts"),
      deeds: fc.array(deed, { minLength: 2, maxLength: 8 }),
    }),
  },
);
