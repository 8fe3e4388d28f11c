import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { commandEnter } from "../keyNames.ts";
import { enterMeans } from "../keys.ts";
import { words } from "../strings.ts";
import { Commands, matching } from "./Commands.tsx";
import { ComposerBar } from "./ComposerBar.tsx";
import { Mentions } from "./Mentions.tsx";
import { NewChips } from "./NewChips.tsx";
import { useMentions } from "./useMentions.ts";
import { useApp } from "./context.ts";

/** How soon a second Escape counts. */
const twice = 2_000;

export function Composer(): JSX.Element {
  const app = useApp();
  const { thread, facts, readOnly, settings, commands } = app.store.is;
  const area = useRef<HTMLTextAreaElement>(null);
  const [escaped, setEscaped] = useState(false);
  const [picked, setPicked] = useState(0);
  const [closed, setClosed] = useState("");
  const { text } = app.drafts.draft.value;
  const locked = readOnly.value !== null || thread.value === null;
  const found = text === closed ? [] : matching(commands.value, text);
  const mentions = useMentions(text, area);
  const listed = found.length > 0 ? found.length : mentions.found.length;
  const list = found.length > 0 ? "command" : "mention";

  useLayoutEffect(() => fit(area.current), [text]);
  useEffect(() => setPicked(0), [text]);

  const choose = (name: string): void => {
    app.drafts.type(`/${name} `);
    area.current?.focus();
  };
  const send = (when: "next" | "now"): void => {
    void app.drafts.submit(when);
  };
  const attach = (files: readonly File[]): void =>
    void app.hung.addFiles(files);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (listed > 0 && onList(event)) return;
    const means = enterMeans(event, settings.value.enter);
    if (means === "send" || means === "now") {
      event.preventDefault();
      send(means === "send" ? "next" : "now");
    } else if (event.key === "Escape") onEscape();
    else if (event.key === "ArrowUp" || event.key === "ArrowDown")
      onHistory(event);
  };
  const onList = (event: KeyboardEvent): boolean => {
    const to = { ArrowDown: picked + 1, ArrowUp: picked - 1 }[event.key];
    const mention = found.length === 0 ? mentions.found[picked] : undefined;
    if (to !== undefined) setPicked((to + listed) % listed);
    else if (event.key === "Escape") {
      setClosed(text);
      mentions.close();
    } else if (mention !== undefined && chooses(event))
      mentions.choose(mention);
    else if (event.key === "Tab" || event.key === "Enter") {
      const { name } = found[picked] ?? {};
      // A command that is written out whole is sent, not completed again.
      if (name === undefined || event.isComposing || text === `/${name}`)
        return false;
      choose(name);
    } else return false;
    event.preventDefault();
    return true;
  };
  const onEscape = (): void => {
    if (!app.running.value) return;
    setEscaped(!escaped);
    if (escaped) void app.asked({ type: "stop", thread: app.thread });
    else app.live.say(words.composer.once);
  };
  useEffect(() => {
    if (!escaped) return undefined;
    const timer = setTimeout(() => setEscaped(false), twice);
    return () => clearTimeout(timer);
  }, [escaped]);
  /** Up in an empty composer, and on through what was said before; within a text of several lines the cursor moves. */
  const onHistory = (event: KeyboardEvent): void => {
    const at = area.current?.selectionStart ?? 0;
    const rest = event.key === "ArrowUp" ? text.slice(0, at) : text.slice(at);
    if (rest.includes("\n")) return;
    const to = app.said.step(text, event.key === "ArrowUp" ? 1 : -1);
    if (to === undefined) return;
    event.preventDefault();
    app.drafts.type(to);
  };

  const placeholder = locked
    ? words.composer.readOnly
    : facts.value.full
      ? words.composer.addLater
      : app.adds.value
        ? words.composer.addNext
        : words.composer.ask(thread.value?.agent.label ?? "");
  return (
    <form
      class="composer"
      data-region="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send("next");
      }}
    >
      {found.length > 0 && (
        <Commands found={found} picked={picked} query={text} choose={choose} />
      )}
      {found.length === 0 && mentions.found.length > 0 && (
        <Mentions
          found={mentions.found}
          query={mentions.query}
          picked={picked}
          choose={mentions.choose}
        />
      )}
      <div class="box">
        <NewChips />
        <textarea
          rows={1}
          ref={area}
          data-testid="composer"
          aria-label={words.composer.label}
          aria-describedby="hint"
          aria-controls={listed > 0 ? `${list}s` : undefined}
          aria-activedescendant={listed > 0 ? `${list}-${picked}` : undefined}
          placeholder={placeholder}
          readOnly={locked}
          value={text}
          onInput={(event) => app.drafts.type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const files = [...(event.clipboardData?.files ?? [])];
            if (files.length === 0) return;
            event.preventDefault();
            attach(files);
          }}
        />
        <ComposerBar
          locked={locked}
          send={() => send("next")}
          slash={() => {
            if (text === "") app.drafts.type("/");
            setClosed("");
            area.current?.focus();
          }}
          mention={() => {
            app.drafts.type(
              text === "" || /\s$/u.test(text) ? `${text}@` : `${text} @`,
            );
            area.current?.focus();
          }}
          attach={attach}
        />
      </div>
      <Hint locked={locked} escaped={escaped && app.running.value} />
    </form>
  );
}

interface HintProps {
  readonly locked: boolean;
  /** The first of two Escapes. */
  readonly escaped: boolean;
}

function Hint({ locked, escaped }: HintProps): JSX.Element {
  const app = useApp();
  const { facts, settings } = app.store.is;
  const trouble = app.trouble.value;
  const sends = settings.value.enter === "send";
  const [enter, line] = sends
    ? ["Enter", "Shift+Enter"]
    : [commandEnter, "Enter"];
  if (trouble !== undefined)
    return (
      <div class="hint small" id="hint" role="alert">
        <span class="bad">{trouble}</span>
      </div>
    );
  const [said] = [
    escaped && words.composer.once,
    app.drafts.waiting.value.includes(app.thread) && words.composer.waits,
    app.hung.taking.value.includes(app.thread) && words.composer.attaching,
    facts.value.full && words.composer.hintFull(facts.value.cap),
  ].filter((words) => words !== false);
  if (said !== undefined)
    return (
      <div class="hint small" id="hint">
        <span>{said}</span>
      </div>
    );
  return (
    <div class="hint small" id="hint">
      {!locked && (
        <>
          <span>
            {app.adds.value
              ? words.composer.hintAdd(enter)
              : words.composer.hintSend(enter)}
          </span>
          {app.running.value && sends ? (
            <span class="sep opt">{words.composer.hintNow}</span>
          ) : (
            <span class="sep opt">{words.composer.hintLine(line)}</span>
          )}
          {!app.running.value && (
            <span class="sep opt">{words.composer.hintContext}</span>
          )}
        </>
      )}
    </div>
  );
}

const chooses = ({ key, isComposing }: KeyboardEvent): boolean =>
  (key === "Tab" || key === "Enter") && !isComposing;

/** Grows with its text where the browser does not do so itself. */
function fit(area: HTMLTextAreaElement | null): void {
  if (area === null || CSS.supports("field-sizing", "content")) return;
  area.style.height = "auto";
  area.style.height = `${area.scrollHeight}px`;
}
