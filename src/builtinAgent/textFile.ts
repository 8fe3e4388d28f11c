import fs from "node:fs/promises";
import { errorText } from "../util/errorText.ts";

export type TextFile =
  | { readonly kind: "text"; readonly text: string; readonly size: number }
  | { readonly kind: "folder" }
  | { readonly kind: "binary"; readonly size: number }
  | { readonly kind: "large"; readonly size: number }
  /** A pipe, a device, or a file the system won't let us read. */
  | { readonly kind: "unreadable"; readonly why: string };

/** Reads a file that is text and not larger than `limit`; only plain files are ever opened. */
export async function readTextFile(
  real: string,
  limit: number,
): Promise<TextFile> {
  try {
    const stat = await fs.stat(real);
    if (stat.isDirectory()) return { kind: "folder" };
    if (!stat.isFile())
      return { kind: "unreadable", why: "it is not a plain file" };
    if (stat.size > limit) return { kind: "large", size: stat.size };
    const data = await fs.readFile(real);
    return data.subarray(0, sniffBytes).includes(0)
      ? { kind: "binary", size: data.length }
      : { kind: "text", text: data.toString("utf8"), size: data.length };
  } catch (error) {
    return { kind: "unreadable", why: reasonOf(error) };
  }
}

/** A file-system error as part of a sentence. */
export function reasonOf(error: unknown): string {
  const codeOf =
    error instanceof Error && "code" in error ? String(error.code) : "";
  return reasons.get(codeOf) ?? errorText(error);
}

const sniffBytes = 8192;

const reasons: ReadonlyMap<string, string> = new Map([
  ["EACCES", "permission was denied"],
  ["EPERM", "permission was denied"],
  ["ENOENT", "it does not exist"],
  ["ENOSPC", "the disk is full"],
  ["EROFS", "the disk is read-only"],
  ["EISDIR", "it is a folder"],
  ["ENOTDIR", "part of its path is not a folder"],
]);
