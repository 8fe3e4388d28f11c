import type { Sender } from "../message.ts";

/** The name a message is shown under; never empty. */
export function nameOf(sender: Sender): string {
  return sender.name.trim() === "" ? sender.kind : sender.name;
}

/**
 * A label for each sender, the same for the same sender and different for different ones:
 * names are free, so where two senders share one, all of them carry what they are.
 */
export function labelsOf(senders: readonly Sender[]): string[] {
  const byName = new Map<string, string>();
  let shared = false;
  for (const sender of senders) {
    const name = nameOf(sender).trim().toLowerCase();
    const identity = identityOf(sender);
    if ((byName.get(name) ?? identity) !== identity) shared = true;
    byName.set(name, identity);
  }
  return senders.map((sender) =>
    shared ? `${nameOf(sender)} (${identityOf(sender)})` : nameOf(sender),
  );
}

/** Holds no space, so that the last ` (` of a label always begins it. */
function identityOf(sender: Sender): string {
  return sender.kind === "user"
    ? "user"
    : `${sender.kind}:${sender.id.replace(/[^\w.-]/g, hexOf)}`;
}

function hexOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}
