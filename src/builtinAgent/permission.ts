import type { ToolPart } from "./part.ts";
import type { World } from "./world.ts";

/** Asks, unless the user allowed just this for the session; undefined means yes, a sentence says why not. */
export async function permitted(
  world: World,
  call: ToolPart,
  always: { readonly key: string; readonly name: string },
): Promise<string | undefined> {
  const { memory } = world;
  if (memory.allowed.has(always.key)) return undefined;
  const decision = await world.ask({ call, always: always.name });
  switch (decision) {
    case "always":
      memory.allowed.add(always.key);
      return undefined;
    case "allowed":
      return undefined;
    case "rejected":
      return "You did not allow it.";
    case "cancelled":
      return "Cancelled.";
    case "unanswered":
      return "The editor could not ask you for permission.";
  }
}
