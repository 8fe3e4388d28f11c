/** What is being named with `@` before the cursor, and where it stands in the text. */
export interface Mention {
  readonly query: string;
  readonly start: number;
  readonly end: number;
}

/** An `@` counts at the start of a word; a space ends it. */
export function mentionAt(text: string, cursor: number): Mention | undefined {
  const found = /(?:^|\s)@([^\s@]*)$/u.exec(text.slice(0, cursor));
  if (found === null) return undefined;
  const query = found[1] ?? "";
  return { query, start: cursor - query.length - 1, end: cursor };
}

/** The text without what was named: it hangs on the message instead. */
export function withoutMention(text: string, { start, end }: Mention): string {
  return text.slice(0, start) + text.slice(end);
}

/** A name in stretches: those that fit what was typed, and the rest. */
export function hits(
  query: string,
  name: string,
): readonly { readonly text: string; readonly hit: boolean }[] {
  const [wanted, text] = [query.toLowerCase(), name.toLowerCase()];
  const marked = new Set<number>();
  const whole = wanted === "" ? -1 : text.indexOf(wanted);
  if (whole >= 0) for (let i = 0; i < wanted.length; i++) marked.add(whole + i);
  else {
    let at = -1;
    for (const letter of wanted) {
      at = text.indexOf(letter, at + 1);
      if (at < 0) return [{ text: name, hit: false }];
      marked.add(at);
    }
  }
  const parts: { text: string; hit: boolean }[] = [];
  for (let i = 0; i < name.length; i++) {
    const hit = marked.has(i);
    const last = parts.at(-1);
    if (last?.hit === hit) last.text += name.charAt(i);
    else parts.push({ text: name.charAt(i), hit });
  }
  return parts;
}
