import fs from "node:fs/promises";
import path from "node:path";
import { guessFiles, listFiles } from "../files.ts";
import { fenceLanguage } from "../languages.ts";
import { bytes, clip, code, count, fence } from "../markdown.ts";
import { locate, outsideSentence, shown } from "../paths.ts";
import type { LineRange, Request, Target } from "../request.ts";
import { readTextFile, reasonOf } from "../textFile.ts";
import { done, failed, started } from "../tool.ts";
import type { Parts, World } from "../world.ts";
import { fileAnswer } from "./find.ts";

type ReadRequest = Extract<Request, { kind: "read" }>;

export async function* readAnswer(world: World, request: ReadRequest): Parts {
  const chosen = choose(world, request.target);
  if ("sentence" in chosen) {
    yield { kind: "text", text: chosen.sentence };
    return;
  }
  for (const [index, written] of chosen.paths.entries()) {
    if (index > 0) yield { kind: "text", text: "\n\n" };
    yield* readPath(world, written, request.range);
  }
}

type Chosen =
  { readonly paths: readonly string[] } | { readonly sentence: string };

function choose({ asked, memory }: World, target: Target): Chosen {
  switch (target.kind) {
    case "path":
      return { paths: [target.path] };
    case "attached": {
      const paths = asked.attachments.map((attachment) => attachment.uri);
      if (paths.length > 0) return { paths: paths.slice(0, 5) };
      return memory.found.length > 0
        ? { paths: memory.found.slice(0, 1) }
        : { sentence: "No file is attached to this message." };
    }
    case "ordinal": {
      const at = target.at < 0 ? target.at : target.at - 1;
      const file = memory.found.at(at);
      if (file !== undefined) return { paths: [file] };
      return {
        sentence:
          memory.found.length === 0
            ? "I have not named any files yet. Find or search for some first, or say which file to read."
            : `I named only ${count(memory.found.length, "file")}.`,
      };
    }
  }
}

async function* readPath(
  world: World,
  written: string,
  range: LineRange | undefined,
): Parts {
  const place = await locate(world.scope, written);
  switch (place.kind) {
    case "outside":
      yield { kind: "text", text: outsideSentence(written) };
      return;
    case "found":
      yield* readFound(world, place.path, range);
      return;
    case "missing": {
      const { files } = await listFiles(world.scope, world.signal);
      const guesses = guessFiles(files, written);
      const [only] = guesses;
      if (only !== undefined && guesses.length === 1)
        yield* readFound(world, only.path, range);
      else if (guesses.length > 1)
        yield* fileAnswer(
          guesses,
          `Several files could be ${code(written)}. Which one?`,
        );
      else
        yield {
          kind: "text",
          text: `There is no file ${code(written)} in this chat's folders.`,
        };
    }
  }
}

async function* readFound(
  world: World,
  real: string,
  range: LineRange | undefined,
): Parts {
  const name = shown(world.scope, real);
  const from = range !== undefined && "from" in range ? range.from : undefined;
  const call = started("read", `Read ${name}`, {
    places: [{ path: real, ...(from !== undefined && { line: from }) }],
    input: { path: real, ...range },
  });
  yield call;
  const file = await readTextFile(real, largest);
  switch (file.kind) {
    case "folder":
      yield* folderAnswer(call, real, name);
      return;
    case "text": {
      const text = (await world.editorText(real)) ?? file.text;
      const cut = cutLines(text, range);
      yield done(call, `${count(cut.total, "line")}, ${bytes(file.size)}`);
      yield { kind: "found", files: [real] };
      yield { kind: "text", text: fileText(name, cut) };
      return;
    }
    case "binary":
      yield failed(call, "Not a text file");
      yield {
        kind: "text",
        text: `${code(name)} is not text (${bytes(file.size)}), so I can't show it.`,
      };
      return;
    case "large":
      yield failed(call, "Too large");
      yield {
        kind: "text",
        text: `${code(name)} has ${bytes(file.size)}. I read files up to ${bytes(largest)}.`,
      };
      return;
    case "unreadable":
      yield failed(call, file.why);
      yield { kind: "text", text: `I can't read ${code(name)}: ${file.why}.` };
  }
}

async function* folderAnswer(
  call: Parameters<typeof done>[0],
  real: string,
  name: string,
): Parts {
  try {
    const entries = await fs.readdir(real, { withFileTypes: true });
    yield done(call, count(entries.length, "entry", "entries"));
    const files = entries.filter((entry) => entry.isFile());
    yield {
      kind: "found",
      files: files.map((entry) => path.join(real, entry.name)).sort(),
    };
    yield { kind: "text", text: folderText(name, entries) };
  } catch (error) {
    yield failed(call, reasonOf(error));
    yield {
      kind: "text",
      text: `I can't list ${code(name)}: ${reasonOf(error)}.`,
    };
  }
}

function folderText(
  name: string,
  entries: readonly { readonly name: string; isDirectory(): boolean }[],
): string {
  const label = name === "." ? "The workspace folder" : code(`${name}/`);
  if (entries.length === 0) return `${label} is empty.`;
  const names = [...entries]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()))
    .map((entry) => code(entry.isDirectory() ? `${entry.name}/` : entry.name));
  const more =
    names.length > shownEntries
      ? `\n- and ${String(names.length - shownEntries)} more`
      : "";
  const rows = names.slice(0, shownEntries).map((entry) => `- ${entry}`);
  return `${label} holds ${count(names.length, "entry", "entries")}:\n\n${rows.join("\n")}${more}`;
}

interface Cut {
  readonly lines: readonly string[];
  /** From 1. */
  readonly first: number;
  readonly total: number;
}

function cutLines(text: string, range: LineRange | undefined): Cut {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  const total = lines.length;
  const from =
    range === undefined
      ? 1
      : "last" in range
        ? Math.max(1, total - range.last + 1)
        : range.from;
  const to =
    range !== undefined && "from" in range ? (range.to ?? total) : total;
  const most = range === undefined ? shownLines : shownLinesAsked;
  return {
    lines: lines.slice(from - 1, Math.min(to, from - 1 + most)),
    first: from,
    total,
  };
}

function fileText(name: string, { lines, first, total }: Cut): string {
  if (total === 0) return `${code(name)} is empty.`;
  const last = first + lines.length - 1;
  if (lines.length === 0)
    return `${code(name)} has only ${count(total, "line")}.`;
  const what =
    lines.length === total
      ? `${code(name)}, ${count(total, "line")}:`
      : first === last
        ? `${code(name)}, line ${String(first)} of ${String(total)}:`
        : `${code(name)}, lines ${String(first)} to ${String(last)} of ${String(total)}:`;
  const body = fence(
    lines.map((line) => clip(line, longestLine)).join("\n"),
    fenceLanguage(name),
  );
  const isCut = lines.length >= shownLines && last < total;
  const next = `/read ${name} ${String(last + 1)}-${String(Math.min(total, last + shownLines))}`;
  return isCut
    ? `${what}\n\n${body}\n\nThere is more: ${code(next)}`
    : `${what}\n\n${body}`;
}

const largest = 5 * 1024 * 1024;
const shownLines = 200;
const shownLinesAsked = 1_000;
const shownEntries = 100;
const longestLine = 1_000;
