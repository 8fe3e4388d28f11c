import { root, run } from "./tools.ts";

process.exit(
  (await run(process.execPath, [
    `${root}/esbuild.mjs`,
    ...process.argv.slice(2),
  ]))
    ? 0
    : 1,
);
