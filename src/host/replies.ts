import type { Reply } from "../protocol/reply.ts";
import type { Submitted } from "./submits.ts";

/** How a view is answered: nothing when it was done, else a sentence for the user. */
export function told(answer: Submitted): Reply | undefined {
  return answer.ok ? undefined : refused(answer.detail);
}

export const refused = (message: string): Reply => ({
  kind: "refused",
  message,
});

export const refusedOr = (why: string | undefined): Reply | undefined =>
  why === undefined ? undefined : refused(why);
