import path from "node:path";
import * as vscode from "vscode";
import type {
  Asker,
  Denied,
  FilePort,
  Granted,
} from "../core/agentFeatures.ts";
import type { Log } from "../core/ports.ts";
import { placeOf } from "./bounds.ts";
import { t } from "../util/l10n.ts";
import { errorText } from "../util/errorText.ts";

const maxBytes = 32 * 1024 * 1024;
const allow = t("Allow Once");

/** Files as the editor has them: unsaved text is read, and changes can be undone. */
export function createFiles(
  label: (agent: string) => string,
  log: Log,
): FilePort {
  const door = new Door(label, log);
  return {
    async read(asker, named, range) {
      const uri = await door.open(asker, named, "read");
      if (!uri.ok) return uri;
      const text = await textOf(uri.value);
      return text.ok ? { ok: true, value: linesOf(text.value, range) } : text;
    },
    async write(asker, named, text) {
      const uri = await door.open(asker, named, "write");
      return uri.ok ? change(uri.value, text) : uri;
    },
  };
}

/** Lets an agent at a file of its thread's folders; anything else only with the user's word, each time. */
class Door {
  readonly #label: (agent: string) => string;
  readonly #log: Log;

  constructor(label: (agent: string) => string, log: Log) {
    this.#label = label;
    this.#log = log;
  }

  async open(
    asker: Asker,
    named: string,
    what: "read" | "write",
  ): Promise<Granted<vscode.Uri>> {
    if (!vscode.workspace.isTrusted)
      return denied("denied", "The workspace is not trusted.");
    const place = await placeOf(named, asker.folders);
    if (place.kind === "unclear") return denied("denied", place.why);
    // A document the user opened by another name stays that document.
    const uri =
      documentOf(vscode.Uri.file(path.resolve(named)))?.uri ??
      vscode.Uri.file(place.file);
    const free =
      place.kind === "inside" || (place.kind === "delicate" && what === "read");
    if (free || (await this.#asks(asker, place.file, what, place.kind)))
      return { ok: true, value: uri };
    this.#log.warn("file.denied", {
      agent: asker.agent,
      what,
      file: place.file,
    });
    return denied("denied", `The user did not allow to ${what} ${named}.`);
  }

  async #asks(
    { agent, folders }: Asker,
    file: string,
    what: "read" | "write",
    kind: "delicate" | "outside",
  ): Promise<boolean> {
    const where =
      kind === "outside"
        ? t("It is outside this thread's folders: {0}", folders.join(", "))
        : t("What stands there can make the editor or git run commands.");
    const answer = await vscode.window.showWarningMessage(
      what === "read"
        ? t("{0} wants to read {1}", this.#label(agent), file)
        : t("{0} wants to write {1}", this.#label(agent), file),
      { modal: true, detail: where },
      allow,
    );
    return answer === allow;
  }
}

async function textOf(uri: vscode.Uri): Promise<Granted<string>> {
  const open = documentOf(uri);
  if (open !== undefined) return { ok: true, value: open.getText() };
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0)
      return denied("failed", `${uri.fsPath} is not a file.`);
    if (size > maxBytes)
      return denied(
        "failed",
        `${uri.fsPath} is larger than ${maxBytes} bytes.`,
      );
    const bytes = await vscode.workspace.fs.readFile(uri);
    return { ok: true, value: new TextDecoder().decode(bytes) };
  } catch (error) {
    return told(uri, error);
  }
}

/** As one edit of VS Code's own, so that the user can undo it, then saved. */
async function change(uri: vscode.Uri, text: string): Promise<Granted<true>> {
  try {
    const edit = new vscode.WorkspaceEdit();
    if (await exists(uri)) {
      const document = await vscode.workspace.openTextDocument(uri);
      const end = document.lineAt(document.lineCount - 1)
        .rangeIncludingLineBreak.end;
      edit.replace(uri, new vscode.Range(new vscode.Position(0, 0), end), text);
    } else edit.createFile(uri, { contents: new TextEncoder().encode(text) });
    if (!(await vscode.workspace.applyEdit(edit)))
      return denied("failed", `${uri.fsPath} could not be changed.`);
    const changed = documentOf(uri);
    if (changed?.isDirty === true && !(await changed.save()))
      return denied("failed", `${uri.fsPath} could not be saved.`);
    return { ok: true, value: true };
  } catch (error) {
    return told(uri, error);
  }
}

function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    (document) =>
      document.uri.scheme === uri.scheme && document.uri.fsPath === uri.fsPath,
  );
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

function linesOf(
  text: string,
  { line, limit }: { readonly line?: number; readonly limit?: number },
): string {
  if (line === undefined && limit === undefined) return text;
  const from = Math.max(1, line ?? 1) - 1;
  const lines = text.split(/(?<=\n)/u);
  return lines
    .slice(from, limit === undefined ? undefined : from + limit)
    .join("");
}

function told(uri: vscode.Uri, error: unknown): Granted<never> {
  const gone =
    error instanceof vscode.FileSystemError && error.code === "FileNotFound";
  return gone
    ? denied("notFound", `There is no file ${uri.fsPath}`)
    : denied("failed", errorText(error));
}

function denied(kind: Denied["kind"], message: string): Granted<never> {
  return { ok: false, denied: { kind, message } };
}
