import MarkdownIt from "markdown-it";
import { linkTarget } from "../links.ts";

/** One block of a text: where it starts and ends (in characters), and what it is. */
export interface Block {
  readonly kind: "fence" | "list" | "table" | "other";
  readonly start: number;
  readonly end: number;
  /** Of a list: where each item starts. Of a table: where each row of its body starts. */
  readonly parts: readonly number[];
  readonly ordered: number | undefined;
}

const md = new MarkdownIt({ html: false, linkify: true });
md.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
md.validateLink = (href) => linkTarget(href) !== undefined;

md.renderer.rules["link_open"] = (tokens, at) => {
  const target = linkTarget(attribute(tokens[at], "href"));
  const { escapeHtml } = md.utils;
  if (target === undefined) return `<a tabindex="-1">`;
  if (target.kind === "url")
    return `<a tabindex="-1" href="${escapeHtml(target.url)}" title="${escapeHtml(target.url)}" data-url="${escapeHtml(target.url)}">`;
  const line = target.line === undefined ? "" : ` data-line="${target.line}"`;
  const path = escapeHtml(target.path);
  return `<a tabindex="-1" href="#" title="${path}" data-path="${path}"${line}>`;
};

// Nothing remote is loaded: a picture is a link to it.
md.renderer.rules["image"] = (tokens, at) => {
  const token = tokens[at];
  const src = attribute(token, "src");
  const { escapeHtml } = md.utils;
  const name = escapeHtml(token?.content === "" ? src : (token?.content ?? ""));
  const target = linkTarget(src);
  if (target?.kind !== "url") return `<span>${name}</span>`;
  const url = escapeHtml(target.url);
  return `<a tabindex="-1" href="${url}" title="${url}" data-url="${url}">${name}</a>`;
};

// Code inside a list or a quote; a fence at the top is written line by line instead.
const code = (text: string, info: string): string =>
  `<div class="code" data-lang="${md.utils.escapeHtml(language(info))}"><pre tabindex="-1">${md.utils.escapeHtml(text)}</pre></div>`;
md.renderer.rules["fence"] = (tokens, at) =>
  code(tokens[at]?.content ?? "", tokens[at]?.info ?? "");
md.renderer.rules["code_block"] = (tokens, at) =>
  code(tokens[at]?.content ?? "", "");

/** The language a fence names: its first word. */
export function language(info: string): string {
  return info.trim().split(/\s/u, 1)[0] ?? "";
}

md.renderer.rules["table_open"] = () =>
  `<div class="table" tabindex="-1"><table>`;
md.renderer.rules["table_close"] = () => `</table></div>`;

function attribute(
  token: ReturnType<typeof md.parse>[number] | undefined,
  name: string,
): string {
  return String(token?.attrGet(name) ?? "");
}

/** What earlier blocks defined, such as link references. */
export type Env = Record<string, unknown>;

export function html(text: string, env: Env): string {
  return md.render(text, env);
}

/** The top-level blocks of a text, without looking inside them. */
export function blocks(text: string, env: Env): readonly Block[] {
  const tokens: ReturnType<typeof md.parse> = [];
  md.block.parse(text, md, env, tokens);
  const lines = lineStarts(text);
  const at = (line: number): number => lines[line] ?? text.length;
  const found: Block[] = [];
  for (const [i, token] of tokens.entries()) {
    if (token.level !== 0 || token.nesting === -1 || token.map === null)
      continue;
    const [from, to] = token.map;
    const kind = kindOf(token.type);
    const parts: number[] = [];
    if (kind === "list" || kind === "table") {
      const inner = kind === "list" ? "list_item_open" : "tr_open";
      const level = kind === "list" ? 1 : 2;
      let inBody = kind === "list";
      for (let j = i + 1; j < tokens.length; j++) {
        const part = tokens[j];
        if (part === undefined || part.level === 0) break;
        if (part.type === "tbody_open") inBody = true;
        if (inBody && part.type === inner && part.level === level)
          parts.push(at(part.map?.[0] ?? from));
      }
    }
    const ordered =
      token.type === "ordered_list_open"
        ? Number(token.attrGet("start") ?? 1)
        : undefined;
    found.push({ kind, start: at(from), end: at(to), parts, ordered });
  }
  return found;
}

function kindOf(type: string): Block["kind"] {
  switch (type) {
    case "fence":
      return "fence";
    case "bullet_list_open":
    case "ordered_list_open":
      return "list";
    case "table_open":
      return "table";
    default:
      return "other";
  }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1))
    starts.push(at + 1);
  return starts;
}
