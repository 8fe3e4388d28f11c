import { assertNever } from "../util/assertNever.ts";
import { diagnosticsAnswer } from "./answers/diagnostics.ts";
import { editAnswer } from "./answers/edit.ts";
import { findAnswer } from "./answers/find.ts";
import {
  helpAnswer,
  incomplete,
  introduction,
  noSuchCommand,
  notUnderstood,
} from "./answers/help.ts";
import { readAnswer } from "./answers/read.ts";
import { runAnswer } from "./answers/run.ts";
import { searchAnswer } from "./answers/search.ts";
import { workspaceAnswer } from "./answers/workspace.ts";
import { parseDiagnostics } from "./diagnostics.ts";
import { parseIntent } from "./intent.ts";
import { clip, plain } from "./markdown.ts";
import type { Part } from "./part.ts";
import type { Asked, Prompt } from "./prompt.ts";
import type { Intent, Step } from "./request.ts";
import type { Parts, World } from "./world.ts";

/** The answer to a whole prompt: its messages one after another, each under its own heading where there are several. */
export async function* answer(
  prompt: Prompt,
  worldOf: (asked: Asked) => World,
): Parts {
  const [first] = prompt.asked;
  if (first === undefined) {
    yield { kind: "text", text: "There is no request in this message." };
    return;
  }
  const { answered } = worldOf(first).memory;
  const intents = prompt.asked.map((asked) => parseIntent(asked.text));
  const senders = new Set(prompt.asked.map((asked) => asked.from));
  for (const [index, asked] of prompt.asked.entries()) {
    if (prompt.asked.length > 1)
      yield {
        kind: "text",
        text: heading(index, asked, senders.size > 1),
      };
    yield* answerOne(worldOf(asked), intents[index] ?? { kind: "unknown" });
  }
  // The others say it in their own words.
  const silent = intents.some(
    (intent) => intent.kind === "help" || intent.kind === "unknown",
  );
  if (!answered && !silent) yield { kind: "text", text: `\n\n${introduction}` };
}

async function* answerOne(world: World, intent: Intent): Parts {
  if (world.asked.text === "") {
    yield* attachedOnly(world);
    return;
  }
  switch (intent.kind) {
    case "help":
      return yield* helpAnswer();
    case "workspace":
      return yield* workspaceAnswer(world);
    case "find":
      return yield* findAnswer(world, intent);
    case "read":
      return yield* readAnswer(world, intent);
    case "search":
      return yield* searchAnswer(world, intent);
    case "edit":
      return yield* editAnswer(world, intent);
    case "run":
      return yield* runAnswer(world, intent.command);
    case "diagnostics":
      return yield* diagnosticsAnswer(world);
    case "plan":
      return yield* planAnswer(world, intent.steps);
    case "incomplete":
      return yield* incomplete(intent.command);
    case "noSuchCommand":
      return yield* noSuchCommand(intent.name);
    case "unknown":
      // What a compiler printed is a question in itself.
      return parseDiagnostics(world.asked.text).length > 0
        ? yield* diagnosticsAnswer(world)
        : yield* notUnderstood(world.memory.explained);
    default:
      return assertNever(intent);
  }
}

/** Step by step, with the plan kept up to date as they end. */
async function* planAnswer(world: World, steps: readonly Step[]): Parts {
  const plan = (current: number): Part => ({
    kind: "plan",
    entries: steps.map((step, index) => ({
      content: step.text,
      status:
        index < current
          ? "completed"
          : index === current
            ? "in_progress"
            : "pending",
    })),
  });
  for (const [index, step] of steps.entries()) {
    yield plan(index);
    const gap = index === 0 ? "" : "\n\n";
    const title = plain(clip(step.text, 80));
    yield { kind: "text", text: `${gap}**Step ${index + 1}:** ${title}\n\n` };
    yield* answerOne(world, step.request);
  }
  yield plan(steps.length);
}

/** A message without words: what came along is read, pictures are not. */
async function* attachedOnly(world: World): Parts {
  if (world.asked.attachments.length > 0)
    yield* readAnswer(world, { kind: "read", target: { kind: "attached" } });
  else
    yield {
      kind: "text",
      text:
        world.asked.media > 0
          ? "I can't look at pictures: I am not a language model."
          : "This message is empty.",
    };
}

function heading(index: number, asked: Asked, withSender: boolean): string {
  const gap = index === 0 ? "" : "\n\n";
  const words = plain(clip(asked.text.split("\n")[0] ?? "", 60));
  const from =
    withSender && asked.from !== undefined ? `${plain(asked.from)}: ` : "";
  return `${gap}#### ${String(index + 1)}. ${from}${words}\n\n`;
}
