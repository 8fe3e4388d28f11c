import { statSync } from "node:fs";
import { packageVsix } from "./vsix.ts";

const file = await packageVsix();
console.log(`${file} (${statSync(file).size} bytes)`);
