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
