import type { App } from "../app.ts";
import type { ToolBody } from "../toolLook.ts";

/** Shows a change of a tool call in the diff editor. */
export function diffOpener(app: App, message: string, index: number) {
  return (): void =>
    void app.asked({ type: "openDiff", thread: app.thread, message, index });
}

export function fileOpener(app: App, path: string, line: number | undefined) {
  return (): void =>
    void app.asked({
      type: "openFile",
      thread: app.thread,
      path,
      ...(line === undefined ? {} : { line }),
    });
}

/** What Enter on a tool call shows: its change, else the file it is about. */
export function opener(
  app: App,
  message: string,
  { content, locations }: ToolBody,
): (() => void) | undefined {
  const index = content.findIndex(({ type }) => type === "diff");
  if (index >= 0) return diffOpener(app, message, index);
  const [first] = locations;
  return first === undefined
    ? undefined
    : fileOpener(app, first.path, first.line);
}
