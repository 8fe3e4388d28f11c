// Takes the arguments of a desktop VS Code and runs an extension's test suite in the headless one.
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { format } from "node:util";
import type { Page } from "playwright-core";
import { evidenceFolder, keepLogs } from "./evidence.ts";
import { ownHome, startServer } from "./server.ts";
import { openBrowser, openWorkbench, picture } from "./workbench.ts";

const value = (name: string): string | undefined =>
  process.argv
    .find((argument) => argument.startsWith(`--${name}=`))
    ?.slice(name.length + 3);
const development = value("extensionDevelopmentPath");
const tests = value("extensionTestsPath");
const folder = process.argv
  .slice(2)
  .find((argument) => !argument.startsWith("--"));
if (development === undefined || tests === undefined)
  throw new Error("No extension or no suite was named.");

const situation = process.env["TURNLINE_SITUATION"];
const evidence = evidenceFolder(
  path.join(development, "out", "results"),
  situation,
);
mkdirSync(evidence, { recursive: true });
const log = createWriteStream(path.join(evidence, "host.log"));
const data = mkdtempSync(path.join(os.tmpdir(), "turnline-vscode-"));
const minutes = Number(process.env["TURNLINE_MINUTES"] ?? 10);
const server = await startServer({
  data,
  say: console.log,
  env: ownHome(data),
  quiet: true,
  trust: situation === "not trusted" ? "ask" : "off",
});
const browser = await openBrowser();
const remote = (file: string): string =>
  `vscode-remote://127.0.0.1:${server.port}${file}`;
let shown: Page | undefined;
let code = 1;
try {
  code = await new Promise<number>((resolve, reject) => {
    const late = (): void =>
      reject(new Error(`The suite did not end within ${minutes} minutes.`));
    openWorkbench(browser, {
      server,
      ...(folder === undefined ? {} : { folder }),
      payload: [
        ["extensionDevelopmentPath", remote(development)],
        ["extensionTestsPath", remote(tests)],
      ],
      prepare: async (page) => {
        shown = page;
        page.on("close", () => reject(new Error("The page was closed.")));
        await page.exposeFunction(
          "codeAutomationLog",
          (type: string, args: readonly unknown[]) => {
            log.write(`${type}: ${format(...args)}\n`);
          },
        );
        await page.exposeFunction("codeAutomationExit", resolve);
      },
    }).then(() => setTimeout(late, minutes * 60_000), reject);
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  if (code !== 0) {
    // A page that is gone has no picture; the logs tell.
    if (shown !== undefined)
      await picture(shown, evidence, "workbench").catch(() => undefined);
    keepLogs(server, evidence);
    console.error(`A picture and the logs: ${evidence}`);
  }
  await browser.close();
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}
process.exit(code);
