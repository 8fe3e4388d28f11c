/** ESC or its 8-bit kin, then: a string command up to its end (or the end of the text), a CSI sequence, or a short one. */
const sequences =
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[\s\S]*?(?:\u0007|\u001b\\|\u009c|$)|(?:\u001b\[|\u009b)[0-?]*[ -/]*(?:[@-~]|$)|\u001b[ -/]*[0-~]?/gu;
/** Everything else that is not text: C0 but tab and newline, DEL, C1, and marks that reorder what is read. */
const controls =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu;

/** Terminal output as a person would read it: no escape can move a cursor, name a link, set a title or hide a word. */
export function plainText(text: string): string {
  return text
    .replace(sequences, "")
    .replace(/\r+\n/gu, "\n")
    .split("\n")
    .map(lastWritten)
    .join("\n")
    .replace(controls, "");
}

/** A progress line rewrites itself from its start: what stays is its last version. */
function lastWritten(line: string): string {
  const versions = line.split("\r").filter((version) => version !== "");
  return versions.at(-1) ?? "";
}
