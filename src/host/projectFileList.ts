import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { excludeGlob } from "./excludeGlob.ts";

/** How long git is waited for, in milliseconds. */
const patience = 2_000;

/** The files of the project, as VS Code's own search sees it: without what is built, installed or ignored. */
export async function projectFileList(
  most: number,
): Promise<readonly vscode.Uri[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const glob = excludeGlob(excluded(folder.uri), await ignored(folder.uri));
      return vscode.workspace.findFiles(
        new vscode.RelativePattern(folder, "**/*"),
        glob === undefined ? null : new vscode.RelativePattern(folder, glob),
        most,
      );
    }),
  );
  return lists.flat().slice(0, most);
}

function excluded(folder: vscode.Uri): readonly unknown[] {
  return ["files", "search"].map((part) =>
    vscode.workspace.getConfiguration(part, folder).get<unknown>("exclude"),
  );
}

/** What git leaves out here. A repository's own settings can name programs for git to run, so only where it is trusted. */
async function ignored(folder: vscode.Uri): Promise<readonly string[]> {
  if (!vscode.workspace.isTrusted || folder.scheme !== "file") return [];
  try {
    const { stdout } = await promisify(execFile)(
      "git",
      [
        ...["--no-optional-locks", "ls-files", "-z", "--directory"],
        ...["--others", "--ignored", "--exclude-standard"],
      ],
      { cwd: folder.fsPath, timeout: patience, maxBuffer: 8_000_000 },
    );
    return stdout.split("\0").filter((name) => name !== "");
  } catch {
    return [];
  }
}
