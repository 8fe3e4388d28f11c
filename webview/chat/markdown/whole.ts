import { fenceOf } from "./fence.ts";
import type { Block, Env } from "./parser.ts";
import { codeHtml, itemsHtml, tokensHtml } from "./parser.ts";

/** Items or rows that are written at once. */
export const atOnce = 100;
/** Longer than this, a paragraph is shown as plain text. */
export const longestBlock = 60_000;

/**
 * The HTML of a block that is finished, the same as when it is written part by part;
 * undefined for one that must be written so. Many blocks are one text to the browser, which is far cheaper.
 */
export function wholeHtml(
  block: Block,
  source: string,
  env: Env,
): string | undefined {
  const { kind, start, end, parts } = block;
  if (parts.length > atOnce || end - start > longestBlock) return undefined;
  if (kind === "fence") return fenceHtml(source.slice(start, end));
  if (kind === "list") return listHtml(block, source, env);
  return tokensHtml(block.tokens, env);
}

/** Undefined when it is not closed, or closed before the parser thought so. */
function fenceHtml(text: string): string | undefined {
  const lines = text.replace(/\n$/u, "").split("\n");
  const { language, closing, dedented } = fenceOf(lines[0] ?? "");
  if (lines.findIndex((line) => closing.test(line)) !== lines.length - 1)
    return undefined;
  const code = lines.slice(1, -1).map((line) => `${dedented(line)}\n`);
  return codeHtml(code.join(""), language);
}

/** Items are rendered one by one, since a blank line between two of them would change both. */
function listHtml(
  { parts, end, ordered }: Block,
  source: string,
  env: Env,
): string | undefined {
  let items = "";
  for (const [i, from] of parts.entries()) {
    const item = itemsHtml(source.slice(from, parts[i + 1] ?? end), env);
    if (item === undefined) return undefined;
    items += item;
  }
  if (ordered === undefined) return `<ul>${items}</ul>`;
  return `<ol${ordered === 1 ? "" : ` start="${ordered}"`}>${items}</ol>`;
}
