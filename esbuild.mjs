// Builds every bundle: the extension host's, the history worker's, the built-in agent's, the webviews'.
import esbuild from "esbuild";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";

const root = import.meta.dirname;
const watch = process.argv.includes("--watch");
const release = process.argv.includes("--release");

const common = {
  bundle: true,
  absWorkingDir: root,
  logLevel: "info",
  minify: release,
  sourcemap: release ? false : "linked",
  legalComments: "none",
  metafile: true,
};
/** Runs on VS Code's own Node, where looking at `navigator` is an error an extension has to avoid. */
const node = {
  ...common,
  platform: "node",
  target: "node22",
  format: "cjs",
  define: { navigator: "undefined" },
};
const browser = {
  ...common,
  platform: "browser",
  target: "chrome134",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  alias: {
    react: "preact/compat",
    "react-dom": "preact/compat",
    "react/jsx-runtime": "preact/jsx-runtime",
  },
  loader: { ".ttf": "file", ".svg": "dataurl" },
  assetNames: "[name]",
  define: { "process.env.NODE_ENV": '"production"' },
};

const bundles = [
  {
    ...node,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.cjs",
    external: ["vscode"],
  },
  {
    ...node,
    entryPoints: ["src/history/worker.ts"],
    outfile: "dist/historyWorker.cjs",
  },
  {
    ...node,
    entryPoints: ["src/builtinAgent/main.ts"],
    outfile: "dist/builtinAgent.cjs",
  },
  {
    ...browser,
    entryPoints: {
      chat: "webview/chat/main.tsx",
      timeline: "webview/timeline/main.tsx",
    },
    outdir: "dist/webview",
  },
];

await rm(path.join(root, "dist", "webview"), { recursive: true, force: true });
await mkdir(path.join(root, "dist"), { recursive: true });
if (watch) {
  const contexts = await Promise.all(
    bundles.map((bundle) => esbuild.context(bundle)),
  );
  await Promise.all(contexts.map((context) => context.watch()));
} else {
  await Promise.all(
    bundles.map((bundle) => esbuild.build({ ...bundle, logLevel: "warning" })),
  );
}
