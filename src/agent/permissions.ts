import type { RequestPermissionResponse } from "@agentclientprotocol/sdk/unstable";
import type { PermissionKind, PermissionOption } from "../core/message.ts";
import type { AgentEvents, PermissionRequest } from "../core/agentPort.ts";
import { fields, list, oneOf, text } from "./parse.ts";
import { Questions } from "./questions.ts";
import { toolUpdate } from "./toolUpdate.ts";

type Asked = Omit<PermissionRequest, "id">;
export type Permissions = Questions<Asked, RequestPermissionResponse>;

const kinds = [
  "allow_once",
  "allow_always",
  "reject_once",
  "reject_always",
] as const satisfies readonly PermissionKind[];

const cancelled: RequestPermissionResponse = {
  outcome: { outcome: "cancelled" },
};

/** The permissions an agent asks for. */
export function permissions(events: AgentEvents): Permissions {
  return new Questions({
    read: permissionRequest,
    sessionOf: ({ sessionId }) => sessionId,
    tell: (id, request) => events.permission({ id, ...request }),
    gone: (id) => events.permissionGone(id),
    cancelled,
  });
}

export function permissionAnswer(
  optionId: string | null,
): RequestPermissionResponse {
  return optionId === null
    ? cancelled
    : { outcome: { outcome: "selected", optionId } };
}

function permissionRequest(params: unknown): Asked | undefined {
  const given = fields(params);
  const sessionId = text(given?.["sessionId"]);
  const tool = toolUpdate(fields(given?.["toolCall"]) ?? {});
  const options = list(given?.["options"], permissionOption);
  if (sessionId === undefined || tool === undefined || options === undefined)
    return undefined;
  return { sessionId, tool, options };
}

/** A kind this version does not know is shown as the weaker of its side: it only decides how the option looks. */
function permissionOption(value: unknown): PermissionOption | undefined {
  const option = fields(value);
  const id = text(option?.["optionId"]);
  if (id === undefined) return undefined;
  const kind = text(option?.["kind"]) ?? "";
  return {
    id,
    name: text(option?.["name"]) ?? id,
    kind:
      oneOf(kinds, kind) ??
      (kind.startsWith("allow") ? "allow_once" : "reject_once"),
  };
}
