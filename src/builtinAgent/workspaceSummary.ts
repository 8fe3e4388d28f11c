import { languageOf } from "./languages.ts";
import type { Manifest } from "./manifest.ts";
import { clip, code, count, listing, plain, quote } from "./markdown.ts";
import type { Walked } from "./walk.ts";

export interface Facts {
  readonly name: string;
  readonly walked: Walked;
  readonly manifests: readonly Manifest[];
  readonly readme?: { readonly file: string; readonly text: string };
  readonly branch?: string;
  /** Other folders of the chat. */
  readonly others: readonly string[];
}

/** The workspace in a screenful of markdown. */
export function summarise(facts: Facts): string {
  const { walked } = facts;
  const sections = [
    opening(facts),
    facts.manifests.map(describeManifest).join("\n"),
    languages(walked.files),
    folders(walked.files),
    ...facts.manifests.map(scripts),
    readme(facts),
    facts.others.length > 0
      ? `This chat may also use ${listing(facts.others.map(code))}.`
      : "",
    shortfall(walked),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

/** A README's first sentences: no badges, no HTML, no headings. */
export function readmeLead(text: string): string {
  const lines: string[] = [];
  let length = 0;
  let fenced = false;
  for (const line of text.slice(0, 20_000).split(/\r?\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    const clean = line
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(
        /!?\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)|!\[[^\]]*\]\([^)]*\)/g,
        "",
      )
      .trim();
    const skip = fenced || /^(?:#|=+$|-+$|```|~~~|\||\[[^\]]+\]:)/.test(clean);
    if (lines.length > 0 && (clean === "" || skip)) {
      if (lines.length >= 2 || length > 120) break;
      if (lines.at(-1) !== "") lines.push("");
      continue;
    }
    if (skip || clean === "") continue;
    lines.push(clean);
    length += clean.length;
    if (lines.length >= 5 || length > 400) break;
  }
  return clip(lines.join("\n").trim(), 500);
}

function opening({ name, walked, branch }: Facts): string {
  const where = code(name);
  if (walked.files.length === 0)
    return `${where} has no files${walked.folders > 0 ? ", only folders" : ""}.`;
  const inFolders =
    walked.folders > 0 ? ` in ${count(walked.folders, "folder")}` : "";
  const on = branch === undefined ? "" : `, on branch ${code(branch)}`;
  return `${where} has ${count(walked.files.length, "file")}${inFolders}${on}.`;
}

function describeManifest(manifest: Manifest): string {
  const called = [manifest.name, manifest.version]
    .filter((part) => part !== undefined)
    .join(" ");
  const name = called === "" ? "" : ` ${code(called)}`;
  const about =
    manifest.description === undefined
      ? ""
      : `: ${plain(clip(manifest.description, 200))}`;
  return `- ${code(manifest.file)}: ${manifest.what}${name}${about}`;
}

function languages(files: readonly string[]): string {
  const counted = tally(files.map(languageOf));
  if (counted.length === 0) return "";
  const shown = counted
    .slice(0, 6)
    .map(([language, number]) => `${language} (${String(number)})`);
  const rest = counted.length - shown.length;
  const more = rest > 0 ? ` and ${count(rest, "other")}` : "";
  return `**Languages:** ${shown.join(", ")}${more}`;
}

function folders(files: readonly string[]): string {
  const counted = tally(
    files.map((file) => (file.includes("/") ? file.split("/")[0] : undefined)),
  );
  const loose = files.filter((file) => !file.includes("/"));
  const rows = counted
    .slice(0, 12)
    .map(
      ([folder, number]) => `- ${code(`${folder}/`)} ${count(number, "file")}`,
    );
  if (counted.length > 12)
    rows.push(`- ${count(counted.length - 12, "more folder")}`);
  if (loose.length > 0) {
    const named = loose.slice(0, 12).map(code).join(", ");
    const more =
      loose.length > 12 ? ` and ${String(loose.length - 12)} more` : "";
    rows.push(`- at the top: ${named}${more}`);
  }
  return rows.length > 0 ? `**Folders**\n\n${rows.join("\n")}` : "";
}

function scripts(manifest: Manifest): string {
  if (manifest.scripts.length === 0) return "";
  const rows = manifest.scripts
    .slice(0, 12)
    .map(({ run, does }) =>
      does === ""
        ? `- ${code(run)}`
        : `- ${code(run)} runs ${code(clip(does, 80))}`,
    );
  if (manifest.scripts.length > 12)
    rows.push(`- ${count(manifest.scripts.length - 12, "more script")}`);
  return `**Scripts in ${code(manifest.file)}**\n\n${rows.join("\n")}`;
}

function readme({ readme: file }: Facts): string {
  const lead = file === undefined ? "" : readmeLead(file.text);
  return file === undefined || lead === ""
    ? ""
    : `**${code(file.file)} begins**\n\n${quote(lead)}`;
}

function shortfall({ stopped }: Walked): string {
  return stopped === undefined ? "" : shortfalls[stopped];
}

const shortfalls: Readonly<Record<NonNullable<Walked["stopped"]>, string>> = {
  count: "There are more files than I count.",
  time: "I stopped counting after five seconds, so there is more.",
  cancelled: "I stopped before the end.",
};

function tally(
  names: readonly (string | undefined)[],
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names)
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
