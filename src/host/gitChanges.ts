import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { t } from "../util/l10n.ts";

export type GitChanges =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: string };

/** What changed since the last commit, in the folder of the editor in front, else in the first. */
export async function gitChanges(): Promise<GitChanges> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const own =
    active === undefined
      ? undefined
      : vscode.workspace.getWorkspaceFolder(active);
  const folder = own ?? vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) return { ok: false, why: t("No folder is open.") };
  // A repository's own settings can name programs for git to run.
  if (!vscode.workspace.isTrusted)
    return {
      ok: false,
      why: t("Changes are read only in a trusted workspace."),
    };
  const git = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(
      "git",
      ["--no-optional-locks", ...args],
      { cwd: folder.uri.fsPath, maxBuffer: 8_000_000 },
    );
    return stdout.trimEnd();
  };
  try {
    const changed = ["diff", "--no-ext-diff"];
    // Before the first commit there is no HEAD to compare with.
    const diff = await git(...changed, "HEAD").catch(() =>
      git(...changed, "--cached"),
    );
    const untracked = await git("ls-files", "--others", "--exclude-standard");
    const text = [
      diff,
      ...(untracked === ""
        ? []
        : untracked.split("\n").map((name) => `Not tracked yet: ${name}`)),
    ]
      .join("\n")
      .trim();
    return text === ""
      ? { ok: false, why: t("There are no changes since the last commit.") }
      : { ok: true, text };
  } catch {
    return { ok: false, why: t("git could not tell what changed here.") };
  }
}

/** How many files VS Code's own git knows to be changed; it costs nothing to ask. */
export function changedFiles(): number {
  const git = vscode.extensions.getExtension<GitExtension>("vscode.git");
  if (git?.isActive !== true || !git.exports.enabled) return 0;
  const files = git.exports
    .getAPI(1)
    .repositories.flatMap(({ state }) => [
      ...state.workingTreeChanges,
      ...state.indexChanges,
    ])
    .map(({ uri }) => uri.toString());
  return new Set(files).size;
}

interface GitChange {
  readonly uri: vscode.Uri;
}

/** The part of `vscode.git` that is used here. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): {
    readonly repositories: readonly {
      readonly state: {
        readonly workingTreeChanges: readonly GitChange[];
        readonly indexChanges: readonly GitChange[];
      };
    }[];
  };
}
