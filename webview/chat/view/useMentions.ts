import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ContextItem } from "../../../src/protocol/reply.ts";
import { mentionAt, withoutMention } from "../mention.ts";
import { useApp } from "./context.ts";

export interface MentionList {
  readonly found: readonly ContextItem[];
  /** What was typed after `@`. */
  readonly query: string;
  readonly choose: (item: ContextItem) => void;
  readonly close: () => void;
}

interface Found {
  readonly query: string;
  readonly items: readonly ContextItem[];
}

const none: Found = { query: "", items: [] };

/** Asks the host what fits the word after `@`, and hangs what is chosen on the message. */
export function useMentions(
  text: string,
  area: RefObject<HTMLTextAreaElement | null>,
): MentionList {
  const app = useApp();
  const asked = useRef(0);
  /** Where the cursor belongs once the text is as it should be. */
  const caret = useRef<number | undefined>(undefined);
  const [found, setFound] = useState(none);
  const mention = (): ReturnType<typeof mentionAt> =>
    mentionAt(text, area.current?.selectionStart ?? text.length);
  useLayoutEffect(() => {
    const at = caret.current;
    caret.current = undefined;
    if (at !== undefined) area.current?.setSelectionRange(at, at);
  }, [text]);
  useEffect(() => {
    const named = mention();
    const now = ++asked.current;
    if (named === undefined) {
      setFound(none);
      return;
    }
    const { query } = named;
    void app.hung.find(query).then((items) => {
      // Only the newest question counts.
      if (now === asked.current) setFound({ query, items });
    });
  }, [text]);
  return {
    found: found.items,
    query: found.query,
    close: () => {
      asked.current++;
      setFound(none);
    },
    choose: (item) => {
      const named = mention();
      setFound(none);
      // At once: who types on must not find the name in the way.
      if (named !== undefined) {
        caret.current = named.start;
        app.drafts.type(withoutMention(text, named));
      }
      void app.hung.addContext(item);
    },
  };
}
