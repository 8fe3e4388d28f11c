/** The keys of a keyboard event that matter here. */
export interface Keys {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** While an input method composes, Enter belongs to it. */
  readonly isComposing: boolean;
}

export type ComposerIntent = "send" | "now" | "newline" | undefined;

/** What Enter means in the composer. */
export function enterMeans(
  keys: Keys,
  enter: "send" | "newline",
): ComposerIntent {
  if (keys.key !== "Enter" || keys.isComposing || keys.altKey) return undefined;
  const command = keys.ctrlKey || keys.metaKey;
  if (enter === "send") {
    if (command) return "now";
    return keys.shiftKey ? "newline" : "send";
  }
  if (command) return keys.shiftKey ? "now" : "send";
  return "newline";
}

export type QueueIntent =
  | "up"
  | "down"
  | "moveUp"
  | "moveDown"
  | "edit"
  | "remove"
  | "undo"
  | "separate"
  | "hold";

/** What a key means while an item of the queue has focus. */
export function queueMeans(keys: Keys): QueueIntent | undefined {
  const command = keys.ctrlKey || keys.metaKey;
  // Caps Lock makes capitals of letters; only Shift means something else.
  const letter = keys.key.length === 1 && !keys.shiftKey;
  switch (letter ? keys.key.toLowerCase() : keys.key) {
    case "ArrowUp":
      return keys.altKey ? "moveUp" : "up";
    case "ArrowDown":
      return keys.altKey ? "moveDown" : "down";
    case "Enter":
    case "F2":
      return "edit";
    case "Delete":
    case "Backspace":
      return "remove";
    case "z":
      return command ? "undo" : undefined;
    case "s":
      return command ? undefined : "separate";
    case "h":
      return command ? undefined : "hold";
    default:
      return undefined;
  }
}
