import path from "node:path";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";
import { brokenWall, noRow } from "./scripts/walls.ts";

const root = import.meta.dirname;

const walls = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const relative = (file) =>
      path.relative(root, file).split(path.sep).join("/");
    const file = relative(context.filename);
    const check = (node) => {
      const source = node.source?.value;
      if (typeof source !== "string") return;
      const target = source.startsWith(".")
        ? relative(path.resolve(path.dirname(context.filename), source))
        : source;
      const isType = node.importKind === "type" || node.exportKind === "type";
      const why = brokenWall(file, { target, isType });
      if (why !== undefined) context.report({ node, message: why });
    };
    return {
      Program: (node) => {
        const message = noRow(file);
        if (message !== undefined) context.report({ node, message });
      },
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: (node) =>
        context.report({
          node,
          message: "No barrels: import from where it is defined",
        }),
      ImportExpression: check,
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
