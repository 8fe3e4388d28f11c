import assert from "node:assert/strict";
import fc from "fast-check";
import { Window } from "happy-dom";
import { highlight } from "../../../webview/chat/markdown/highlight.ts";
import { pieces } from "../../../webview/chat/markdown/pieces.ts";
import type { Near } from "../../../webview/chat/markdown/near.ts";
import { MarkdownStream } from "../../../webview/chat/markdown/stream.ts";
import { runs } from "../../fakes/runs.ts";

const document = new Window().document as unknown as Document;

/** Writes a text in the pieces given and answers the HTML it came to. */
function written(...texts: readonly string[]): string {
  const { root, stream } = start();
  let text = "";
  for (const piece of texts) stream.set((text += piece), true);
  stream.set(text, false);
  return root.innerHTML;
}

function start(near?: Near): { root: HTMLElement; stream: MarkdownStream } {
  const root = document.createElement("div");
  const head = (language: string): Node => {
    const made = document.createElement("header");
    made.textContent = language;
    return made;
  };
  return { root, stream: new MarkdownStream(root, { head, highlight, near }) };
}

/** A view that is told what comes near it. */
class FakeView implements Near {
  readonly #jobs = new Map<Element, () => void>();
  readonly watched = new Set<Element>();

  add(element: Element, job: () => void): void {
    this.#jobs.set(element, job);
  }

  watch(): void {
    for (const element of this.#jobs.keys()) this.watched.add(element);
  }

  forget(): void {
    this.#jobs.clear();
    this.watched.clear();
  }

  come(element: Element | undefined): void {
    if (element !== undefined && this.watched.has(element))
      this.#jobs.get(element)?.();
  }
}

/** The blocks, whatever holds them. */
const blocksIn = (root: HTMLElement): readonly Element[] =>
  [...root.children].flatMap((part) => [...part.children]);

const parts = [
  "# A heading\n",
  "Some *plain* text with `code` and a [link](https://example.com/a).\n",
  "A setext heading\n===\n",
  "\n",
  "- one\n- two\n\n  more of two\n- three\n",
  "* other\n* list\n",
  "1. first\n2. second\n   - nested\n   - list\n",
  "> quoted\n> text\n",
  "```ts\nconst a = 1;\n\nconst b = `x`;\n```\n",
  "~~~\nplain ``` inside\n~~~\n",
  "   ```\n   indented fence\n   ```\n",
  "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | **4** |\n",
  "| left | right |\n| :-- | --: |\n| 1 | 2 |\n",
  "    indented code\n",
  "3. third\n4. fourth\n\n   ```\n\n   an empty line above\n   ```\n",
  "---\n",
  "- item with\n  ```js\n  code()\n  ```\n- next\n",
  "lazy\r\nwindows lines\r\n",
  "```\nnever closed\n",
  "last line without an end",
];

describe("Markdown block by block", () => {
  it("comes out the same however the text was cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...parts), { maxLength: 7 }),
        fc.array(fc.nat(400), { maxLength: 12 }),
        (chosen, cuts) => {
          const text = chosen.join("");
          const at = [...new Set(cuts)]
            .filter((cut) => cut < text.length)
            .sort((a, b) => a - b);
          const cut = [0, ...at].map((from, i) => text.slice(from, at[i]));
          assert.equal(written(...cut), written(text));
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it("keeps an empty first line of code, wherever the code stands", () => {
    const code = (indent: string): string =>
      ["```", "", "a", "```", ""].map((line) => indent + line).join("\n");
    const { root, stream } = start();
    stream.set(`${code("")}\n- item\n\n${code("  ")}`, false);
    const codes = [...root.querySelectorAll("pre")];
    assert.deepEqual(
      codes.map(({ textContent }) => textContent),
      ["\na\n", "\na\n"],
    );
  });

  it("aligns the cells of a table without a style, which the page would refuse", () => {
    const { root, stream } = start();
    stream.set("| a | b |\n| :-: | --- |\n| 1 | 2 |\n", false);
    const cells = [...root.querySelectorAll("th, td")];
    assert.deepEqual(
      cells.map(({ className }) => className),
      ["is-center", "", "is-center", ""],
    );
    assert.equal(root.querySelector("[style]"), null);
  });

  it("writes a finished block once and never touches it again", () => {
    const { root, stream } = start();
    const text = "first\n\nsecond\n\n- a\n- b\n- c\n";
    stream.set(text, true);
    const [p1, p2, list] = blocksIn(root);
    const item = list?.children[0];
    stream.set(`${text}- d\n\nlast\n\nmore`, true);
    const now = blocksIn(root);
    assert.ok(now[0] === p1);
    assert.ok(now[1] === p2);
    assert.ok(now[2]?.children[0] === item);
    assert.equal(now[2]?.children.length, 4);
  });

  it("holds finished blocks in parts, so that more below lays none of them out again", () => {
    const { root, stream } = start();
    const text = Array.from({ length: 100 }, (_, n) => `block ${n}\n\n`);
    stream.set(text.join(""), true);
    const parts = [...root.children];
    assert.ok(parts.length > 3);
    assert.ok(parts.every((part) => part.childElementCount <= 25));
    stream.set(`${text.join("")}and on\n\nand on`, true);
    assert.ok(parts.every((part, n) => root.children[n] === part));
    assert.equal(blocksIn(root).length, 102);
  });

  it("appends to an open fence and colours it when it closes", () => {
    const { root, stream } = start();
    stream.set("```ts\nconst a = 1;\n", true);
    const code = root.querySelector(".code");
    const inside = (): string | undefined =>
      code?.querySelector("pre")?.innerHTML;
    const said = (): string | undefined =>
      code?.querySelector("pre")?.textContent;
    assert.equal(inside()?.includes("hljs"), false);
    stream.set("```ts\nconst a = 1;\n``", true);
    assert.equal(said(), "const a = 1;\n");
    stream.set("```ts\nconst a = 1;\n```\nafter", true);
    assert.ok(root.querySelector(".code") === code);
    assert.match(inside() ?? "", /hljs-keyword/);
    assert.equal(said(), "const a = 1;\n");
    assert.equal(blocksIn(root).at(-1)?.textContent, "after");
  });

  it("colours what is finished only when it comes near the view", () => {
    const view = new FakeView();
    const { root, stream } = start(view);
    const text =
      "```ts\nconst a = 1;\n```\n- b\n  ```ts\n  const b = 1;\n  ```\n";
    stream.set(`${text}\n\`\`\`ts\nconst c`, true);
    const codes = [...root.querySelectorAll("pre")];
    const coloured = (): readonly boolean[] =>
      codes.map(({ innerHTML }) => innerHTML.includes("hljs-keyword"));
    const said = codes.map(({ textContent }) => textContent);
    assert.deepEqual(said, ["const a = 1;\n", "const b = 1;\n", "const c"]);
    assert.deepEqual(coloured(), [false, false, false]);
    assert.deepEqual([...view.watched], codes.slice(0, 2));
    view.come(codes[1]);
    assert.deepEqual(coloured(), [false, true, false]);
    const piece = codes[0]?.querySelector(".piece");
    view.come(codes[0]);
    assert.deepEqual(coloured(), [true, true, false]);
    assert.ok(codes[0]?.firstElementChild === piece);
    assert.deepEqual(
      codes.map(({ textContent }) => textContent),
      said,
    );
    stream.stop();
    assert.equal(view.watched.size, 0);
  });

  it("watches nothing of a text that another one replaced", () => {
    const view = new FakeView();
    const { root, stream } = start(view);
    stream.set("```ts\nlet a;\n```\n", true);
    stream.set("other\n\n```ts\nlet b;\n```\n", false);
    assert.deepEqual([...view.watched], [...root.querySelectorAll("pre")]);
  });

  it("starts anew when the text is another one", () => {
    const { root, stream } = start();
    stream.set("one\n\ntwo", true);
    stream.set("three", false);
    assert.equal(root.firstElementChild?.innerHTML, "<p>three</p>");
    assert.equal(root.childElementCount, 1);
  });

  it("rests between parts when its time is up", () => {
    const { root } = start();
    const jobs: (() => void)[] = [];
    let now = 0;
    const stream = new MarkdownStream(root, {
      head: () => root.ownerDocument.createElement("header"),
      highlight: () => undefined,
      later: (job) => jobs.push(job),
      clock: () => (now += 5),
    });
    stream.set("block\n\n".repeat(500), false);
    assert.ok(blocksIn(root).length < 500);
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) job();
    assert.equal(blocksIn(root).length, 500);
  });

  it("does less in each of its turns while someone types", () => {
    const turns = (typing: boolean): number => {
      const { root } = start();
      const jobs: (() => void)[] = [];
      let [now, count] = [0, 0];
      const stream = new MarkdownStream(root, {
        head: () => root.ownerDocument.createElement("header"),
        highlight: () => undefined,
        later: (job) => jobs.push(job),
        hurried: () => typing,
        clock: () => (now += 5),
      });
      stream.set("block\n\n".repeat(2_000), false);
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
        job();
        count++;
      }
      assert.equal(blocksIn(root).length, 2_000);
      return count;
    };
    assert.ok(turns(true) > 2 * turns(false));
  });

  it("I49: renders no markup of an agent and no link that is not allowed", () => {
    const hostile = [
      "<script>alert(1)</script>",
      '<img src=x onerror="alert(1)">',
      "[a](javascript:alert(1))",
      "[a](command:workbench.action.quit)",
      "[a](vscode://x)",
      "[a](data:text/html,x)",
      "![p](https://example.com/p.png)",
      "![p](javascript:1)",
      "<iframe src='https://example.com'></iframe>",
      "[a]: javascript:alert(1)\n\n[a]",
      "```js\n</pre><script>1</script>\n```",
      "| <b onclick=x> | b |\n| --- | --- |\n| <svg/onload=1> | 2 |",
      '```"><script>1</script>\nx\n```',
    ];
    const { root, stream } = start();
    stream.set(hostile.join("\n\n"), false);
    assert.equal(
      root.querySelectorAll("script, img, iframe, svg, [onerror], [onclick]")
        .length,
      0,
    );
    for (const link of root.querySelectorAll("a[href]"))
      assert.match(link.getAttribute("href") ?? "", /^(https?:|mailto:|#$)/);
  });

  it("cuts highlighted code into pieces of whole lines", () => {
    const html = `<span class="c">a\nb\n<span class="d">c\nd</span></span>\ne`;
    assert.deepEqual(pieces(html, 2), [
      `<span class="c">a\nb\n</span>`,
      `<span class="c"><span class="d">c\nd</span></span>\n`,
      "e",
    ]);
  });
});
