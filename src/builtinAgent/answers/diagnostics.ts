import { hintFor } from "../diagnosticHints.ts";
import {
  type Diagnostic,
  parseDiagnostics,
  type Severity,
} from "../diagnostics.ts";
import { groupBy } from "../groupBy.ts";
import { fenceLanguage } from "../languages.ts";
import { clip, code, count, fence, listing, plain } from "../markdown.ts";
import { locate, shown } from "../paths.ts";
import { readTextFile } from "../textFile.ts";
import { done, started } from "../tool.ts";
import type { Parts, World } from "../world.ts";

/** Everything diagnostic that came with the message, each once. */
export function diagnosticsOf({
  asked,
  context,
}: Pick<World, "asked" | "context">): readonly Diagnostic[] {
  const attached = asked.attachments.map((attachment) => attachment.text ?? "");
  const all = [asked.text, ...attached, ...context].flatMap(parseDiagnostics);
  const byKey = new Map(
    all.map((one) => [`${one.file}\n${String(one.line)}\n${one.message}`, one]),
  );
  return [...byKey.values()];
}

export async function* diagnosticsAnswer(world: World): Parts {
  const all = diagnosticsOf(world);
  if (all.length === 0) {
    yield {
      kind: "text",
      text: "No errors or warnings came with this message. Attach them, or paste what the compiler printed.",
    };
    return;
  }
  const groups = groupBy(all, (one) => one.file);
  const places = [];
  const sources = new Map<string, Source>();
  for (const file of groups.keys()) {
    const source = await readSource(world, file);
    if (source !== undefined) sources.set(file, source);
  }
  for (const { file, line } of all) {
    const source = sources.get(file);
    if (source !== undefined) places.push({ path: source.real, line });
  }
  if (places.length > 0) {
    const call = started("read", `Read ${count(sources.size, "file")}`, {
      places: places.slice(0, 50),
    });
    yield call;
    yield done(call, count(all.length, "diagnostic"));
    yield {
      kind: "found",
      files: [...sources.values()].map((source) => source.real),
    };
  }
  const sections = [...groups].map(([file, found]) =>
    fileSection(file, found.slice(0, perFile), sources.get(file)),
  );
  const hidden =
    all.length -
    [...groups.values()].reduce(
      (sum, found) => sum + Math.min(found.length, perFile),
      0,
    );
  const more = hidden > 0 ? [`And ${String(hidden)} more.`] : [];
  yield {
    kind: "text",
    text: [total(all, groups.size), ...sections, ...more].join("\n\n"),
  };
}

const perFile = 10;
const largest = 1024 * 1024;

interface Source {
  readonly real: string;
  readonly name: string;
  readonly lines: readonly string[];
}

async function readSource(
  world: World,
  file: string,
): Promise<Source | undefined> {
  const place = await locate(world.scope, file);
  if (place.kind !== "found") return undefined;
  const read = await readTextFile(place.path, largest);
  if (read.kind !== "text") return undefined;
  const text = (await world.editorText(place.path)) ?? read.text;
  return {
    real: place.path,
    name: shown(world.scope, place.path),
    lines: text.split(/\r?\n/),
  };
}

function total(all: readonly Diagnostic[], files: number): string {
  const kinds: readonly (readonly [Severity, string])[] = [
    ["error", "error"],
    ["warning", "warning"],
    ["info", "note"],
  ];
  const counted = kinds.flatMap(([severity, noun]) => {
    const number = all.filter((one) => one.severity === severity).length;
    return number > 0 ? [count(number, noun)] : [];
  });
  return `${listing(counted)} in ${count(files, "file")}.`;
}

function fileSection(
  file: string,
  found: readonly Diagnostic[],
  source: Source | undefined,
): string {
  const name = source?.name ?? file;
  const rows = [...found]
    .sort((a, b) => a.line - b.line)
    .map((one) => explain(one, name, source));
  return [code(name), ...rows].join("\n\n");
}

function explain(
  one: Diagnostic,
  name: string,
  source: Source | undefined,
): string {
  const mark = one.code === undefined ? "" : ` ${code(one.code)}`;
  const message = plain(clip(one.message, 400)).replace(/[.\s]*$/, ".");
  const hint = hintFor(one);
  const line = source?.lines[one.line - 1]?.trim() ?? "";
  const excerpt =
    line === "" ? [] : [fence(clip(line, 200), fenceLanguage(name))];
  return [
    `**Line ${String(one.line)}, ${one.severity}**${mark}: ${message}${hint === undefined ? "" : ` ${hint}`}`,
    ...excerpt,
  ].join("\n\n");
}
