import circleSlash from "@vscode/codicons/src/icons/circle-slash.svg" with { type: "text" };
import debugDisconnect from "@vscode/codicons/src/icons/debug-disconnect.svg" with { type: "text" };
import error from "@vscode/codicons/src/icons/error.svg" with { type: "text" };

export type GlyphName = "error" | "debug-disconnect" | "circle-slash";

/** Icons as a canvas draws them, on their own grid of 16. */
export const glyphs: Readonly<Record<GlyphName, readonly Path2D[]>> = {
  error: pathsOf(error),
  "debug-disconnect": pathsOf(debugDisconnect),
  "circle-slash": pathsOf(circleSlash),
};

function pathsOf(svg: string): readonly Path2D[] {
  return [...svg.matchAll(/ d="([^"]+)"/g)].map(
    ([, path]) => new Path2D(path ?? ""),
  );
}
