/** How well a name fits what was typed: its letters must come in order; null when they do not. More is better. */
export function fit(query: string, name: string): number | null {
  const [wanted, text] = [query.toLowerCase(), name.toLowerCase()];
  const whole = text.indexOf(wanted);
  if (whole >= 0) return 1_000 + (startsWord(name, whole) ? 500 : 0) - whole;
  let score = 0;
  let at = -1;
  for (const letter of wanted) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return null;
    if (next === at + 1) score += 5;
    if (startsWord(name, next)) score += 10;
    score -= Math.min(5, next - at - 1);
    at = next;
  }
  return score;
}

function startsWord(name: string, at: number): boolean {
  const [before, letter] = [name[at - 1] ?? "/", name[at] ?? ""];
  if (/[^\p{L}\p{N}]/u.test(before)) return true;
  return /\p{Lu}/u.test(letter) && !/\p{Lu}/u.test(before);
}
