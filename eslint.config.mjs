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

/** What people read goes through `t`, so that it can be translated. Names alone are the same in every language. */
const words = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const isSentence = (text) =>
      /^(?:["“(]?[A-Z]|\{\} [a-z]).*? [a-z]{2,}/su.test(text);
    // Also what is compared with the words of others.
    const exempt = /^t$|Error$|\blog\.\w+$|\.(?:includes|startsWith)$/u;
    const isExempt = ({ parent }) => {
      if (/^(?:Import|TSLiteralType)/u.test(parent.type)) return true;
      for (let up = parent; up; up = up.parent)
        if (up.callee && exempt.test(context.sourceCode.getText(up.callee)))
          return true;
      return false;
    };
    const check = (node, text) => {
      if (isSentence(text) && !isExempt(node))
        context.report({ node, message: `Say it through t(): ${text}` });
    };
    return {
      JSXText: (node) => {
        if (/\p{L}/u.test(node.value))
          context.report({
            node,
            message: `Say it through t(): ${node.value}`,
          });
      },
      Literal: (node) => {
        if (typeof node.value === "string") check(node, node.value);
      },
      TemplateLiteral: (node) =>
        check(node, node.quasis.map(({ value }) => value.cooked).join("{}")),
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
    plugins: { turnline: { rules: { walls, words } } },
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
    files: ["webview/**/*.tsx", "src/host/**"],
    ignores: [
      // Told to an agent, in the language the rest of its prompt has.
      "src/host/fragments/**",
      "src/host/batchActions.ts",
      "src/host/bounds.ts",
      "src/host/contextParts.ts",
      "src/host/files.ts",
      "src/host/gitChanges.ts",
      "src/host/settings.ts",
      // Told to other extensions.
      "src/host/api.ts",
    ],
    rules: { "turnline/words": "error" },
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
