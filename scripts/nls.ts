// Moves the words of package.json that VS Code shows into package.nls.json, where translators find them.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fromRoot } from "./tools.ts";

type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json };

/** Fields whose text people read. */
const shown = new Set([
  ...["title", "shortTitle", "description", "markdownDescription", "label"],
  ...["contextualTitle", "altText", "contents", "markdown"],
  ...["enumDescriptions", "markdownEnumDescriptions", "enumItemLabels"],
  ...[
    "deprecationMessage",
    "markdownDeprecationMessage",
    "patternErrorMessage",
  ],
]);
const file = fromRoot("package.json");
const wordsFile = fromRoot("package.nls.json");
const manifest = readJson(file) as { readonly [name: string]: Json };
const known = existsSync(wordsFile)
  ? (readJson(wordsFile) as Readonly<Record<string, string>>)
  : {};
const words: Record<string, string> = {};

const moved = {
  ...manifest,
  description: move(manifest["description"] ?? "", "description"),
  capabilities: walk(manifest["capabilities"] ?? {}, "capabilities"),
  contributes: walk(manifest["contributes"] ?? {}, ""),
};
writeJson(file, moved);
writeJson(wordsFile, words);
console.log(`${Object.keys(words).length} words in package.nls.json`);

/** No setting is itself called `title` or `description`: a field's name alone says whether it is shown. */
function walk(value: Json, key: string): Json {
  if (Array.isArray(value))
    return value.map((item: Json, index) =>
      walk(item, join(key, nameOf(item) ?? String(index))),
    );
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      isShown(name, field, key)
        ? move(field, join(key, name))
        : walk(field, join(key, name)),
    ]),
  );
}

/** A view's `name` is shown; a walkthrough picture's, or a command's `command`, is not. */
function isShown(name: string, field: Json, key: string): boolean {
  if (name === "name") return key.startsWith("views.");
  return shown.has(name) && (typeof field === "string" || Array.isArray(field));
}

function move(value: Json, key: string): Json {
  if (Array.isArray(value))
    return value.map((item: Json, index) => move(item, `${key}.${index}`));
  if (typeof value !== "string") return value;
  const named = /^%(.+)%$/u.exec(value)?.[1];
  // A name alone, such as the product's, is the same in every language.
  if (named === undefined && value === "Turnline") return value;
  const name = named ?? key;
  words[name] = named === undefined ? value : (known[named] ?? value);
  return `%${name}%`;
}

function nameOf(item: Json): string | undefined {
  if (typeof item !== "object" || item === null || Array.isArray(item))
    return undefined;
  const { id, command } = item as { readonly [name: string]: Json };
  const name = id ?? command;
  return typeof name === "string" ? name : undefined;
}

/** `commands.turnline.open.title` says no more than `commands.open.title`. */
function join(key: string, name: string): string {
  const plain = name.replace(/^turnline\./u, "");
  if (plain === "properties") return key;
  return key === "" ? plain : `${key}.${plain}`;
}

function readJson(path: string): Json {
  return JSON.parse(readFileSync(path, "utf8")) as Json;
}

function writeJson(path: string, value: Json): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
