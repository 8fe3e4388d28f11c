/** Where a link of an agent may lead: a page or mail, by the host; a file, by the host; or nowhere. */
export type LinkTarget =
  | { readonly kind: "url"; readonly url: string }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly line: number | undefined;
    };

const schemes: ReadonlySet<string> = new Set(["http", "https", "mailto"]);

/** The allow-list: what is not on it is shown as text. */
export function linkTarget(href: string): LinkTarget | undefined {
  const trimmed = href.trim();
  if (trimmed === "" || trimmed.startsWith("#")) return undefined;
  // A browser skips these when it reads a scheme, so "java\tscript:" must not pass for a path.
  if (/[\u0000-\u0020\u007f-\u00a0]/u.test(trimmed)) return undefined;
  const windowsDrive = /^[a-z]:[\\/]/iu.test(trimmed);
  const scheme = /^([a-z][a-z0-9+.-]*):/iu.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme === undefined || windowsDrive) return fileTarget(trimmed);
  if (scheme === "file") return fileTarget(pathOfFileUrl(trimmed));
  // "src/a.ts:12" has no scheme, "a.ts:12" looks as if it had one.
  if (/^[^/:]+\.[a-z0-9]+:\d/iu.test(trimmed)) return fileTarget(trimmed);
  return schemes.has(scheme) ? { kind: "url", url: trimmed } : undefined;
}

function fileTarget(href: string | undefined): LinkTarget | undefined {
  if (href === undefined || href.startsWith("//") || href.startsWith("\\\\"))
    return undefined;
  const [name = "", fragment] = href.split("#", 2);
  const bare = /^(.*?)(?::(\d+)(?::\d+)?)?$/u.exec(name);
  const line = /^L(\d+)/u.exec(fragment ?? "")?.[1] ?? bare?.[2];
  const path = decoded(bare?.[1] ?? name);
  if (path === undefined || path === "") return undefined;
  return {
    kind: "file",
    path,
    line: line === undefined ? undefined : Number(line),
  };
}

function pathOfFileUrl(href: string): string | undefined {
  const rest = /^file:\/\/(?:localhost)?(\/.*)$/iu.exec(href)?.[1];
  return rest?.replace(/^\/([a-z]:)/iu, "$1");
}

function decoded(path: string): string | undefined {
  try {
    const plain = decodeURIComponent(path);
    return plain.includes("\u0000") ? undefined : plain;
  } catch {
    return undefined;
  }
}
