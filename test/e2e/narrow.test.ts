import assert from "node:assert/strict";
import { faultAgent } from "./agents.ts";
import { Chat } from "./chat.ts";
import { withLab } from "./lab.ts";
import { widen } from "./width.ts";

/** To zoom in is to have fewer pixels: 200 % of a window is one of half its size. */
const windows = {
  "at 200 px": { width: 1280, height: 900 },
  "at 200 px, zoomed to 200 %": { width: 640, height: 450 },
} as const;

const long =
  "Use the cart in e2e/fixtures/cart.json instead of calling the API";

describe("a narrow panel", function () {
  this.timeout(180_000);
  const lab = withLab({
    settings: {
      "turnline.agents": {
        scripted: faultAgent("Scripted agent with a long name", [
          "--commands=plan,review",
          "--config",
        ]),
      },
      "turnline.defaultAgent": "scripted",
      "editor.fontSize": 20,
    },
  });
  let chat: Chat;

  before(async () => {
    chat = new Chat(await lab().chat());
    await lab().command("View: Toggle Primary Side Bar Visibility");
    await chat.send(
      `${long} do:thought=${long.replaceAll(" ", "+")} do:plan do:diff=src/a/long/way/down/to/cart.ts do:say=run+\`checkout.spec.ts\` do:code=const+aVeryLongName=await+something(); do:usage=40,100`,
    );
    await chat.ended(1);
  });

  /** What sticks out of the panel, and what is cut without saying what it is. */
  function misfits(): Promise<readonly string[]> {
    return chat.frame.locator("main").evaluate((panel) => {
      const edge = panel.getBoundingClientRect();
      const named = (one: Element): string =>
        `${one.tagName}.${one.className} ${one.textContent.slice(0, 60)}`;
      const scrolls = (one: Element | null): boolean =>
        one !== null &&
        one !== panel &&
        (getComputedStyle(one).overflowX !== "visible" ||
          one.classList.contains("sr") ||
          scrolls(one.parentElement));
      const wrong: string[] = [];
      for (const one of panel.querySelectorAll("*")) {
        const box = one.getBoundingClientRect();
        const shown = one.checkVisibility({ opacityProperty: true });
        if (!shown || box.width === 0 || one instanceof SVGElement) continue;
        if (
          (box.right > edge.right + 1 || box.left < edge.left - 1) &&
          !scrolls(one.parentElement) &&
          !one.classList.contains("sr")
        )
          wrong.push(`sticks out: ${named(one)}`);
        const style = getComputedStyle(one);
        const cut =
          (style.textOverflow === "ellipsis" &&
            one.scrollWidth > one.clientWidth + 1) ||
          (style.webkitLineClamp !== "none" &&
            one.scrollHeight > one.clientHeight + 1);
        if (cut && one.closest("[title]") === null)
          wrong.push(`cut without a word: ${named(one)}`);
      }
      if (panel.scrollWidth > panel.clientWidth)
        wrong.push(`scrolls sideways: ${panel.scrollWidth}`);
      return wrong;
    });
  }

  async function fits(what: string): Promise<void> {
    const { page } = lab();
    for (const [name, size] of Object.entries(windows)) {
      await page.setViewportSize(size);
      // The side bar has an edge of its own.
      await widen(page, 202);
      await chat.until(
        () => chat.frame.locator("body").evaluate((body) => body.clientWidth),
        (width) => width >= 198 && width <= 202,
      );
      await lab().picture(`narrow ${what} ${name}`);
      assert.deepEqual(await misfits(), [], `${what}, ${name}`);
    }
  }

  it("keeps the agent's choices beside Send from 260 px on, and below it at 200 px", async () => {
    const tops = async (): Promise<readonly number[]> => {
      const boxes = [chat.part("send"), ...(await chat.part("option").all())];
      return Promise.all(
        boxes.map(async (one) => (await one.boundingBox())?.y ?? 0),
      );
    };
    for (const [width, beside] of [
      [420, true],
      [260, true],
      [202, false],
    ] as const) {
      await widen(lab().page, width);
      const [send = 0, ...options] = await chat.until(
        tops,
        ([at = 0, ...all]) => all.every((y) => beside === y < at + 4),
      );
      assert.ok(options.length >= 2, `${options.length} options`);
      for (const y of options) assert.ok(y > send - 4);
    }
  });

  it("keeps code to the size of the words around it, however large the editor's is", async () => {
    const looks = await chat.frame
      .locator(".answer")
      .first()
      .evaluate((answer) =>
        ["p", "code", "pre"].map((name) => {
          const one = answer.querySelector(name) ?? answer;
          const { fontSize, lineHeight } = getComputedStyle(one);
          return [parseFloat(fontSize), parseFloat(lineHeight)] as const;
        }),
      );
    const none = [0, 0] as const;
    const [[prose] = none, [code] = none, [pre, line] = none] = looks;
    assert.ok(code > 0 && code < prose, `${code} in ${prose}`);
    assert.ok(pre > 0 && pre < prose, `${pre} beside ${prose}`);
    assert.ok(line >= pre * 1.4, `${pre} / ${line}`);
  });

  it("says things once: what the head offers is not in VS Code's title bar too", async () => {
    const title = lab().page.locator(".part.auxiliarybar > .title");
    await title
      .getByLabel(/Search All Threads/u)
      .first()
      .waitFor();
    for (const name of [/New Thread/u, /Show Batch Timeline/u, /Show Log/u])
      assert.equal(await title.getByLabel(name).count(), 0);
  });

  it("holds a question, a queue, chips and the agent's choices", async () => {
    await chat.send("do:permission");
    await chat.part("permission").waitFor();
    for (const text of [long, `${long}, please`, "/plan it"])
      await chat.send(text);
    await chat.part("queue-item").nth(2).waitFor();
    const chooser = lab().page.waitForEvent("filechooser");
    await chat.part("attach").click();
    await (
      await chooser
    ).setFiles([
      {
        name: "a-file-with-quite-a-long-name-of-its-own.txt",
        mimeType: "text/plain",
        buffer: Buffer.from("words"),
      },
    ]);
    await chat.frame.locator(".box .chip").waitFor();
    assert.ok((await chat.part("option").count()) >= 2);
    await fits("question and queue");
    for (const part of ["send", "stop", "attach", "option"])
      assert.ok(await chat.part(part).first().isVisible(), part);
    await chat.item(`${long}, please`).press("Enter");
    await chat.part("queue-edit-text").waitFor();
    await fits("edit");
    await chat.part("queue-edit-text").press("Escape");
  });

  it("holds a form", async () => {
    await chat.part("permission").locator('[data-kind="reject_once"]').click();
    await chat.part("queue-item").first().waitFor({ state: "detached" });
    await chat.status("ready").waitFor();
    await chat.send("do:elicit");
    await chat.part("elicitation").waitFor();
    await fits("form");
    await chat.part("stop").click();
    await chat.status("ready").waitFor();
  });

  it("holds what is offered while one types, an open menu, the find box and an error", async () => {
    for (const [typed, list] of [
      ["@", chat.part("mentions")],
      ["/", chat.frame.getByRole("listbox")],
    ] as const) {
      await chat.part("composer").click();
      await chat.part("composer").pressSequentially(typed);
      await list.first().waitFor();
      await fits(`offered after ${typed}`);
      await chat.part("composer").fill("");
    }
    await chat.send("do:say=half do:error");
    await chat.batches("failed").first().waitFor();
    await fits("error");
    await (await chat.find()).fill("half");
    await fits("find");
    await chat.part("find-close").click();
    await chat.frame.getByRole("button", { name: "More" }).first().click();
    await chat.frame.getByRole("menuitem").first().waitFor();
    await fits("menu");
    await chat.frame.getByRole("menuitem").first().press("Escape");
  });

  it("holds the empty panel", async () => {
    await lab().command("Turnline: New Thread");
    await chat.part("empty").waitFor();
    await fits("empty");
  });

  it("holds the list of threads", async () => {
    await chat.frame.locator(".head-title").click();
    await chat.part("threads").waitFor();
    await fits("threads");
    await chat.frame.locator(".head-title").click();
  });
});
