import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { root } from "./tools.ts";

/** Every text the sources give to `t`, once, in the order of the alphabet. */
export function gatherWords(): readonly string[] {
  const words = new Set<string>();
  for (const file of globSync("{src,webview}/**/*.{ts,tsx}", { cwd: root })) {
    const source = ts.createSourceFile(
      file,
      readFileSync(path.join(root, file), "utf8"),
      ts.ScriptTarget.Latest,
      true,
    );
    const visit = (node: ts.Node): void => {
      if (
        ts.isCallExpression(node) &&
        ts.isIdentifier(node.expression) &&
        node.expression.text === "t"
      )
        words.add(literal(node, file));
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...words].sort();
}

function literal(call: ts.CallExpression, file: string): string {
  const [english] = call.arguments;
  if (english !== undefined && ts.isStringLiteralLike(english))
    return english.text;
  throw new Error(
    `${file}: t() takes a literal, not ${english?.getText() ?? "nothing"}.`,
  );
}
