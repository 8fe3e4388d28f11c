import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { FoundText } from "../../../src/protocol/reply.ts";
import { visible } from "../format.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import { Icon } from "./Icon.tsx";

/** Shorter words are found everywhere. */
const shortest = 2;

/** What was said that fits, asked for as one types. */
export function useTexts(query: string): readonly FoundText[] {
  const app = useApp();
  const [texts, setTexts] = useState<readonly FoundText[]>([]);
  useEffect(() => {
    let over = false;
    if (query.length < shortest) setTexts([]);
    else
      void app.searchThreads(query).then((found) => {
        // A slower answer to an earlier question is no answer.
        if (!over) setTexts(found);
      });
    return () => {
      over = true;
    };
  }, [query]);
  return texts;
}

interface FoundProps {
  readonly text: FoundText;
  readonly query: string;
}

export function FoundRow({ text, query }: FoundProps): JSX.Element {
  const app = useApp();
  const { thread, message, at, excerpt } = text;
  const title = app.store.is.threads.value.find(
    ({ id }) => id === thread,
  )?.title;
  const shown = visible(excerpt);
  return (
    <button
      type="button"
      class="row two found-open"
      data-testid="thread-text"
      onClick={() => {
        app.showThreads.value = false;
        const words = query;
        void app.asked({ type: "openFound", thread, message, at, words });
      }}
    >
      <span class="mk">
        <Icon name="comment" />
      </span>
      <div>
        <div class="cut" title={shown}>
          {shown}
        </div>
        <div class="small cut">{visible(title || words.head.untitled)}</div>
      </div>
    </button>
  );
}
