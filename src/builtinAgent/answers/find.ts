import { type FileEntry, listFiles, matchFiles } from "../files.ts";
import { code, count } from "../markdown.ts";
import type { Part } from "../part.ts";
import type { Request } from "../request.ts";
import { done, started } from "../tool.ts";
import type { Parts, World } from "../world.ts";
import { searchAnswer } from "./search.ts";

export async function* findAnswer(
  world: World,
  { pattern, orText }: Extract<Request, { kind: "find" }>,
): Parts {
  const call = started("search", `Find ${pattern}`, {
    input: { pattern },
  });
  yield call;
  const listed = await listFiles(world.scope, world.signal);
  const files = matchFiles(listed.files, pattern);
  yield done(
    call,
    count(files.length, "file"),
    files.slice(0, shownMost).map((file) => ({ path: file.path })),
  );
  if (files.length === 0 && orText) {
    yield {
      kind: "text",
      text: `No file is named like ${code(pattern)}. In the text of the files:\n\n`,
    };
    yield* searchAnswer(world, {
      kind: "search",
      pattern: { kind: "literal", text: pattern },
    });
    return;
  }
  yield* fileAnswer(files, opening(files.length, pattern));
  if (listed.stopped === "count" || listed.stopped === "time")
    yield {
      kind: "text",
      text: "\n\nThis workspace is large: I stopped looking before its end.",
    };
}

/** Names files, and remembers them for "the first one". */
export function* fileAnswer(
  files: readonly FileEntry[],
  sentence: string,
): Generator<Part, void> {
  const shown = files.slice(0, shownMost);
  if (files.length > 0)
    yield { kind: "found", files: shown.map((file) => file.path) };
  const rows = shown.map(
    (file, index) => `${String(index + 1)}. ${code(file.name)}`,
  );
  const more =
    files.length > shown.length
      ? [`And ${count(files.length - shown.length, "more file")}.`]
      : [];
  const list = rows.length > 0 ? [rows.join("\n")] : [];
  yield { kind: "text", text: [sentence, ...list, ...more].join("\n\n") };
}

const shownMost = 40;

function opening(number: number, pattern: string): string {
  if (number === 0) return `No file fits ${code(pattern)}.`;
  return number === 1
    ? `One file fits ${code(pattern)}:`
    : `${count(number, "file")} fit ${code(pattern)}:`;
}
