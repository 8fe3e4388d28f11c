import type { JSX } from "preact";
import type { ViewToolContent } from "../../../src/protocol/transcript.ts";
import { stretches } from "../ansi.ts";
import { bytes, unixLines, visible } from "../format.ts";
import { words } from "../strings.ts";
import { Attachments } from "./Attachments.tsx";
import { useApp, useTabStop } from "./context.ts";
import { Diff } from "./Diff.tsx";
import { diffOpener } from "./toolOpens.ts";

interface ContentProps {
  readonly content: ViewToolContent;
  /** The record it is in, and its place there: what is in none can't be opened. */
  readonly message?: string | undefined;
  readonly index?: number;
  /** Something is decided by it: all of it is shown, and nothing in it can hide or move the rest. */
  readonly exact?: boolean | undefined;
}

export function Content(props: ContentProps): JSX.Element | null {
  const app = useApp();
  const { content, message, index = 0, exact } = props;
  switch (content.type) {
    case "diff":
      return (
        <Diff
          content={content}
          exact={exact}
          open={
            message === undefined ? undefined : diffOpener(app, message, index)
          }
        />
      );
    case "text":
      return (
        <Output
          text={content.text}
          cut={content.cut}
          exact={exact}
          message={message}
          part={index}
        />
      );
    case "terminal":
      return (
        <Output
          text={content.output}
          cut={content.cut}
          exact={exact}
          exit={content.exitCode}
          message={message}
          part={index}
        />
      );
    case "attachment":
      return (
        <Attachments
          items={[content.attachment]}
          message={message}
          first={index}
        />
      );
  }
}

function coloured(output: string): readonly (string | JSX.Element)[] {
  return stretches(output).map(({ text, style }, i) =>
    style === "" ? (
      text
    ) : (
      <span key={i} class={style}>
        {text}
      </span>
    ),
  );
}

interface OutputProps {
  readonly text: string;
  readonly label?: string;
  readonly exact?: boolean | undefined;
  readonly cut?: number | undefined;
  readonly exit?: number | undefined;
  readonly message?: string | undefined;
  readonly part?: number | "input" | "output";
}

/** Characters shown of an output; the rest opens in an editor. */
const longest = 20_000;

export function Output(props: OutputProps): JSX.Element {
  const app = useApp();
  const stop = useTabStop();
  const { text, label, cut, exit, message, part = 0, exact = false } = props;
  const shown = (exact ? text : text.slice(-longest)).replace(/\n$/u, "");
  const short = !exact && text.length > longest;
  const open = (): void => {
    if (message !== undefined)
      void app.asked({
        type: "openOutput",
        thread: app.thread,
        message,
        part,
      });
  };
  return (
    <>
      {short && (
        <div class="cut-note small">
          {words.tool.beginningHidden}{" "}
          {message !== undefined && (
            <button
              type="button"
              class="link"
              tabIndex={-1}
              data-testid="open-output"
              onClick={open}
            >
              {words.tool.openWhole}
            </button>
          )}
        </div>
      )}
      <div
        class="term"
        tabIndex={stop}
        role="group"
        aria-label={label ?? words.tool.output}
      >
        {exact ? visible(unixLines(shown)) : coloured(shown)}
        {exit !== undefined && exit !== 0 && (
          <span class="bad">{`\n${words.tool.exit(exit)}`}</span>
        )}
        {cut !== undefined && (
          <span class="small">{`\n${words.tool.cut(bytes(cut))}`}</span>
        )}
      </div>
    </>
  );
}
