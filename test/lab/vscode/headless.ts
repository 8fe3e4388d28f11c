// Takes the arguments of a desktop VS Code and runs an extension's test suite in the headless one.
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { format } from "node:util";
import { startServer } from "./server.ts";
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

const log = createWriteStream(
  path.join(development, "out", "results", "integration.log"),
);
const data = mkdtempSync(path.join(os.tmpdir(), "turnline-vscode-"));
const minutes = Number(process.env["TURNLINE_MINUTES"] ?? 10);
const untrusted = process.env["TURNLINE_SITUATION"] === "not trusted";
const server = await startServer({
  data,
  say: console.log,
  trust: untrusted ? "ask" : "off",
});
const browser = await openBrowser();
const remote = (file: string): string =>
  `vscode-remote://127.0.0.1:${server.port}${file}`;
let code = 1;
try {
  code = await new Promise<number>((resolve, reject) => {
    const limit = setTimeout(() => {
      reject(new Error(`The suite did not end within ${minutes} minutes.`));
    }, minutes * 60_000);
    openWorkbench(browser, {
      server,
      ...(folder === undefined ? {} : { folder }),
      payload: [
        ["extensionDevelopmentPath", remote(development)],
        ["extensionTestsPath", remote(tests)],
      ],
      prepare: async (page) => {
        page.on("close", () => reject(new Error("The page was closed.")));
        await page.exposeFunction(
          "codeAutomationLog",
          (type: string, args: readonly unknown[]) => {
            log.write(`${type}: ${format(...args)}\n`);
          },
        );
        await page.exposeFunction("codeAutomationExit", (exit: number) => {
          clearTimeout(limit);
          const done = (): void => resolve(exit);
          if (exit === 0) done();
          else
            void picture(
              page,
              path.join(development, "out", "results"),
              "integration",
            ).then(done, done);
        });
      },
    }).catch(reject);
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  await browser.close();
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}
process.exit(code);
