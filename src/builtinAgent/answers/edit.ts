import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { guessFiles, listFiles } from "../files.ts";
import { bytes, code, count } from "../markdown.ts";
import { locate, outsideSentence, shown } from "../paths.ts";
import { permitted } from "../permission.ts";
import type { Change, Request } from "../request.ts";
import { readTextFile, reasonOf } from "../textFile.ts";
import { closed, failed, started } from "../tool.ts";
import type { Parts, World } from "../world.ts";

export async function* editAnswer(
  world: World,
  request: Extract<Request, { kind: "edit" }>,
): Parts {
  const draft = await prepare(world, request.path, request.change);
  if (typeof draft === "string") {
    yield { kind: "text", text: draft };
    return;
  }
  const { real, name, oldText, newText } = draft;
  const verb = oldText === null ? "Create" : "Edit";
  const call = started("edit", `${verb} ${name}`, {
    status: "pending",
    places: [{ path: real }],
    content: [{ type: "diff", path: real, oldText, newText }],
  });
  yield call;
  const refusal = await permitted(world, call, {
    key: "edit",
    name: "Allow edits for the session",
  });
  const problem = refusal ?? (await write(world, draft));
  if (problem !== undefined) {
    yield failed(call, problem);
    yield {
      kind: "text",
      text: `I did not change ${code(name)}. ${problem}`,
    };
    return;
  }
  yield closed(call, "completed");
  yield { kind: "found", files: [real] };
  yield { kind: "text", text: draft.told };
}

interface Draft {
  readonly real: string;
  readonly name: string;
  /** Null when there is no file yet. */
  readonly oldText: string | null;
  readonly newText: string;
  /** What to say once it is done. */
  readonly told: string;
}

const largest = 1024 * 1024;

/** A sentence when there is nothing to write. */
async function prepare(
  world: World,
  written: string,
  change: Change,
): Promise<Draft | string> {
  const place = await locate(world.scope, written);
  if (place.kind === "outside") return outsideSentence(written);
  if (change.kind === "create") {
    const name = shown(world.scope, place.path);
    return place.kind === "found"
      ? `${code(name)} is already there. To change it, say what to replace: ${code(`/edit ${name} "old" -> "new"`)}`
      : {
          real: place.path,
          name,
          oldText: null,
          newText: change.text,
          told: `Created ${code(name)}.`,
        };
  }
  const real =
    place.kind === "found" ? place.path : await onlyGuess(world, written);
  if (real === undefined)
    return `There is no file ${code(written)} in this chat's folders.`;
  const name = shown(world.scope, real);
  const text = await currentText(world, real);
  if ("problem" in text)
    return `I can't change ${code(name)}: ${text.problem}.`;
  const { old, now } = inLineEndings(text.text, change);
  const pieces = text.text.split(old);
  if (pieces.length === 1)
    return `${code(name)} does not contain ${code(change.old)}.`;
  if (old === now) return "The old and the new text are the same.";
  return {
    real,
    name,
    oldText: text.text,
    newText: pieces.join(now),
    told: `Replaced ${count(pieces.length - 1, "occurrence")} in ${code(name)}.`,
  };
}

async function onlyGuess(
  world: World,
  written: string,
): Promise<string | undefined> {
  const { files } = await listFiles(world.scope, world.signal);
  const guesses = guessFiles(files, written);
  return guesses.length === 1 ? guesses[0]?.path : undefined;
}

async function currentText(
  world: World,
  real: string,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const file = await readTextFile(real, largest);
  switch (file.kind) {
    case "text":
      return { text: (await world.editorText(real)) ?? file.text };
    case "folder":
      return { problem: "it is a folder" };
    case "binary":
      return { problem: "it is not text" };
    case "large":
      return { problem: `it has ${bytes(file.size)}` };
    case "unreadable":
      return { problem: file.why };
  }
}

/** A message has bare line feeds; the file may not. */
function inLineEndings(
  text: string,
  { old, new: now }: Extract<Change, { kind: "replace" }>,
): { readonly old: string; readonly now: string } {
  if (!text.includes("\r\n") || text.includes(old)) return { old, now };
  const crlf = (part: string): string => part.replaceAll(/\r?\n/g, "\r\n");
  return { old: crlf(old), now: crlf(now) };
}

/** A sentence when it was not written. What was allowed is this change of this text, and nothing else. */
async function write(world: World, draft: Draft): Promise<string | undefined> {
  const { real, oldText, newText } = draft;
  const place = await locate(world.scope, real);
  const wanted = oldText === null ? "missing" : "found";
  if (place.kind !== wanted || place.path !== real)
    return "The file was moved meanwhile.";
  if (oldText !== null) {
    const now = await currentText(world, real);
    if (!("text" in now) || now.text !== oldText)
      return "The file was changed meanwhile.";
  }
  if (world.signal.aborted) return "Cancelled.";
  if (await world.editorWrite(real, newText)) return undefined;
  try {
    await (oldText === null
      ? writeNew(real, newText)
      : replaceFile(real, newText));
    return undefined;
  } catch (error) {
    return `The file could not be written: ${reasonOf(error)}.`;
  }
}

async function writeNew(real: string, text: string): Promise<void> {
  await fs.mkdir(path.dirname(real), { recursive: true });
  await fs.writeFile(real, text, { flag: "wx" });
}

/** A crash leaves the old file or the new one, never half of it. */
async function replaceFile(real: string, text: string): Promise<void> {
  const { mode } = await fs.stat(real);
  await fs.access(real, fs.constants.W_OK);
  const beside = `${real}.${randomUUID()}.tmp`;
  try {
    await fs.writeFile(beside, text, { flag: "wx", mode });
    await fs.chmod(beside, mode);
    await fs.rename(beside, real);
  } catch (error) {
    await fs.rm(beside, { force: true });
    throw error;
  }
}
