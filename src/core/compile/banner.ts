import type { Marks } from "../message.ts";

type Reason = NonNullable<Marks["waited"]> | "none";

const phrases: Readonly<Record<Reason, string>> = {
  turn: "received while a turn was running",
  collected: "collected before sending",
  held: "held in the queue",
  restored: "restored to the queue",
  none: "waiting in the queue",
};

/** Tells the truth about why the messages are together, each reason with its messages where they differ. */
export function bannerOf(
  messages: readonly { readonly marks: Marks }[],
  key: string | null,
  boundaries: "tags" | "headers",
): string {
  const keyed =
    key === null
      ? ""
      : `; only ${boundaries} with the key ${key} separate messages`;
  return `[Batched: ${messages.length} messages${why(messages)} — handle as one logical unit${keyed}]`;
}

function why(messages: readonly { readonly marks: Marks }[]): string {
  const byReason = new Map<Reason, number[]>();
  messages.forEach(({ marks }, i) => {
    const reason = marks.waited ?? "none";
    byReason.set(reason, [...(byReason.get(reason) ?? []), i + 1]);
  });
  const reasons = [...byReason];
  const [first] = reasons;
  if (first !== undefined && reasons.length === 1)
    return ` ${phrases[first[0]]}`;
  const told = reasons.map(
    ([reason, indexes]) =>
      `${indexes.length} ${phrases[reason]} (${indexes.join(", ")})`,
  );
  return `: ${told.slice(0, -1).join(", ")} and ${told.at(-1) ?? ""}`;
}
