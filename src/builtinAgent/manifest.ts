import path from "node:path";
import { isObject } from "./record.ts";

/** What a file that describes a project says of it. */
export interface Manifest {
  readonly file: string;
  readonly what: string;
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  readonly scripts: readonly Script[];
}

export interface Script {
  readonly run: string;
  readonly does: string;
}

/** Undefined when the file's name is not one that describes a project. */
export function manifestKind(file: string): string | undefined {
  const name = path.posix.basename(file);
  return (
    kinds.get(name) ??
    (/\.(?:csproj|fsproj|sln)$/.test(name) ? ".NET project" : undefined)
  );
}

/** `others` are the names beside it, for the lock file that tells which tool runs the scripts. */
export function readManifest(
  file: string,
  what: string,
  text: string,
  others: readonly string[],
): Manifest {
  const name = path.posix.basename(file);
  if (name === "package.json") return readPackageJson(file, what, text, others);
  if (/^makefile$/i.test(name))
    return { file, what, scripts: makeTargets(text) };
  const field = (key: string): string | undefined =>
    new RegExp(`^\\s*${key}\\s*[=:]\\s*["']([^"']{1,200})["']`, "m").exec(
      text,
    )?.[1];
  const goModule = /^module\s+(\S+)/m.exec(text)?.[1];
  const called = name === "go.mod" ? goModule : field("name");
  return {
    file,
    what,
    scripts: [],
    ...told(called, field("version"), field("description")),
  };
}

function readPackageJson(
  file: string,
  what: string,
  text: string,
  others: readonly string[],
): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { file, what: `${what} (not valid JSON)`, scripts: [] };
  }
  if (!isObject(value)) return { file, what, scripts: [] };
  const tool =
    runners.find(([lock]) => others.includes(lock))?.[1] ?? "npm run";
  const scripts = isObject(value["scripts"]) ? value["scripts"] : {};
  return {
    file,
    what,
    ...told(value["name"], value["version"], value["description"]),
    scripts: Object.entries(scripts)
      .filter(
        (entry): entry is [string, string] => typeof entry[1] === "string",
      )
      .map(([name, does]) => ({ run: `${tool} ${name}`, does })),
  };
}

function told(
  name: unknown,
  version: unknown,
  description: unknown,
): Pick<Manifest, "name" | "version" | "description"> {
  return {
    ...(isTold(name) && { name }),
    ...(isTold(version) && { version }),
    ...(isTold(description) && { description }),
  };
}

function isTold(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function makeTargets(text: string): readonly Script[] {
  return [
    ...text.matchAll(/^([A-Za-z][\w-]*)\s*:(?![=:])[^\n]*\n(?:\t([^\n]*))?/gm),
  ].map((match) => ({ run: `make ${match[1] ?? ""}`, does: match[2] ?? "" }));
}

const runners: readonly (readonly [string, string])[] = [
  ["pnpm-lock.yaml", "pnpm run"],
  ["yarn.lock", "yarn run"],
  ["bun.lock", "bun run"],
  ["bun.lockb", "bun run"],
];

const kinds: ReadonlyMap<string, string> = new Map([
  ["package.json", "npm package"],
  ["deno.json", "Deno project"],
  ["pyproject.toml", "Python project"],
  ["requirements.txt", "Python requirements"],
  ["setup.py", "Python package"],
  ["Cargo.toml", "Rust crate"],
  ["go.mod", "Go module"],
  ["pom.xml", "Maven project"],
  ["build.gradle", "Gradle project"],
  ["build.gradle.kts", "Gradle project"],
  ["Gemfile", "Ruby bundle"],
  ["composer.json", "PHP package"],
  ["mix.exs", "Elixir project"],
  ["pubspec.yaml", "Dart package"],
  ["Package.swift", "Swift package"],
  ["CMakeLists.txt", "CMake project"],
  ["Makefile", "Makefile"],
  ["makefile", "Makefile"],
  ["Dockerfile", "Docker image"],
  ["docker-compose.yml", "Docker Compose"],
  ["compose.yaml", "Docker Compose"],
]);
