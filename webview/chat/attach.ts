import type { ToHost } from "../../src/protocol/toHost.ts";
import { words } from "./strings.ts";

/** Bytes of one file that a message may carry. */
const most = 20_000_000;

export type ReadFile =
  | {
      readonly ok: true;
      readonly message: Extract<ToHost, { type: "keepBytes" }>;
    }
  | { readonly ok: false; readonly why: string };

/** A file pasted, dropped or picked, as what the host can keep. */
export async function readFile(file: File): Promise<ReadFile> {
  const name = file.name === "" ? words.composer.pasted : file.name;
  if (file.size > most)
    return { ok: false, why: words.composer.tooLarge(name, most / 1_000_000) };
  try {
    const data = base64(new Uint8Array(await file.arrayBuffer()));
    const mimeType = file.type === "" ? "application/octet-stream" : file.type;
    return {
      ok: true,
      message: {
        type: "keepBytes",
        name: name.slice(0, 1_000),
        mimeType: mimeType.slice(0, 200),
        data,
      },
    };
  } catch {
    return { ok: false, why: words.composer.unreadable(name) };
  }
}

/** The URIs that VS Code's explorer and tabs bring along when they are dragged here. */
export function urisOf(data: Pick<DataTransfer, "getData">): readonly string[] {
  const found = ["application/vnd.code.uri-list", "text/uri-list"]
    .flatMap((type) => data.getData(type).split(/[\r\n]+/u))
    .map((uri) => uri.trim())
    .filter((uri) => uri !== "" && !uri.startsWith("#"));
  return [...new Set(found)].slice(0, 200);
}

function base64(bytes: Uint8Array): string {
  const step = 0x8000;
  let text = "";
  for (let at = 0; at < bytes.length; at += step)
    text += String.fromCharCode(...bytes.subarray(at, at + step));
  return btoa(text);
}
