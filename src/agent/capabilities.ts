import type { SignInMethod } from "../core/agentFeatures.ts";
import type { AgentCapabilities } from "../core/agentPort.ts";
import { defined, fields, list, number, text, type Fields } from "./parse.ts";

/** What an `initialize` answer says the agent can do: nothing is concluded from its name. */
export function capabilitiesOf(answer: Fields): AgentCapabilities {
  const info = fields(answer["agentInfo"]);
  const can = fields(answer["agentCapabilities"]);
  const prompt = fields(can?.["promptCapabilities"]);
  const session = fields(can?.["sessionCapabilities"]);
  const mcp = fields(can?.["mcpCapabilities"]);
  return {
    name: text(info?.["name"]) ?? "",
    version: text(info?.["version"]) ?? "",
    load: can?.["loadSession"] === true,
    resume: offered(session?.["resume"]),
    image: prompt?.["image"] === true,
    embeddedContext: prompt?.["embeddedContext"] === true,
    systemPrompt: offered(session?.["systemPrompt"]),
    additionalDirectories: offered(session?.["additionalDirectories"]),
    extras: {
      list: offered(session?.["list"]),
      fork: offered(session?.["fork"]),
      close: offered(session?.["close"]),
      delete: offered(session?.["delete"]),
      title: offered(session?.["title"]),
      signOut: offered(fields(can?.["auth"])?.["logout"]),
      mcpHttp: mcp?.["http"] === true,
      mcpSse: mcp?.["sse"] === true,
      account: fields(can?.["_meta"])?.["authStatus"] !== undefined,
      protocol: number(answer["protocolVersion"]) ?? 0,
      signIn: list(answer["authMethods"], signInMethod) ?? [],
    },
  };
}

/** A method with this in its `_meta` takes a key there. */
export const apiKey = "api-key";

/** Session capabilities are offered by an object, empty or not. */
function offered(value: unknown): boolean {
  return fields(value) !== undefined || value === true;
}

function signInMethod(value: unknown): SignInMethod | undefined {
  const method = fields(value);
  const id = text(method?.["id"]);
  if (method === undefined || id === undefined) return undefined;
  const base = defined({
    id,
    name: text(method["name"]) ?? id,
    description: text(method["description"]),
  });
  if (method["type"] !== "terminal")
    return {
      kind: "agent",
      ...base,
      ...(fields(method["_meta"])?.[apiKey] === undefined ? {} : { key: true }),
    };
  const own = Object.entries(fields(method["env"]) ?? {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return {
    kind: "terminal",
    ...base,
    args: list(method["args"], text) ?? [],
    env: Object.fromEntries(own),
  };
}
