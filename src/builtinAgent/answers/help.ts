import { code } from "../markdown.ts";
import type { Part } from "../part.ts";
import { commands } from "../slash.ts";

export const connectSentence =
  "To work with a language model, connect Claude Code or Codex: run **Turnline: Choose Agent** from the Command Palette, or set `turnline.defaultAgent`.";

/** Said once, at the end of a session's first answer. */
export const introduction =
  "_This is Turnline's built-in agent. It follows fixed rules and is not a language model. For Claude Code or Codex, run **Turnline: Choose Agent** or set `turnline.defaultAgent`._";

export function* helpAnswer(): Generator<Part, void> {
  yield { kind: "explained" };
  yield {
    kind: "text",
    text: [
      "I am Turnline's built-in agent. I am not a language model: I follow fixed rules, work offline, and look only at this chat's folders.",
      abilities(),
      'Plain words work too: "what is in this workspace?", "find *.md, then read the first one", "where is `main` used?".',
      connectSentence,
    ].join("\n\n"),
  };
}

/** The first time at length; after that in a line. */
export function* notUnderstood(explained: boolean): Generator<Part, void> {
  yield { kind: "explained" };
  yield {
    kind: "text",
    text: explained
      ? "I don't understand that one either. `/help` lists what I can do."
      : [
          "I don't understand this request. I am not a language model: I follow fixed rules and can do only these things:",
          abilities(),
          connectSentence,
        ].join("\n\n"),
  };
}

export function* noSuchCommand(name: string): Generator<Part, void> {
  const known = commands.map((command) => code(`/${command.name}`)).join(", ");
  yield {
    kind: "text",
    text: `There is no command ${code(`/${name}`)}. I know ${known}.`,
  };
}

export function* incomplete(name: string): Generator<Part, void> {
  const command = commands.find((one) => one.name === name);
  const example = command?.example ?? `/${name}`;
  yield {
    kind: "text",
    text: `${code(`/${name}`)} needs more than that. For example: ${code(example)}`,
  };
}

function abilities(): string {
  return commands
    .map(({ description, example }) => `- ${description}: ${code(example)}`)
    .join("\n");
}
