import { prettier, tool } from "./tools.ts";

process.exit((await tool(prettier, ["--write", "."])) ? 0 : 1);
