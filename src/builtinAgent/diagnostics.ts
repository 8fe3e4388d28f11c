import { isObject } from "./record.ts";

export interface Diagnostic {
  /** As it was written: a path or an address. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly severity: Severity;
  readonly message: string;
  readonly code?: string;
}

export type Severity = "error" | "warning" | "info";

/** Diagnostics in a text: as compilers print them, or as VS Code and language servers write them in JSON. */
export function parseDiagnostics(text: string): readonly Diagnostic[] {
  const found = text
    .slice(0, longest)
    .split(/\r?\n/)
    .flatMap((line) => (line.length > longestLine ? [] : parseLine(line)));
  return found.length > 0 ? found : parseJson(text);
}

const longest = 256 * 1024;
const longestLine = 2_000;

const path = String.raw`(?<file>(?:[A-Za-z]:)?[^\s:()"'<>|]+)`;
const severity = String.raw`(?<severity>fatal error|error|warning|warn|info|information|note|hint)`;
const codePart = String.raw`(?:\[?(?<code>[A-Za-z]{1,10}\d{1,6}|[a-z@][\w-]*\/[\w/-]+)\]?)`;

const forms: readonly RegExp[] = [
  // src/a.ts(3,5): error TS2304: Cannot find name
  new RegExp(
    `${path}\\((?<line>\\d+)(?:,\\d+)*\\)\\s*:\\s*${severity}\\s*${codePart}?\\s*:?\\s*(?<message>\\S.*)$`,
    "i",
  ),
  // src/a.ts:3:5 - error TS2304: Cannot find name
  new RegExp(
    `${path}:(?<line>\\d+)(?::\\d+)?\\s*[:-]?\\s*${severity}\\b\\s*${codePart}?\\s*:?\\s*(?<message>\\S.*)$`,
    "i",
  ),
  // error src/a.ts:3:5 Cannot find name
  new RegExp(
    `${severity}:?\\s*(?:in|at)?\\s+${path}:(?<line>\\d+)(?::\\d+)?\\s*[:-]?\\s*(?<message>\\S.*)$`,
    "i",
  ),
  // src/a.py:3:5: F401 imported but unused
  new RegExp(
    `^\\s*${path}:(?<line>\\d+):\\d+:\\s*${codePart}\\s+(?<message>\\S.*)$`,
  ),
];

function parseLine(line: string): readonly Diagnostic[] {
  for (const form of forms) {
    const groups = form.exec(line)?.groups;
    if (groups === undefined) continue;
    const message = groups["message"]?.trim() ?? "";
    const tail = /^(.*\S)\s+[([](?:\w+ )?([\w@/-]+)[)\]]$/.exec(message);
    const code = groups["code"] ?? tail?.[2];
    return [
      {
        file: groups["file"] ?? "",
        line: Number(groups["line"]),
        severity: severityOf(groups["severity"] ?? "warning"),
        message: tail?.[1] ?? message,
        ...(code !== undefined && { code }),
      },
    ];
  }
  return [];
}

function parseJson(text: string): readonly Diagnostic[] {
  const from = text.search(/[[{]/);
  const to = Math.max(text.lastIndexOf("]"), text.lastIndexOf("}"));
  if (from < 0 || to <= from) return [];
  try {
    const value: unknown = JSON.parse(text.slice(from, to + 1));
    return collect(value, undefined);
  } catch {
    return [];
  }
}

/** A list of diagnostics, or files that hold such a list. */
function collect(
  value: unknown,
  file: string | undefined,
): readonly Diagnostic[] {
  if (Array.isArray(value)) return value.flatMap((item) => collect(item, file));
  if (!isObject(value)) return [];
  const own = ["resource", "uri", "file", "path", "filePath", "fileName"]
    .map((key) => value[key])
    .find((name) => typeof name === "string");
  const where = own ?? file;
  const { message, code } = value;
  if (typeof message !== "string" || where === undefined)
    return Object.values(value).flatMap((inner) =>
      Array.isArray(inner) ? collect(inner, where) : [],
    );
  const told = isObject(code) ? code["value"] : (code ?? value["ruleId"]);
  return [
    {
      file: where,
      line: lineOf(value),
      severity: severityOf(value["severity"], "startLineNumber" in value),
      message,
      ...((typeof told === "string" || typeof told === "number") && {
        code: String(told),
      }),
    },
  ];
}

function lineOf(value: Readonly<Record<string, unknown>>): number {
  const { range } = value;
  const start = isObject(range) ? range["start"] : undefined;
  if (isObject(start) && typeof start["line"] === "number")
    return start["line"] + 1;
  const line = value["startLineNumber"] ?? value["line"];
  return typeof line === "number" && line > 0 ? line : 1;
}

/** Markers of VS Code count 8, 4, 2, 1; language servers 1, 2, 3, 4. */
function severityOf(value: unknown, isMarker = false): Severity {
  if (typeof value === "string")
    return /error/i.test(value)
      ? "error"
      : /warn/i.test(value)
        ? "warning"
        : "info";
  if (isMarker || value === 8)
    return value === 8 ? "error" : value === 4 ? "warning" : "info";
  return value === 2
    ? "warning"
    : value === 3 || value === 4
      ? "info"
      : "error";
}
