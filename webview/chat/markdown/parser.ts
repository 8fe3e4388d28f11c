import type { Token } from "markdown-it";
import MarkdownIt from "markdown-it";
import { linkTarget } from "../links.ts";
import { plainPieces } from "./pieces.ts";

/** One block of a text: where it starts and ends (in characters), and what it is. */
export interface Block {
  readonly kind: "fence" | "list" | "table" | "other";
  readonly start: number;
  readonly end: number;
  /** Of a list: where each item starts. Of a table: where each row of its body starts. */
  readonly parts: readonly number[];
  readonly ordered: number | undefined;
  /** What the parser made of it; nobody has looked inside its lines yet. */
  readonly tokens: readonly Token[];
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

/** Finished code; its head and its colours are no text of the agent's. */
export function codeHtml(text: string, language: string): string {
  const { escapeHtml } = md.utils;
  const pieces = plainPieces(text).map(
    (piece) => `<span class="piece">${escapeHtml(piece)}</span>`,
  );
  return `<div class="code" data-lang="${escapeHtml(language)}"><pre tabindex="-1">${pieces.join("")}</pre></div>`;
}
md.renderer.rules["fence"] = (tokens, at) =>
  codeHtml(tokens[at]?.content ?? "", language(tokens[at]?.info ?? ""));
md.renderer.rules["code_block"] = (tokens, at) =>
  codeHtml(tokens[at]?.content ?? "", "");

/** The language a fence names: its first word. */
export function language(info: string): string {
  return info.trim().split(/\s/u, 1)[0] ?? "";
}

md.renderer.rules["table_open"] = () =>
  `<div class="table" tabindex="-1"><table>`;
md.renderer.rules["table_close"] = () => `</table></div>`;
// No lines between rows and cells: a table comes out the same when its rows are added one by one.
for (const tag of ["thead", "tbody", "tr", "th", "td"]) {
  // The page allows no styles in the text.
  md.renderer.rules[`${tag}_open`] = (tokens, at) => {
    const [, side] = attribute(tokens[at], "style").split(":");
    return side === undefined ? `<${tag}>` : `<${tag} class="is-${side}">`;
  };
  md.renderer.rules[`${tag}_close`] = () => `</${tag}>`;
}

function attribute(token: Token | undefined, name: string): string {
  return String(token?.attrGet(name) ?? "");
}

/** What earlier blocks defined, such as link references. */
export type Env = Record<string, unknown>;

export function html(text: string, env: Env): string {
  return md.render(text, env);
}

/** The items of a text that is a list and nothing else. */
export function itemsHtml(text: string, env: Env): string | undefined {
  const tokens = md.parse(text, env);
  const isList = kindOf(tokens[0]?.type ?? "") === "list";
  if (!isList || closing(tokens, 0) !== tokens.length - 1) return undefined;
  return md.renderer.render(tokens.slice(1, -1), md.options, env).trimEnd();
}

/** The HTML of blocks that are parsed already, all but what stands in their lines. */
export function tokensHtml(tokens: readonly Token[], env: Env): string {
  // Of an empty text there is nothing to parse: what remains is to look inside the lines.
  const state = new md.core.State("", md, env);
  state.tokens = [...tokens];
  md.core.process(state);
  return md.renderer.render(state.tokens, md.options, env);
}

/** The top-level blocks of a text, without looking inside them. */
export function blocks(text: string, env: Env): readonly Block[] {
  const tokens: Token[] = [];
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
    const last = closing(tokens, i);
    if (kind === "list" || kind === "table") {
      const inner = kind === "list" ? "list_item_open" : "tr_open";
      const level = kind === "list" ? 1 : 2;
      let inBody = kind === "list";
      for (const part of tokens.slice(i + 1, last)) {
        if (part.type === "tbody_open") inBody = true;
        if (inBody && part.type === inner && part.level === level)
          parts.push(at(part.map?.[0] ?? from));
      }
    }
    const ordered =
      token.type === "ordered_list_open"
        ? Number(token.attrGet("start") ?? 1)
        : undefined;
    found.push({
      kind,
      start: at(from),
      end: at(to),
      parts,
      ordered,
      tokens: tokens.slice(i, last + 1),
    });
  }
  return found;
}

/** Where what opens here closes; what neither opens nor closes is whole by itself. */
function closing(tokens: readonly Token[], from: number): number {
  let at = from;
  if (tokens[at]?.nesting !== 1) return at;
  const { level } = tokens[at] ?? {};
  do at++;
  while (at < tokens.length && tokens[at]?.level !== level);
  return at;
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
