import fs from "node:fs/promises";
import path from "node:path";
import { guideNames, type FolderFiles, type Guide } from "./projectText.ts";

/** How far is looked: a prompt must not wait for a large tree. */
const mostFolders = 60;
const deepest = 2;
const fresh = 5 * 60_000;
const mostLanguages = 4;
const mostPackages = 8;

/** Looks into folders now and then, and answers at once with what it found last. */
export class ProjectFiles {
  readonly #now: () => number;
  readonly #known = new Map<
    string,
    { readonly found: Promise<FolderFiles>; readonly at: number }
  >();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  of(folder: string): Promise<FolderFiles> {
    const known = this.#known.get(folder);
    if (known !== undefined && this.#now() - known.at < fresh)
      return known.found;
    const found = look(folder);
    this.#known.set(folder, { found, at: this.#now() });
    return found;
  }
}

async function look(folder: string): Promise<FolderFiles> {
  const counts = new Map<string, number>();
  const packages: string[] = [];
  const waiting = [{ at: folder, depth: 0 }];
  for (let seen = 0; seen < mostFolders; seen += 1) {
    const next = waiting.shift();
    if (next === undefined) break;
    for (const entry of await entriesOf(next.at)) {
      const file = path.join(next.at, entry.name);
      if (entry.isDirectory()) {
        if (next.depth < deepest && isWorthLooking(entry.name))
          waiting.push({ at: file, depth: next.depth + 1 });
        continue;
      }
      if (isPackageFile(entry.name))
        packages.push(path.relative(folder, file).split(path.sep).join("/"));
      const language = languages[path.extname(entry.name).toLowerCase()];
      if (language !== undefined)
        counts.set(language, (counts.get(language) ?? 0) + 1);
    }
  }
  return {
    languages: [...counts]
      .sort(([a, n], [b, m]) => m - n || a.localeCompare(b))
      .slice(0, mostLanguages)
      .map(([language]) => language),
    packages: packages.slice(0, mostPackages),
    guides: await guidesIn(folder),
  };
}

async function guidesIn(folder: string): Promise<readonly Guide[]> {
  const found = await Promise.all(
    guideNames.map(async (name) => {
      const file = path.join(folder, name);
      const real = await fs.realpath(file).catch(() => undefined);
      if (real === undefined) return undefined;
      const text = await fs.readFile(real, "utf8").catch(() => "");
      return { name, real, text };
    }),
  );
  const there = found.filter((guide) => guide !== undefined);
  return there.map(({ name, real, text }) => ({
    name,
    covers: there
      .filter(
        (other) =>
          other.name !== name &&
          (other.real === real || text.includes(`@${other.name}`)),
      )
      .map((other) => other.name),
  }));
}

/** A folder that can't be read has nothing in it. */
async function entriesOf(
  folder: string,
): Promise<Awaited<ReturnType<typeof readFolder>>> {
  return readFolder(folder).catch(() => []);
}

function readFolder(folder: string) {
  return fs.readdir(folder, { withFileTypes: true });
}

function isWorthLooking(name: string): boolean {
  return !name.startsWith(".") && !skipped.has(name);
}

function isPackageFile(name: string): boolean {
  return packageFiles.has(name) || /\.(?:csproj|sln)$/u.test(name);
}

const skipped: ReadonlySet<string> = new Set([
  ...["node_modules", "dist", "out", "build", "target", "vendor", "coverage"],
  ...["venv", "__pycache__", "bin", "obj"],
]);

const packageFiles: ReadonlySet<string> = new Set([
  ...["package.json", "deno.json", "pyproject.toml", "requirements.txt"],
  ...["Cargo.toml", "go.mod", "pom.xml", "build.gradle", "build.gradle.kts"],
  ...["CMakeLists.txt", "Makefile", "Gemfile", "composer.json", "mix.exs"],
  ...["pubspec.yaml", "Package.swift"],
]);

const languages: Readonly<Record<string, string>> = {
  ...named("TypeScript", ".ts", ".tsx", ".mts", ".cts"),
  ...named("JavaScript", ".js", ".jsx", ".mjs", ".cjs"),
  ...named("Python", ".py"),
  ...named("Rust", ".rs"),
  ...named("Go", ".go"),
  ...named("Java", ".java"),
  ...named("Kotlin", ".kt", ".kts"),
  ...named("C", ".c", ".h"),
  ...named("C++", ".cpp", ".cc", ".cxx", ".hpp"),
  ...named("C#", ".cs"),
  ...named("Ruby", ".rb"),
  ...named("PHP", ".php"),
  ...named("Swift", ".swift"),
  ...named("Dart", ".dart"),
  ...named("Elixir", ".ex", ".exs"),
  ...named("Shell", ".sh"),
  ...named("SQL", ".sql"),
  ...named("CSS", ".css", ".scss"),
  ...named("HTML", ".html"),
};

function named(
  language: string,
  ...endings: readonly string[]
): Record<string, string> {
  return Object.fromEntries(endings.map((ending) => [ending, language]));
}
