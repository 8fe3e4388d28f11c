import fs from "node:fs/promises";
import path from "node:path";
import { type Manifest, manifestKind, readManifest } from "../manifest.ts";
import { count } from "../markdown.ts";
import { locate } from "../paths.ts";
import { readTextFile } from "../textFile.ts";
import { done, started } from "../tool.ts";
import { walk } from "../walk.ts";
import { type Facts, summarise } from "../workspaceSummary.ts";
import type { Parts, World } from "../world.ts";

export async function* workspaceAnswer(world: World): Parts {
  const [root, ...others] = world.scope.roots;
  const look = started("search", "Look through the workspace", {
    places: [{ path: root }],
  });
  yield look;
  const walked = await walk(root, world.signal);
  yield done(look, count(walked.files.length, "file"));

  const names = walked.files.filter((file) => !file.includes("/"));
  const wanted = names.filter((file) => manifestKind(file) !== undefined);
  const readmeFile = names.find((file) => /^readme(?:\.\w+)?$/i.test(file));
  const toRead = [...wanted, ...(readmeFile === undefined ? [] : [readmeFile])];
  const texts = new Map<string, string>();
  if (toRead.length > 0) {
    const read = started("read", `Read ${toRead.join(", ")}`, {
      places: toRead.map((file) => ({ path: path.join(root, file) })),
    });
    yield read;
    for (const file of toRead) {
      const text = await textOf(world, file);
      if (text !== undefined) texts.set(file, text);
    }
    yield done(read, count(texts.size, "file"));
  }

  const branch = await branchOf(world);
  const readme = readmeFile === undefined ? undefined : texts.get(readmeFile);
  const facts: Facts = {
    name: path.basename(root),
    walked,
    others,
    manifests: manifestsOf(texts, names),
    ...(readmeFile !== undefined &&
      readme !== undefined && { readme: { file: readmeFile, text: readme } }),
    ...(branch !== undefined && { branch }),
  };
  yield { kind: "text", text: summarise(facts) };
}

const largest = 512 * 1024;

function manifestsOf(
  texts: ReadonlyMap<string, string>,
  names: readonly string[],
): readonly Manifest[] {
  return [...texts].flatMap(([file, text]) => {
    const what = manifestKind(file);
    return what === undefined ? [] : [readManifest(file, what, text, names)];
  });
}

async function textOf(world: World, file: string): Promise<string | undefined> {
  const place = await locate(world.scope, file);
  if (place.kind !== "found") return undefined;
  const read = await readTextFile(place.path, largest);
  return read.kind === "text" ? read.text : undefined;
}

async function branchOf(world: World): Promise<string | undefined> {
  const place = await locate(world.scope, ".git/HEAD");
  if (place.kind !== "found") return undefined;
  const head = await fs.readFile(place.path, "utf8").catch(() => "");
  return /^ref: refs\/heads\/(\S+)\s*$/.exec(head)?.[1];
}
