import path from "node:path";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const root = import.meta.dirname;

/** Which folder may import what: the walls of the house. `core` in protocol is types only. */
const table = {
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
const typesOnly = [["src/protocol", "src/core"]];

const folderOf = (file) =>
  Object.keys(table).find(
    (folder) => file === folder || file.startsWith(`${folder}/`),
  );

const walls = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const file = path
      .relative(root, context.filename)
      .split(path.sep)
      .join("/");
    const from = folderOf(file);
    if (from === undefined) return {};
    const check = (node) => {
      const source = node.source?.value;
      if (typeof source !== "string") return;
      const target = source.startsWith(".")
        ? path
            .relative(
              root,
              path.resolve(path.dirname(context.filename), source),
            )
            .split(path.sep)
            .join("/")
        : source;
      if (source.startsWith(".") && target.startsWith(`${from}/`)) return;
      const allowed = table[from].some(
        (name) =>
          target === name ||
          target.startsWith(
            name.endsWith(":") || name.endsWith("/") ? name : `${name}/`,
          ),
      );
      if (!allowed)
        context.report({ node, message: `${from} must not import ${source}` });
      const needsType = typesOnly.some(
        ([a, b]) => from === a && target.startsWith(`${b}/`),
      );
      if (needsType && node.importKind !== "type" && node.exportKind !== "type")
        context.report({
          node,
          message: `${from} may import only types from ${source}`,
        });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: (node) =>
        context.report({
          node,
          message: "No barrels: import from where it is defined",
        }),
      ImportExpression: (node) => check({ ...node, source: node.source }),
    };
  },
};

export default tseslint.config(
  {
    ignores: ["dist", "out", "node_modules", "test/fixtures/workspace"],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: root },
    },
    plugins: { turnline: { rules: { walls } } },
    rules: {
      "turnline/walls": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true },
      ],
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true },
      ],
      "max-lines": ["error", { max: 500 }],
      eqeqeq: "error",
      "no-console": "error",
    },
  },
  {
    files: ["src/core/**", "src/util/**"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...[
          "Date",
          "setTimeout",
          "setInterval",
          "setImmediate",
          "process",
          "Buffer",
          "crypto",
          "performance",
          "fetch",
        ].map((name) => ({
          name,
          message: "The core is pure: take it through a port.",
        })),
      ],
      "no-restricted-properties": [
        "error",
        { object: "Math", property: "random", message: "The core is pure." },
      ],
    },
  },
  {
    files: ["webview/**"],
    plugins: { "react-hooks": reactHooks },
    rules: { "react-hooks/rules-of-hooks": "error" },
  },
  {
    // Plain scripts belong to no world with types.
    files: ["**/*.mjs", "**/*.cjs"],
    ...tseslint.configs.disableTypeChecked,
  },
  {
    files: ["**/*.mjs", "**/*.cjs"],
    rules: {
      "@typescript-eslint/explicit-module-boundary-types": "off",
      "@typescript-eslint/consistent-type-imports": "off",
      "no-console": "off",
    },
  },
  {
    files: ["**/*.cjs"],
    rules: { "@typescript-eslint/no-require-imports": "off" },
  },
  {
    files: ["test/**", "scripts/**"],
    rules: { "no-console": "off", "max-lines": "off" },
  },
);
