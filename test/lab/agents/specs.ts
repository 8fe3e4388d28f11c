import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { AgentSpec } from "../../../src/core/agentPort.ts";
import { adapterScript } from "./install.ts";

type Run = Pick<AgentSpec, "command" | "args" | "env">;

/** How to run the pinned Claude Code against a scripted model; all it writes goes below `home`. */
export function claudeCodeSpec(
  labFolder: string,
  modelUrl: string,
  home: string,
): Run {
  return {
    command: process.execPath,
    args: [adapterScript(labFolder, "claude-agent-acp")],
    env: {
      ...homeOf(home),
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: "dummy",
      CLAUDE_CONFIG_DIR: path.join(home, ".claude"),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "false",
      CLAUDE_CODE_MAX_RETRIES: "0",
    },
  };
}

/** How to run the pinned Codex against a scripted model; all it writes goes below `home`. */
export function codexSpec(
  labFolder: string,
  modelUrl: string,
  home: string,
): Run {
  const codexHome = path.join(home, ".codex");
  mkdirSync(codexHome, { recursive: true });
  writeFileSync(path.join(codexHome, "config.toml"), codexConfig(modelUrl));
  return {
    command: process.execPath,
    args: [adapterScript(labFolder, "codex-acp")],
    env: {
      ...homeOf(home),
      CODEX_HOME: codexHome,
      FAKE_KEY: "dummy",
      NO_BROWSER: "1",
    },
  };
}

function homeOf(home: string): Record<string, string> {
  const tmp = path.join(home, "tmp");
  mkdirSync(tmp, { recursive: true });
  return { HOME: home, TMPDIR: tmp };
}

function codexConfig(modelUrl: string): string {
  return `model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false

[analytics]
enabled = false

[tools.update_plan]
enabled = true

[features]
plugins = false
apps = false

[model_providers.fake]
name = "fake"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
`;
}
