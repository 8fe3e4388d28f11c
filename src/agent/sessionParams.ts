import type {
  McpServer as AcpMcpServer,
  NewSessionRequest,
} from "@agentclientprotocol/sdk/unstable";
import type { McpServer } from "../core/agentFeatures.ts";
import type { AgentCapabilities, SessionOptions } from "../core/agentPort.ts";

/** What a session is opened with, as far as the agent takes it. */
export function sessionParams(
  options: SessionOptions,
  capabilities: AgentCapabilities,
): NewSessionRequest {
  const { additionalDirectories, systemPrompt } = capabilities;
  return {
    cwd: options.folder,
    mcpServers: (options.mcpServers ?? [])
      .filter((server) => takesServer(capabilities, server))
      .map(mcpServer),
    ...(additionalDirectories && options.additionalFolders.length > 0
      ? { additionalDirectories: [...options.additionalFolders] }
      : {}),
    ...(systemPrompt && options.systemPrompt !== undefined
      ? {
          systemPrompt: {
            mode: "append",
            content: [{ type: "text", text: options.systemPrompt }],
          },
        }
      : {}),
  };
}

/** Names of the servers an agent is not handed, because it takes none of their kind. */
export function serversLeftOut(
  { mcpServers = [] }: SessionOptions,
  capabilities: AgentCapabilities,
): readonly string[] {
  return mcpServers
    .filter((server) => !takesServer(capabilities, server))
    .map(({ name, type }) => `"${name}" (${type})`);
}

/** Every agent takes stdio servers; the others are offered one by one. */
function takesServer(
  { extras }: AgentCapabilities,
  { type }: McpServer,
): boolean {
  switch (type) {
    case "stdio":
      return true;
    case "http":
      return extras?.mcpHttp ?? false;
    case "sse":
      return extras?.mcpSse ?? false;
  }
}

function mcpServer(server: McpServer): AcpMcpServer {
  if (server.type === "stdio")
    return {
      name: server.name,
      command: server.command,
      args: [...server.args],
      env: pairs(server.env),
    };
  const { type, name, url } = server;
  return { type, name, url, headers: pairs(server.headers) };
}

function pairs(
  values: Readonly<Record<string, string>>,
): { name: string; value: string }[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
