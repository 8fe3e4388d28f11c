import * as vscode from "vscode";
import type { Services } from "./services.ts";
import { statusText } from "./statusText.ts";

/** What all threads are doing, in one place that is always in view. */
export function keepStatusBar({
  book,
}: Pick<Services, "book">): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    "turnline.status",
    vscode.StatusBarAlignment.Right,
    100,
  );
  item.name = "Turnline";
  item.command = "turnline.open";
  const show = (): void => {
    const { text, tooltip } = statusText(book.summaries());
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: `Turnline: ${tooltip}` };
  };
  show();
  item.show();
  return vscode.Disposable.from(item, { dispose: book.onChange(show) });
}
