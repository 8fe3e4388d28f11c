import path from "node:path";

/** The language of a file by its name; undefined for what is not source, markup or configuration. */
export function languageOf(file: string): string | undefined {
  const name = path.posix.basename(file).toLowerCase();
  return byName.get(name) ?? byExtension.get(path.posix.extname(name).slice(1));
}

/** The extensions of a language by its name in any case. */
export function extensionsOf(language: string): readonly string[] {
  const name = language.toLowerCase();
  const found = Object.entries(names).find(
    ([known]) => known.toLowerCase() === name,
  );
  return found?.[1].split(" ") ?? [];
}

/** What a code fence calls it. */
export function fenceLanguage(file: string): string {
  const extension = path.posix.extname(file).slice(1).toLowerCase();
  return fenceNames.get(extension) ?? extension.replaceAll(/[^a-z0-9+#-]/g, "");
}

const byName: ReadonlyMap<string, string> = new Map([
  ["dockerfile", "Docker"],
  ["makefile", "Make"],
  ["cmakelists.txt", "CMake"],
  ["rakefile", "Ruby"],
  ["gemfile", "Ruby"],
]);

const fenceNames: ReadonlyMap<string, string> = new Map([
  ["mts", "ts"],
  ["cts", "ts"],
  ["mjs", "js"],
  ["cjs", "js"],
  ["yml", "yaml"],
  ["py", "python"],
  ["rs", "rust"],
  ["rb", "ruby"],
  ["sh", "bash"],
  ["md", "markdown"],
]);

const names: Readonly<Record<string, string>> = {
  TypeScript: "ts mts cts tsx",
  JavaScript: "js mjs cjs jsx",
  Python: "py pyi",
  Rust: "rs",
  Go: "go",
  Java: "java",
  Kotlin: "kt kts",
  "C#": "cs",
  C: "c h",
  "C++": "cc cpp cxx hpp hh",
  Swift: "swift",
  Ruby: "rb",
  PHP: "php",
  Scala: "scala",
  Dart: "dart",
  Elixir: "ex exs",
  Haskell: "hs",
  Lua: "lua",
  R: "r",
  Julia: "jl",
  Zig: "zig",
  Shell: "sh bash zsh fish",
  PowerShell: "ps1",
  SQL: "sql",
  HTML: "html htm",
  CSS: "css scss sass less",
  Vue: "vue",
  Svelte: "svelte",
  Markdown: "md mdx",
  JSON: "json jsonc",
  YAML: "yml yaml",
  TOML: "toml",
  XML: "xml",
  Terraform: "tf",
  Protobuf: "proto",
  GraphQL: "graphql gql",
  Notebook: "ipynb",
};

const byExtension: ReadonlyMap<string, string> = new Map(
  Object.entries(names).flatMap(([language, extensions]) =>
    extensions
      .split(" ")
      .map((extension): [string, string] => [extension, language]),
  ),
);
