/** Inline code that survives backticks and newlines in what it shows. */
export function code(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ");
  const ticks = "`".repeat(longestRun(flat) + 1);
  const pad = ticks.length > 1 ? " " : "";
  return `${ticks}${pad}${flat}${pad}${ticks}`;
}

/** A fenced block whose fence no line of the text can close. */
export function fence(text: string, language = ""): string {
  const ticks = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${ticks}${language}\n${text.replace(/\n$/, "")}\n${ticks}`;
}

/** Plain text as markdown that shows it unchanged. */
export function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_[\]<>#~|]/g, String.raw`\$&`);
}

export function quote(text: string): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** "1 file", "3 files", "1,204 files". */
export function count(
  number: number,
  noun: string,
  plural = `${noun}s`,
): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? noun : plural}`;
}

export function bytes(size: number): string {
  if (size < 1024) return count(size, "byte");
  const kilo = size / 1024;
  return kilo < 1024
    ? `${kilo.toFixed(kilo < 10 ? 1 : 0)} KB`
    : `${(kilo / 1024).toFixed(1)} MB`;
}

/** "a, b and c". */
export function listing(items: readonly string[]): string {
  return items.length < 2
    ? items.join("")
    : `${items.slice(0, -1).join(", ")} and ${items.at(-1) ?? ""}`;
}

/** Cut to `limit` characters, never inside a surrogate pair. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit - 1);
  return `${head.replace(/[\uD800-\uDBFF]$/, "")}…`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
