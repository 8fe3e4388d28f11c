import path from "node:path";
import * as vscode from "vscode";
import type { Message } from "../core/message.ts";
import { threadMarkdown } from "../core/transferMarkdown.ts";
import type { ContextItem } from "../protocol/reply.ts";
import type { ContextPart } from "../protocol/toHost.ts";
import { changedFiles, gitChanges } from "./gitChanges.ts";
import type { Services } from "./services.ts";
import { t } from "../util/l10n.ts";

/** Characters taken of a text. */
const longest = 200_000;

export type Taken =
  | { readonly ok: true; readonly name: string; readonly text: string }
  | { readonly ok: false; readonly why: string };

/** Only what is there to be taken is offered. */
export function partsNow(): readonly ContextItem[] {
  const editor = lastEditor();
  const items: ContextItem[] = [];
  if (editor !== undefined && !editor.selection.isEmpty)
    items.push({
      kind: "selection",
      name: t("Selection"),
      detail: placeOf(editor),
      part: { kind: "selection" },
    });
  const count = allProblems().length;
  if (count > 0)
    items.push({
      kind: "problems",
      name: t("Problems"),
      detail: count === 1 ? t("1 problem") : t("{0} problems", count),
      part: { kind: "problems" },
    });
  if (vscode.window.activeTerminal !== undefined)
    items.push({
      kind: "terminal",
      name: t("Terminal selection"),
      detail: vscode.window.activeTerminal.name,
      part: { kind: "terminal" },
    });
  const changed = vscode.workspace.isTrusted ? changedFiles() : 0;
  if (changed > 0)
    items.push({
      kind: "changes",
      name: t("Git changes"),
      detail: changed === 1 ? t("1 file") : t("{0} files", changed),
      part: { kind: "changes" },
    });
  return items;
}

/** The text of something, cut where it would be too much. */
export async function textOfPart(
  part: ContextPart,
  services: Pick<Services, "store" | "engine">,
): Promise<Taken> {
  const taken = await read(part, services);
  return taken.ok ? { ...taken, text: taken.text.slice(0, longest) } : taken;
}

async function read(
  part: ContextPart,
  services: Pick<Services, "store" | "engine">,
): Promise<Taken> {
  switch (part.kind) {
    case "selection":
      return selection();
    case "problems":
      return problems();
    case "terminal":
      return terminal();
    case "changes": {
      const changes = await gitChanges();
      return changes.ok
        ? { ok: true, name: "Git changes.diff", text: changes.text }
        : changes;
    }
    case "thread":
      return pastThread(part.id, services);
  }
}

/** The chat itself may have the focus: then the editor in sight is meant. */
function lastEditor(): vscode.TextEditor | undefined {
  return (
    vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors.at(0)
  );
}

function placeOf({ document, selection }: vscode.TextEditor): string {
  const name = path.basename(document.uri.path);
  return `${name}:${selection.start.line + 1}-${selection.end.line + 1}`;
}

function selection(): Taken {
  const editor = lastEditor();
  if (editor === undefined || editor.selection.isEmpty)
    return { ok: false, why: t("Nothing is selected in the editor.") };
  const text = editor.document.getText(editor.selection);
  const where = vscode.workspace.asRelativePath(editor.document.uri);
  const { start, end } = editor.selection;
  return {
    ok: true,
    name: placeOf(editor),
    text: `${where}:${start.line + 1}-${end.line + 1}\n${text}`,
  };
}

function problems(): Taken {
  const lines = allProblems();
  return lines.length === 0
    ? { ok: false, why: t("There are no problems any more.") }
    : {
        ok: true,
        name: lines.length === 1 ? "1 problem" : `${lines.length} problems`,
        text: lines.join("\n"),
      };
}

function allProblems(): readonly string[] {
  return vscode.languages.getDiagnostics().flatMap(([uri, found]) =>
    found
      .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning)
      .map(({ range, message, source }) => {
        const where = vscode.workspace.asRelativePath(uri);
        const by = source === undefined ? "" : ` (${source})`;
        return `${where}:${range.start.line + 1}: ${message}${by}`;
      }),
  );
}

/** VS Code gives a terminal's selection only by way of the clipboard, which is put back. */
async function terminal(): Promise<Taken> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  await clipboard.writeText("");
  await vscode.commands.executeCommand(
    "workbench.action.terminal.copySelection",
  );
  const text = await clipboard.readText();
  await clipboard.writeText(before);
  return text === ""
    ? { ok: false, why: t("Nothing is selected in the terminal.") }
    : { ok: true, name: "Terminal selection", text };
}

const pages = 5;
const told: ReadonlySet<Message["body"]["kind"]> = new Set([
  "user",
  "agent",
  "turnStart",
  "turnEnd",
]);

/** What was said in another thread, the newest of it; tools would drown it. */
async function pastThread(
  id: string,
  { store, engine }: Pick<Services, "store" | "engine">,
): Promise<Taken> {
  const thread = engine.snapshot(id)?.thread ?? (await store.thread(id));
  if (thread === undefined)
    return { ok: false, why: t("That thread is not there any more.") };
  let rows: readonly Message[] = [];
  for (let page = 0, more = true; page < pages && more; page++) {
    const before = rows[0]?.position;
    const read = await store.page(id, {
      limit: 200,
      ...(before === undefined || before === null ? {} : { before }),
    });
    rows = [...read.messages, ...rows];
    more = read.more;
  }
  const said = rows.filter(({ body }) => told.has(body.kind));
  if (said.length === 0)
    return { ok: false, why: t("Nothing was said in that thread yet.") };
  const time = (ms: number): string => new Date(ms).toLocaleString();
  const text = threadMarkdown(thread, said, time);
  const name = thread.title === "" ? "Past thread" : thread.title;
  return {
    ok: true,
    name: `${name}.md`,
    text: text.length <= longest ? text : text.slice(-longest),
  };
}
