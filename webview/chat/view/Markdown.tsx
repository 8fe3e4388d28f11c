import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { highlight } from "../markdown/highlight.ts";
import { NearView } from "../markdown/near.ts";
import { MarkdownStream } from "../markdown/stream.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";

interface MarkdownProps {
  readonly text: string;
  readonly open: boolean;
}

/** Text of an agent. Its DOM is written by the stream alone; Preact only holds the box. */
export function Markdown({ text, open }: MarkdownProps): JSX.Element {
  const app = useApp();
  const root = useRef<HTMLDivElement>(null);
  const stream = useRef<MarkdownStream | undefined>(undefined);
  useLayoutEffect(() => {
    if (root.current === null) return;
    const { frames } = app;
    stream.current ??= new MarkdownStream(root.current, {
      head: codeHead,
      highlight,
      // What is whole already was asked for, perhaps by the very key.
      later: (job) => (open ? frames.free(job) : frames.next(job)),
      hurried: () => open && frames.typing,
      // What is whole when it is first shown comes with its colours: nobody should see them come.
      near:
        open && "IntersectionObserver" in window ? new NearView() : undefined,
    });
    stream.current.set(text, open);
  }, [text, open]);
  useEffect(() => () => stream.current?.stop(), []);
  useEffect(() => {
    const box = root.current;
    const onClick = (event: MouseEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      const link = target?.closest("a");
      const act = target?.closest<HTMLElement>("[data-act]");
      if (link instanceof HTMLElement) {
        event.preventDefault();
        const { url, path, line } = link.dataset;
        if (url !== undefined) void app.asked({ type: "openLink", url });
        else if (path !== undefined)
          void app.asked({
            type: "openFile",
            thread: app.thread,
            path,
            ...(line === undefined ? {} : { line: Number(line) }),
          });
      } else if (act instanceof HTMLElement) {
        const code = act.closest<HTMLElement>(".code");
        const text = code?.querySelector("pre")?.textContent ?? "";
        onCode(act.dataset["act"], text, code?.dataset["lang"] ?? "");
      }
    };
    const onCode = (
      act: string | undefined,
      text: string,
      language: string,
    ): void => {
      if (act === "copy") {
        void app.copy(text);
      } else if (act === "insert") void app.asked({ type: "insertCode", text });
      else void app.asked({ type: "openCode", language, text });
    };
    box?.addEventListener("click", onClick);
    box?.addEventListener("auxclick", onClick);
    return () => {
      box?.removeEventListener("click", onClick);
      box?.removeEventListener("auxclick", onClick);
    };
  }, []);
  const grown = useGrown(open) ? "is-grown" : "";
  return (
    <div class={`md ${grown} ${open ? "is-open" : ""}`} ref={root} dir="auto" />
  );
}

/** Whether its parts have the sizes they had when they left the view: true until another width gives them others. */
function useGrown(open: boolean): boolean {
  const [grown, setGrown] = useState(open);
  useEffect(() => {
    if (!grown) return undefined;
    const onResize = (): void => setGrown(false);
    window.addEventListener("resize", onResize);
    return () => window.removeEventListener("resize", onResize);
  }, [grown]);
  return open || grown;
}

let actionsOfCode: Node | undefined;

function codeHead(language: string): Node {
  const head = document.createElement("div");
  head.className = "code-head small";
  const name = document.createElement("span");
  name.className = "grow cut";
  name.textContent = language === "" ? words.code.plain : language;
  // An answer may hold hundreds of these: they are made once and copied.
  actionsOfCode ??= codeActions();
  head.append(name, actionsOfCode.cloneNode(true));
  return head;
}

function codeActions(): Node {
  const actions = document.createElement("span");
  actions.className = "icos";
  actions.append(
    codeAction("copy", words.code.copy),
    codeAction("insert", words.code.insert),
    codeAction("open", words.code.open),
  );
  return actions;
}

function codeAction(act: string, label: string): Node {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "ico";
  button.tabIndex = -1;
  button.dataset["act"] = act;
  button.title = label;
  button.setAttribute("aria-label", label);
  return button;
}
