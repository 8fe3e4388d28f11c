import { readFileSync } from "node:fs";
import path from "node:path";
import esbuild from "esbuild";
import type { Browser } from "playwright-core";
import { workedMs } from "./webviewLab.ts";

const root = path.resolve(import.meta.dirname, "..", "..");

/** What the main thread works when a growing text is written anew, whole, in each of so many frames. */
export async function wholeRenderMs(
  browser: Browser,
  text: string,
  frames: number,
): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 420, height: 800 } });
  try {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    const css = readFileSync(path.join(root, "dist", "webview", "chat.css"));
    await page.setContent(
      `<style>${css.toString()}</style><div class="md" id="whole"></div>`,
    );
    await page.addScriptTag({ content: await renderer() });
    const before = await workedMs(cdp);
    await page.evaluate(
      async ({ whole, count }) => {
        const { render } = window as unknown as {
          render: (text: string) => string;
        };
        const box = document.getElementById("whole");
        if (box === null) return;
        for (let n = 1; n <= count; n++) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          box.innerHTML = render(
            whole.slice(0, Math.ceil((whole.length * n) / count)),
          );
        }
        await new Promise((resolve) => requestAnimationFrame(resolve));
      },
      { whole: text, count: frames },
    );
    return (await workedMs(cdp)) - before;
  } finally {
    await page.close();
  }
}

async function renderer(): Promise<string> {
  const built = await esbuild.build({
    stdin: {
      contents: `import MarkdownIt from "markdown-it";
        const md = new MarkdownIt({ html: false, linkify: true });
        window.render = (text) => md.render(text);`,
      resolveDir: root,
    },
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
  });
  return built.outputFiles[0]?.text ?? "";
}
