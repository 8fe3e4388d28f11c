import type { Outcome } from "./outcomes.ts";

export type NotifySetting = "all" | "needsYou" | "off";

export type Happening =
  | ({ readonly kind: "ended" } & Outcome)
  | { readonly kind: "needsYou"; readonly what: string };

/** `here`: the thread is in view; `away`: it is, but in a window that has no focus; `hidden`: it is not. */
export type Looking = "here" | "away" | "hidden";

/** A turn that is over sooner is not worth a word to who sits before it. */
const longEnough = 5_000;

/** Whether the user is told of it outside the chat. */
export function worthTelling(
  happening: Happening,
  looking: Looking,
  setting: NotifySetting,
): boolean {
  if (setting === "off" || looking === "here") return false;
  if (happening.kind === "needsYou") return true;
  // Who stopped it knows.
  if (setting !== "all" || happening.status === "cancelled") return false;
  return looking === "hidden" || happening.ms >= longEnough;
}
