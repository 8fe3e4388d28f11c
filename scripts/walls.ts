/** Which folder may import what: the walls of the house. */
const table: Readonly<Record<string, readonly string[]>> = {
  "src/util": [],
  "src/core": ["src/util"],
  "src/protocol": ["src/util", "src/core", "zod"],
  "src/agent": ["src/core", "src/util", "@agentclientprotocol/sdk", "node:"],
  "src/history": ["src/core", "src/util", "zod", "node:"],
  "src/host": [
    "src/core",
    "src/protocol",
    "src/util",
    "vscode",
    "zod",
    "node:",
  ],
  "src/builtinAgent": ["src/util", "@agentclientprotocol/sdk", "node:"],
  "src/extension.ts": ["src/", "vscode", "node:"],
  webview: [
    "src/protocol",
    "src/util",
    "preact",
    "@preact/signals",
    "markdown-it",
    "highlight.js",
    "virtua",
    "@vscode/webview-ui-toolkit",
    "@vscode/codicons",
    "d3-scale",
    "diff",
  ],
};

/** Of these only types. */
const typesOnly: readonly (readonly [from: string, to: string])[] = [
  ["src/protocol", "src/core"],
  // These run without a VS Code around them.
  ...["unit", "contract", "crash", "fakes"].map(
    (folder) => [`test/${folder}`, "vscode"] as const,
  ),
];

export interface Import {
  /** A file from the root of the clone, or a package. */
  readonly target: string;
  readonly isType: boolean;
}

/** What is wrong with an import of a file, if anything. Tests may import anything else. */
export function brokenWall(
  file: string,
  { target, isType }: Import,
): string | undefined {
  const row = rowOf(file);
  if (row !== undefined && !isIn(target, row)) {
    const allowed = (table[row] ?? []).some((name) => isIn(target, name));
    if (!allowed) return `${row} must not import ${target}`;
  }
  const [from, to] =
    typesOnly.find(([a, b]) => isIn(file, a) && isIn(target, b)) ?? [];
  return from === undefined || to === undefined || isType
    ? undefined
    : `${from} may import only types from ${to}`;
}

/** Nothing of the product is without a row. */
export function noRow(file: string): string | undefined {
  return /^(?:src|webview)\//u.test(file) && rowOf(file) === undefined
    ? `${file} has no row in the table of scripts/walls.ts`
    : undefined;
}

function rowOf(file: string): string | undefined {
  return Object.keys(table).find((row) => isIn(file, row));
}

function isIn(target: string, name: string): boolean {
  return (
    target === name ||
    target.startsWith(/[:/]$/u.test(name) ? name : `${name}/`)
  );
}
