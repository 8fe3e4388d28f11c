import type { Message } from "../message.ts";
import type { Store } from "../ports.ts";

/** Reads what copies among these messages repeat. */
export async function storedOriginals(
  store: Store,
  messages: readonly Message[],
): Promise<readonly Message[]> {
  const found = await Promise.all(
    messages
      .flatMap(({ retryOf }) => retryOf ?? [])
      .map((id) => store.message(id)),
  );
  return found.filter((message) => message !== undefined);
}

/** By the id of a copy: the message it repeats. */
export function originalsOf(
  copies: readonly Message[],
  originals: readonly Message[],
): Readonly<Record<string, Message>> {
  const entries = copies.flatMap(({ id, retryOf }) => {
    const original = originals.find((message) => message.id === retryOf);
    return original === undefined ? [] : [[id, original] as const];
  });
  return Object.fromEntries(entries);
}
