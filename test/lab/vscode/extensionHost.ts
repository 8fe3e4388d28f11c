import esbuild from "esbuild";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runTests } from "@vscode/test-electron";

const root = path.resolve(import.meta.dirname, "..", "..", "..");
const out = path.join(root, "out", "suites");

/** Bundles a suite and runs it inside a real extension host, through @vscode/test-electron's own runner. */
export async function runInExtensionHost(
  suite: string,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  const bundle = path.join(out, `${path.basename(suite, ".ts")}.cjs`);
  await esbuild.build({
    entryPoints: [path.join(root, suite)],
    outfile: bundle,
    bundle: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    external: ["vscode", "mocha"],
    sourcemap: "inline",
    logLevel: "warning",
  });
  // The log of the host goes there.
  mkdirSync(path.join(root, "out", "results"), { recursive: true });
  try {
    await runTests({
      extensionDevelopmentPath: root,
      extensionTestsPath: bundle,
      extensionTestsEnv: { ...env },
      launchArgs: [
        ...(env["TURNLINE_SITUATION"] === "with no folder open"
          ? []
          : [path.join(root, "test", "fixtures", "workspace")]),
        "--disable-extensions",
      ],
      ...(process.env["TURNLINE_VSCODE"] === "desktop"
        ? {}
        : { vscodeExecutablePath: headlessCode() }),
    });
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

/** The runner only wants an executable that takes VS Code's arguments: this one drives the server and a browser. */
function headlessCode(): string {
  mkdirSync(out, { recursive: true });
  const file = path.join(out, "headless-code");
  const script = path.join(import.meta.dirname, "headless.ts");
  writeFileSync(
    file,
    `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`,
  );
  chmodSync(file, 0o755);
  return file;
}
