import { codexSpec } from "../lab/agents/specs.ts";
import { panelSuite } from "./panelSuite.ts";

const escalated = (cmd: string): Record<string, unknown> => ({
  cmd,
  sandbox_permissions: "require_escalated",
  justification: "to do what was asked",
});

panelSuite({
  id: "codex",
  label: "Codex",
  spec: codexSpec,
  modes: { asks: "read-only", edits: "agent" },
  otherModel: "gpt-5.6-luna",
  edit: (file, text) => ({
    tools: [
      {
        name: "apply_patch",
        input: `*** Begin Patch\n*** Add File: ${file}\n+${text}*** End Patch\n`,
      },
    ],
  }),
  run: (command) => ({
    tools: [{ name: "exec_command", input: escalated(command) }],
  }),
  plan: {
    tools: [
      {
        name: "update_plan",
        input: { plan: [{ step: "First step", status: "in_progress" }] },
      },
    ],
  },
  background: (command) => ({
    tools: [
      {
        name: "exec_command",
        input: { ...escalated(command), yield_time_ms: 250 },
      },
    ],
  }),
  rejected: "cancelled",
  endsTools: false,
  slash: { name: "/status", says: /model|session/i },
  session: (body) => body["prompt_cache_key"],
});
