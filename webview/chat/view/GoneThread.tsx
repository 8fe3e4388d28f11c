import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { visible } from "../format.ts";
import { words } from "../strings.ts";
import type { GoneThread as Gone } from "../threadDesk.ts";
import { useApp } from "./context.ts";

/** How long a deletion can be undone from here. */
const undoFor = 20_000;

/** Where a deleted thread stood, with the way back in focus. */
export function GoneThread({ gone }: { readonly gone: Gone }): JSX.Element {
  const app = useApp();
  const button = useRef<HTMLButtonElement>(null);
  const [looked, setLooked] = useState(false);
  useEffect(() => button.current?.focus(), [gone]);
  useEffect(() => {
    if (looked) return undefined;
    const timer = setTimeout(() => app.threads.forget(gone), undoFor);
    return () => clearTimeout(timer);
  }, [gone, looked]);
  const undo = (): void => {
    void app.threads.undo(gone).then((done) => {
      if (!done) return;
      requestAnimationFrame(() => {
        const row = `.thread[data-thread="${CSS.escape(gone.id)}"] .thread-open`;
        document
          .querySelector<HTMLElement>(`${row}, [data-testid=composer]`)
          ?.focus();
      });
    });
  };
  const title = visible(gone.title || words.head.untitled);
  return (
    <p class="gone-thread" data-testid="thread-gone">
      <span class="cut" title={title}>
        {words.threads.deleted(title)}
      </span>
      <button
        type="button"
        class="link"
        data-testid="thread-undo"
        ref={button}
        onFocus={() => setLooked(true)}
        onBlur={() => setLooked(false)}
        onClick={undo}
      >
        {words.queue.undo}
      </button>
    </p>
  );
}
