import { stopOnSignals } from "../test/lab/ending.ts";
import { endRuns, fromRoot, run } from "./tools.ts";

stopOnSignals(() => void endRuns());
const built = await run(process.execPath, [
  fromRoot("esbuild.mjs"),
  ...process.argv.slice(2),
]);
process.exit(built ? 0 : 1);
