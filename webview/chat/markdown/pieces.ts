/** Lines in a piece: the browser lays out and paints pieces on their own. */
export const pieceLines = 40;

/** Cuts highlighted HTML into pieces of whole lines; a span that crosses a cut is closed and opened again. */
export function pieces(html: string, lines = pieceLines): readonly string[] {
  const made: string[] = [];
  const open: string[] = [];
  let [piece, count] = ["", 0];
  for (const part of html.split(/(<[^>]*>|\n)/u)) {
    piece += part;
    if (part.startsWith("</")) open.pop();
    else if (part.startsWith("<")) open.push(part);
    else if (part === "\n" && ++count === lines) {
      made.push(piece + "</span>".repeat(open.length));
      [piece, count] = [open.join(""), 0];
    }
  }
  if (piece.replaceAll(/<[^>]*>/gu, "") !== "") made.push(piece);
  return made;
}

/** Cuts plain code into the same pieces. */
export function plainPieces(
  code: string,
  lines = pieceLines,
): readonly string[] {
  const made: string[] = [];
  for (let from = 0; from < code.length;) {
    let to = from;
    for (let n = 0; n < lines && to >= 0; n++)
      to = code.indexOf("\n", to) + 1 || -1;
    made.push(code.slice(from, to < 0 ? undefined : to));
    from = to < 0 ? code.length : to;
  }
  return made;
}
