// Builds the extension as for development and runs the integration suite in a real extension host.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { runInExtensionHost } from "./extensionHost.ts";

const root = path.resolve(import.meta.dirname, "..", "..", "..");
const results = path.join(root, "out", "results");
const report = path.join(results, "integration.txt");

mkdirSync(results, { recursive: true });
writeFileSync(report, "");
await import(pathToFileURL(path.join(root, "esbuild.mjs")).href);
const suite = "test/integration/index.ts";
const env = { TURNLINE_REPORT: report };
let well = await runInExtensionHost(suite, env);
// A desktop VS Code has no switch for these.
if (process.env["TURNLINE_VSCODE"] !== "desktop")
  for (const situation of ["with no folder open", "not trusted"])
    well =
      (await runInExtensionHost(suite, {
        ...env,
        TURNLINE_SITUATION: situation,
      })) && well;
console.log(readFileSync(report, "utf8"));
process.exit(well ? 0 : 1);
