/** A stretch of terminal output of one colour. */
export interface Stretch {
  readonly text: string;
  readonly style: string;
}

const colours = [
  "black",
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  "white",
] as const;

// CSI (also one cut off), OSC (ended by BEL or ST, or cut off with its line), other string sequences, and two-character escapes.
const escape =
  /\u001b(?:\[([0-9;:?<=>]*)[ -/]*([@-~])|\[[0-9;:?<=>]*[ -/]*$|\][^\u0007\u001b\n]*(?:\u0007|\u001b\\|(?=\n)|$)|[PX^_][^\u001b]*(?:\u001b\\|$)|[ -/]*[0-~]|$)/gu;

/** Terminal output with its colours kept and every other control sequence taken out. */
export function stretches(output: string): readonly Stretch[] {
  const made: Stretch[] = [];
  let style = "";
  let at = 0;
  const put = (raw: string): void => {
    const text = clean(raw);
    if (text === "") return;
    const last = made.at(-1);
    if (last?.style === style)
      made[made.length - 1] = { style, text: last.text + text };
    else made.push({ style, text });
  };
  for (const match of output.matchAll(escape)) {
    put(output.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[2] === "m") style = restyled(style, match[1] ?? "");
  }
  put(output.slice(at));
  return made;
}

/** A line that was rewritten by carriage returns shows as it last stood. */
function clean(text: string): string {
  return text
    .replace(/\r+\n/gu, "\n")
    .replace(/[^\n]*\r(?!$)/gu, "")
    .replace(
      // Controls, and the marks that change the direction of what follows.
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
      "",
    );
}

function restyled(style: string, codes: string): string {
  let [bold, colour] = [style.includes("a-bold"), colourOf(style)];
  const list = codes.split(/[;:]/u).map(Number);
  for (let i = 0; i < list.length; i++) {
    const code = list[i] ?? 0;
    if (code === 0) [bold, colour] = [false, ""];
    else if (code === 1) bold = true;
    else if (code === 22) bold = false;
    else if (code === 39) colour = "";
    else if (code >= 30 && code <= 37) colour = `a-${colours[code - 30] ?? ""}`;
    else if (code >= 90 && code <= 97) colour = `a-${colours[code - 90] ?? ""}`;
    else if (code === 38 || code === 48) i += list[i + 1] === 5 ? 2 : 4;
  }
  return [colour, bold ? "a-bold" : ""].filter((name) => name !== "").join(" ");
}

function colourOf(style: string): string {
  return style.split(" ").find((name) => name !== "a-bold") ?? "";
}
