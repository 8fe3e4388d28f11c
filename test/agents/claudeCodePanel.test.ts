import { claudeCodeSpec } from "../lab/agents/specs.ts";
import type { Json } from "../lab/model/scriptedModel.ts";
import { panelSuite } from "./panelSuite.ts";

panelSuite({
  id: "claude-code",
  label: "Claude Code",
  spec: claudeCodeSpec,
  edit: (file, text) => ({
    tools: [{ name: "Write", input: { file_path: file, content: text } }],
  }),
  run: (command) => ({ tools: [{ name: "Bash", input: { command } }] }),
  plan: {
    tools: [
      {
        name: "TodoWrite",
        input: {
          todos: [
            {
              content: "First step",
              status: "pending",
              activeForm: "Doing the first step",
            },
          ],
        },
      },
    ],
  },
  question: {
    tools: [
      {
        name: "AskUserQuestion",
        input: {
          questions: [
            {
              question: "Which colour?",
              header: "Colour",
              multiSelect: false,
              options: [
                { label: "Red", description: "Warm" },
                { label: "Blue", description: "Cold" },
              ],
            },
          ],
        },
      },
    ],
  },
  modes: { asks: "default", edits: "acceptEdits" },
  otherModel: "haiku",
  rejected: "completed",
  endsTools: true,
  slash: { name: "/context", says: /context usage/i },
  session: (body) => (body["metadata"] as Json | undefined)?.["user_id"],
});
