import type { CodeParts } from "./fence.ts";
import { colour } from "./fence.ts";
import type { Env } from "./parser.ts";
import { html } from "./parser.ts";

/** Longer than this, a paragraph is shown as plain text. */
const longestBlock = 60_000;

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
  const template = document.createElement("template");
  template.innerHTML = html(text, env);
  const elements = [...template.content.children];
  for (const element of elements) dressCode(element, options);
  return elements;
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

/** Code inside a list or a quote gets its head, and its colours once it is finished. */
function dressCode(element: Element, options: RenderOptions): void {
  const codes = element.matches(".code")
    ? [element]
    : element.querySelectorAll(".code");
  for (const code of codes) {
    const language = code.getAttribute("data-lang") ?? "";
    code.prepend(options.head(language));
    const pre = code.querySelector("pre");
    if (options.finished && pre !== null) colour(pre, language, options);
  }
}
