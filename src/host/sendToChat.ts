import { randomUUID } from "node:crypto";
import path from "node:path";
import * as vscode from "vscode";
import type { ChatSurfaces } from "./chatSurfaces.ts";
import type { Commands } from "./commands.ts";
import { gitChanges } from "./gitChanges.ts";
import type { Services } from "./services.ts";
import type { Settings } from "./settings.ts";
import { t } from "../util/l10n.ts";

/** Takes something of the editor into the chat: into the composer, or with a prompt straight into the next turn. */
export function sendCommands(
  surfaces: ChatSurfaces,
  services: Services,
): Commands {
  /** The user adds their words, and sends. */
  const add =
    (read: (...targets: readonly unknown[]) => Said | Promise<Said>) =>
    async (...targets: readonly unknown[]): Promise<void> => {
      const said = await read(...targets);
      if ("text" in said) await insert(surfaces, `${said.text}\n`);
      else void vscode.window.showInformationMessage(said.why);
    };
  const ask =
    (which: keyof Settings["prompts"]) =>
    async (place?: unknown): Promise<void> => {
      const said = await selection(place);
      if (!("text" in said)) {
        void vscode.window.showInformationMessage(said.why);
        return;
      }
      const prompt = services.settings().prompts[which];
      await submit(surfaces, services, `${prompt}\n\n${said.text}`);
    };
  return {
    sendSelection: add(selection),
    sendFile: add(file),
    sendProblems: add(problems),
    sendDiff: add(diff),
    sendTerminal: add(terminal),
    explainSelection: ask("explain"),
    fixSelection: ask("fix"),
    testSelection: ask("test"),
    documentSelection: ask("document"),
  };
}

type Said = { readonly text: string } | { readonly why: string };

/** Where a problem is: what its quick fixes are about. */
export class Spot {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;

  constructor(uri: vscode.Uri, range: vscode.Range) {
    this.uri = uri;
    this.range = range;
  }
}

/** The lines of a spot; else the selected ones, or the line the cursor is in. */
async function selection(place?: unknown): Promise<Said> {
  const editor = vscode.window.activeTextEditor;
  if (place instanceof Spot) {
    const document = await vscode.workspace.openTextDocument(place.uri);
    return linesOf(document, wholeLines(document, place.range));
  }
  if (editor === undefined) return { why: t("No editor is open.") };
  const { document } = editor;
  return linesOf(
    document,
    editor.selection.isEmpty
      ? document.lineAt(editor.selection.active.line).range
      : editor.selection,
  );
}

function wholeLines(
  document: vscode.TextDocument,
  { start, end }: vscode.Range,
): vscode.Range {
  return new vscode.Range(
    document.lineAt(start.line).range.start,
    document.lineAt(end.line).range.end,
  );
}

function linesOf(document: vscode.TextDocument, range: vscode.Range): Said {
  const text = document.getText(range);
  if (text.trim() === "") return { why: t("Nothing is selected.") };
  const [from, to] = [range.start.line + 1, range.end.line + 1];
  const where = `${nameOf(document.uri)}:${from}${to > from ? `-${to}` : ""}`;
  const mine = problemsOf(document.uri, range);
  return {
    text: [
      `${where}\n${fenced(text, document.languageId)}`,
      ...(mine.length === 0 ? [] : [mine.join("\n")]),
    ].join("\n\n"),
  };
}

/** What was chosen in the explorer, one or several; else the file in front. */
function file(target?: unknown, chosen?: unknown): Said {
  const several = Array.isArray(chosen)
    ? chosen.filter((one) => one instanceof vscode.Uri)
    : [];
  const front = vscode.window.activeTextEditor?.document.uri;
  const one = target instanceof vscode.Uri ? target : front;
  const all = several.length > 0 ? several : one === undefined ? [] : [one];
  return all.length === 0
    ? { why: t("No file is open.") }
    : { text: all.map((uri) => `@${nameOf(uri)}`).join(" ") };
}

/** Those of a spot; else those of the file in front, else all. */
function problems(place?: unknown): Said {
  const active = vscode.window.activeTextEditor?.document.uri;
  const here =
    place instanceof Spot
      ? problemsOf(place.uri, place.range)
      : active === undefined
        ? []
        : problemsOf(active);
  const all =
    here.length > 0
      ? here
      : vscode.languages.getDiagnostics().flatMap(([uri]) => problemsOf(uri));
  return all.length === 0
    ? { why: t("There are no problems.") }
    : { text: all.slice(0, 100).join("\n") };
}

function problemsOf(uri: vscode.Uri, within?: vscode.Range): readonly string[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ range }) => within?.intersection(range) !== undefined || !within)
    .map(({ range, severity, message }) => {
      const kind = vscode.DiagnosticSeverity[severity].toLowerCase();
      return `${nameOf(uri)}:${range.start.line + 1}: ${kind}: ${message}`;
    });
}

async function diff(): Promise<Said> {
  const changes = await gitChanges();
  return changes.ok
    ? { text: fenced(changes.text, "diff") }
    : { why: changes.why };
}

/** VS Code gives a terminal's selection only by way of the clipboard, which is put back. */
async function terminal(): Promise<Said> {
  if (vscode.window.activeTerminal === undefined)
    return { why: t("No terminal is open.") };
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  try {
    await clipboard.writeText("");
    await vscode.commands.executeCommand(
      "workbench.action.terminal.copySelection",
    );
    const text = await clipboard.readText();
    return text.trim() === ""
      ? { why: t("Nothing is selected in the terminal.") }
      : { text: fenced(text.trimEnd(), "") };
  } finally {
    await clipboard.writeText(before);
  }
}

async function insert(surfaces: ChatSurfaces, text: string): Promise<void> {
  const thread = await shown(surfaces);
  await surfaces.reveal(thread, { kind: "composer", insert: text });
}

/** Sends as the composer would; what is refused is left in the composer. */
async function submit(
  surfaces: ChatSurfaces,
  { engine, book, userName }: Services,
  text: string,
): Promise<void> {
  const thread = await shown(surfaces);
  const refusal = await book.keep(thread);
  const answer =
    refusal === undefined
      ? await engine.submit(thread, {
          id: randomUUID(),
          sender: { kind: "user", name: await userName(thread) },
          blocks: [{ type: "text", text }],
        })
      : ({ ok: false, detail: refusal } as const);
  if (!answer.ok) {
    await surfaces.reveal(thread, { kind: "composer", insert: text });
    void vscode.window.showInformationMessage(answer.detail);
    return;
  }
  surfaces.refresh();
}

/** Opens the chat; answers the thread it shows. */
async function shown(surfaces: ChatSurfaces): Promise<string> {
  let found = "";
  await surfaces.ask((thread) => {
    found = thread;
    return { type: "openThread", thread };
  });
  return found;
}

function nameOf(uri: vscode.Uri): string {
  const name = vscode.workspace.asRelativePath(uri, false);
  return name.split(path.sep).join("/");
}

/** A fence longer than any inside. */
function fenced(text: string, language: string): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
