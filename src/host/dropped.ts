import * as vscode from "vscode";
import type { NewAttachment } from "../protocol/newAttachment.ts";
import type { Reply } from "../protocol/reply.ts";
import { nameOf } from "./projectMessage.ts";
import { t } from "../util/l10n.ts";

/** Files and folders by URI, as something to hang on a message. */
export async function takeUris(uris: readonly string[]): Promise<Reply> {
  const taken = await Promise.all(uris.map(taking));
  const attachments = taken.filter((one) => one !== undefined);
  return attachments.length === 0
    ? {
        kind: "refused",
        message: t(
          "Nothing was attached. Only files and folders can be dropped.",
        ),
      }
    : { kind: "attachments", attachments };
}

async function taking(uri: string): Promise<NewAttachment | undefined> {
  try {
    const parsed = vscode.Uri.parse(uri, true);
    // A window elsewhere names our files by the way it came.
    const here =
      parsed.scheme === "vscode-remote"
        ? vscode.Uri.file(parsed.path)
        : parsed.with({ query: "" });
    if (here.scheme !== "file") return undefined;
    const { type } = await vscode.workspace.fs.stat(here);
    const folder = (type & vscode.FileType.Directory) !== 0;
    const name = nameOf(here.path.replace(/\/+$/u, ""));
    return {
      kind: "file",
      uri: here.toString(),
      name: folder ? `${name}/` : name,
    };
  } catch {
    return undefined;
  }
}
