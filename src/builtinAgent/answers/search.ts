import { type FileEntry, listFiles, matchFiles } from "../files.ts";
import { compileGlob, isGlob, matchesGlob } from "../glob.ts";
import { groupBy } from "../groupBy.ts";
import { fenceLanguage } from "../languages.ts";
import { clip, code, count, fence } from "../markdown.ts";
import type { Request, TextPattern } from "../request.ts";
import { type Found, type Hit, matcherOf, searchText } from "../search.ts";
import { done, failed, started } from "../tool.ts";
import type { Parts, World } from "../world.ts";

export async function* searchAnswer(
  world: World,
  request: Extract<Request, { kind: "search" }>,
): Parts {
  const { within } = request;
  const pattern = written(request.pattern);
  const what = code(pattern);
  const where = within === undefined ? "" : ` in ${code(within)}`;
  const place = within === undefined ? "" : ` in ${within}`;
  const call = started("search", `Search for ${pattern}${place}`, {
    input: { pattern, ...(within !== undefined && { within }) },
  });
  yield call;
  const matcher = matcherOf(request.pattern);
  if (typeof matcher === "string") {
    yield failed(call, matcher);
    yield {
      kind: "text",
      text: `${what} is not a regular expression I can use: ${matcher}.`,
    };
    return;
  }
  const listed = await listFiles(world.scope, world.signal);
  const files = filesWithin(listed.files, within);
  const found = await searchText(files, matcher, world.signal);
  const groups = [...groupBy(found.hits, (hit) => hit.file)];
  yield done(
    call,
    `${count(found.hits.length, "match", "matches")} in ${count(found.searched, "file")}`,
    found.hits
      .slice(0, 50)
      .map((hit) => ({ path: hit.file.path, line: hit.line })),
  );
  if (groups.length > 0)
    yield { kind: "found", files: groups.map(([file]) => file.path) };
  yield { kind: "text", text: answerText(what, where, found, groups) };
}

const shownHits = 40;
const contextUpTo = 6;

function answerText(
  what: string,
  where: string,
  found: Found,
  groups: readonly Group[],
): string {
  const note = shortfall(found);
  if (found.hits.length === 0)
    return [
      `Nothing matches ${what}${where}. I looked at ${count(found.searched, "text file")}.`,
      ...note,
    ].join("\n\n");
  const withContext = found.hits.length <= contextUpTo;
  const blocks: string[] = [];
  let left = shownHits;
  for (const [file, hits] of groups) {
    if (left <= 0) break;
    const shown = hits.slice(0, left);
    left -= shown.length;
    const lines = withContext ? linesAround(shown) : shown.map(lineOf);
    blocks.push(
      `${code(file.name)}\n\n${fence(lines.join("\n"), fenceLanguage(file.name))}`,
    );
  }
  const hidden = found.hits.length - (shownHits - left);
  const total = `${count(found.hits.length, "match", "matches")} in ${count(groups.length, "file")} for ${what}${where}.`;
  const more =
    hidden > 0 ? [`And ${count(hidden, "more match", "more matches")}.`] : [];
  return [total, ...blocks, ...more, ...note].join("\n\n");
}

type Group = readonly [FileEntry, readonly Hit[]];

/** Matches with the lines around them, each line once, gaps marked. */
function linesAround(hits: readonly Hit[]): readonly string[] {
  const lines = new Map<number, string>();
  for (const hit of hits) {
    hit.before.forEach((text, index) => {
      const line = hit.line - hit.before.length + index;
      lines.set(line, lines.get(line) ?? numbered(line, " ", text));
    });
    hit.after.forEach((text, index) => {
      const line = hit.line + 1 + index;
      lines.set(line, lines.get(line) ?? numbered(line, " ", text));
    });
  }
  for (const hit of hits) lines.set(hit.line, lineOf(hit));
  const sorted = [...lines].sort((a, b) => a[0] - b[0]);
  return sorted.flatMap(([line, text], index) => {
    const previous = sorted[index - 1]?.[0];
    return previous !== undefined && previous < line - 1 ? ["…", text] : [text];
  });
}

function lineOf(hit: Hit): string {
  return numbered(hit.line, ":", hit.text);
}

function numbered(line: number, mark: string, text: string): string {
  return `${String(line).padStart(4)}${mark} ${clip(text, 200)}`;
}

function written(pattern: TextPattern): string {
  return pattern.kind === "literal"
    ? pattern.text
    : `/${pattern.source}/${pattern.ignoreCase ? "i" : ""}`;
}

function filesWithin(
  files: readonly FileEntry[],
  within: string | undefined,
): readonly FileEntry[] {
  if (within === undefined) return files;
  if (isGlob(within)) {
    const glob = compileGlob(within.includes("/") ? within : `**/${within}`);
    return files.filter((file) => matchesGlob(glob, file.name));
  }
  const folder = within.replace(/^\.\//, "").replace(/\/$/, "");
  const below = files.filter(
    (file) =>
      file.name === folder ||
      file.name.startsWith(`${folder}/`) ||
      file.name.includes(`/${folder}/`),
  );
  return below.length > 0 ? below : matchFiles(files, folder);
}

function shortfall({ stopped }: Found): readonly string[] {
  return stopped === undefined ? [] : [shortfalls[stopped]];
}

const shortfalls: Readonly<Record<NonNullable<Found["stopped"]>, string>> = {
  count: "There are more matches than I list. A narrower search helps.",
  time: "I stopped after ten seconds, so there may be more.",
  pattern:
    "I stopped: this expression takes too long on some line. A simpler one helps.",
  cancelled: "I stopped before the end.",
};
