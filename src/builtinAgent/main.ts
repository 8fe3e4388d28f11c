import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { builtinAgent } from "./agent.ts";
import { endWithParent } from "./lifeline.ts";
import { SessionStore } from "./sessions.ts";

const pace = Number(process.env["TURNLINE_BUILTIN_PACE_MS"] ?? "4");
const home = process.env["TURNLINE_BUILTIN_HOME"];
const connection = builtinAgent({
  store: new SessionStore(home === "" ? undefined : home),
  paceMs: Number.isFinite(pace) ? pace : 0,
}).connect(
  ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)),
);
endWithParent(connection.closed);
