import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Removed } from "../queueDesk.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";

/** How long a removal can be undone from here; from the record, always. */
const undoFor = 12_000;

interface GoneProps {
  readonly removed: Removed;
  readonly undo: (removed: Removed) => void;
}

/** What was taken out of the queue, where it stood, with the way back. */
export function QueueGone({ removed, undo }: GoneProps): JSX.Element {
  const app = useApp();
  const button = useRef<HTMLButtonElement>(null);
  const [looked, setLooked] = useState(false);
  const unsent = removed.unsent === true;
  const many = removed.ids.length > 1 || unsent;
  useEffect(() => {
    if (!unsent) button.current?.focus();
  }, [removed]);
  useEffect(() => {
    // What many messages hang on stays until it is used; one goes when nobody looks at it any more.
    if (many || looked) return undefined;
    const timer = setTimeout(() => app.queue.forget(removed), undoFor);
    return () => clearTimeout(timer);
  }, [removed, looked]);
  return (
    <li class="q gone">
      <p>
        {unsent
          ? words.queue.unsent(removed.ids.length)
          : many
            ? words.queue.removedMany(removed.ids.length)
            : words.queue.removed}{" "}
        <button
          type="button"
          class="link"
          data-testid="queue-undo"
          ref={button}
          onFocus={() => setLooked(true)}
          onBlur={() => setLooked(false)}
          onClick={() => undo(removed)}
        >
          {many ? words.queue.restore : words.queue.undo}
        </button>
      </p>
    </li>
  );
}
