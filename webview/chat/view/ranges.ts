import { bare } from "../../../src/util/findText.ts";
import type { Marking } from "../spot.ts";

/** Words around a text that are not of it. */
const aside = ".code-head, .receipt, time, button.more, .sr, .icos";
const blocks = "p, li, pre, td, th, h1, h2, h3, h4, h5, h6, div, blockquote";

/** Where a record as it is drawn holds what is marked. */
export function rangesIn(
  element: Element,
  { wanted, bare: plain }: Marking,
): readonly Range[] {
  const nodes: { readonly node: Text; readonly from: number }[] = [];
  let text = "";
  let block: Element | null = null;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    const parent: Element | null = node.parentElement;
    if (parent === null || parent.closest(aside) !== null) continue;
    const within = parent.closest(blocks);
    // Words of two paragraphs are not one.
    if (block !== null && within !== block) text += "\n";
    block = within;
    nodes.push({ node, from: text.length });
    text += node.data;
  }
  const found = (plain ? bare(text) : text).matchAll(wanted);
  return [...found].flatMap(({ index, 0: hit }): readonly Range[] => {
    const start = at(nodes, index);
    const end = at(nodes, index + hit.length - 1);
    if (start === undefined || end === undefined) return [];
    const range = document.createRange();
    range.setStart(start.node, index - start.from);
    range.setEnd(end.node, index + hit.length - end.from);
    return [range];
  });
}

function at<T extends { readonly node: Text; readonly from: number }>(
  nodes: readonly T[],
  offset: number,
): T | undefined {
  const found = nodes.findLast(({ from }) => from <= offset);
  return found !== undefined && offset < found.from + found.node.data.length
    ? found
    : undefined;
}
