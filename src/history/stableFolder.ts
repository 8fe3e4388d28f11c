import path from "node:path";

/**
 * The folder that stays the same for a workspace. While another extension host holds `<id>`, VS Code's server
 * gives out `<id>-1`, `<id>-2`… with the extension's own folder below: the suffix says nothing about the workspace.
 */
export function stableFolder(storagePath: string): string {
  const own = path.basename(storagePath);
  const workspace = path.dirname(storagePath);
  const id = path.basename(workspace).replace(/^(.+)-[1-9]\d?$/, "$1");
  return path.join(path.dirname(workspace), id, own);
}
