import type { Message } from "../../src/core/message.ts";

/** As the store's `sinceUser` answers, from all rows of a thread. */
export function sinceUser(
  rows: readonly Message[],
  limit: number,
): readonly Message[] {
  const submitted = rows.filter(({ state }) => state !== null);
  const since = submitted
    .filter(({ sender, retryOf }) => sender.kind === "user" && retryOf === null)
    .reduce((last, { arrived }) => (arrived > last ? arrived : last), "");
  const newest = (
    of: readonly Message[],
    place: (message: Message) => string,
  ): readonly Message[] =>
    of
      .filter((message) => place(message) >= since)
      .sort((one, other) => (place(one) < place(other) ? -1 : 1))
      .slice(-limit);
  const unplaced = submitted.filter(({ position }) => position === null);
  return [
    ...newest(
      rows.filter(
        ({ position, body }) =>
          position !== null &&
          (body.kind === "user" || body.kind === "turnStart"),
      ),
      ({ position }) => position ?? "",
    ),
    ...newest(
      unplaced.filter(({ state }) => state === "discarded"),
      ({ arrived }) => arrived,
    ),
    ...newest(
      unplaced.filter(({ state }) => state === "queued"),
      ({ arrived }) => arrived,
    ),
  ];
}
