import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import { IconButton } from "./Icon.tsx";

/** The find box over the transcript, as editors have it. */
export function Find(): JSX.Element | null {
  const app = useApp();
  const { find } = app;
  const field = useRef<HTMLInputElement>(null);
  const before = useRef<Element | null>(null);
  const { shown, asked, text, matchCase, total, at, more } = find;
  // Before anything can be typed: what is selected later would be typed over.
  useLayoutEffect(() => {
    if (!shown.value) return;
    const now = document.activeElement;
    if (now !== field.current) before.current = now;
    field.current?.focus();
    field.current?.select();
  }, [asked.value]);
  useEffect(() => {
    if (!shown.value) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "F3") return;
      event.preventDefault();
      find.step(event.shiftKey ? -1 : 1);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [shown.value]);
  const { groups } = app.store;
  const { queue } = app.store.is;
  useEffect(() => find.changed(), [groups.value, queue.value]);
  if (!shown.value) return null;

  const close = (): void => {
    find.close();
    const back = before.current;
    const usable =
      back instanceof HTMLElement && back.isConnected && back !== document.body;
    const to = usable
      ? back
      : document.querySelector<HTMLElement>("[data-testid=composer]");
    to?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target === field.current)
      find.step(event.shiftKey ? -1 : 1);
    else if (event.altKey && event.code === "KeyC") find.toggleCase();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const none = total.value === 0;
  return (
    <div class="find-anchor">
      <search
        class="find"
        data-testid="find"
        aria-label={words.find.label}
        onKeyDown={onKeyDown}
      >
        <div class="field">
          <input
            class="grow"
            ref={field}
            value={text.value}
            placeholder={words.find.placeholder}
            aria-label={words.find.label}
            data-testid="find-text"
            onInput={(event) => find.type(event.currentTarget.value)}
          />
          <IconButton
            name="case-sensitive"
            label={words.find.matchCase}
            class={`toggle ${matchCase.value ? "is-on" : ""}`}
            pressed={matchCase.value}
            testid="find-case"
            onClick={() => find.toggleCase()}
          />
        </div>
        <span
          class={`small count ${none && text.value !== "" ? "bad" : ""}`}
          role="status"
          data-testid="find-count"
        >
          {text.value.trim() === ""
            ? ""
            : none
              ? words.find.none
              : words.find.count(at.value + 1, total.value, more.value)}
        </span>
        <span class="icos">
          <IconButton
            name="arrow-up"
            label={words.find.previous}
            disabled={none}
            testid="find-previous"
            onClick={() => find.step(-1)}
          />
          <IconButton
            name="arrow-down"
            label={words.find.next}
            disabled={none}
            testid="find-next"
            onClick={() => find.step(1)}
          />
          <IconButton
            name="close"
            label={words.find.close}
            testid="find-close"
            onClick={close}
          />
        </span>
      </search>
    </div>
  );
}
