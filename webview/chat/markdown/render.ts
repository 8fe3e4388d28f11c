import type { CodeParts } from "./fence.ts";
import { colour } from "./fence.ts";
import type { Env } from "./parser.ts";
import { html } from "./parser.ts";
import { longestBlock } from "./whole.ts";

interface RenderOptions extends CodeParts {
  /** Nothing of it will change any more. */
  readonly finished: boolean;
}

/** The elements of a text. */
export function render(
  text: string,
  env: Env,
  options: RenderOptions,
  document: Document,
): ChildNode[] {
  if (text.length > longestBlock) {
    const plain = document.createElement("p");
    plain.textContent = text;
    return [plain];
  }
  return elements(html(text, env), options, document);
}

/** The elements of what the parser wrote. */
export function elements(
  html: string,
  options: RenderOptions,
  document: Document,
): ChildNode[] {
  const template = document.createElement("template");
  template.innerHTML = html;
  dressCode(template.content, options);
  return [...template.content.children];
}

/** The items or rows of what was rendered as a list or table of its own. */
export function within(
  nodes: readonly ChildNode[],
  kind: "list" | "table",
): ChildNode[] {
  const first = nodes[0] as Element | undefined;
  if (first === undefined) return [];
  if (kind === "table") return [...first.querySelectorAll("tbody > tr")];
  return first.matches("ul, ol") ? [...first.children] : [];
}

/** Code gets its head, and its colours once it is finished. */
function dressCode(content: DocumentFragment, options: RenderOptions): void {
  for (const code of content.querySelectorAll(".code")) {
    const language = code.getAttribute("data-lang") ?? "";
    code.prepend(options.head(language));
    const pre = code.querySelector("pre");
    if (options.finished && pre !== null) colour(pre, language, options);
  }
}
