import { parseEditPhrase } from "./editRequest.ts";
import { isGlob } from "./glob.ts";
import { extensionsOf } from "./languages.ts";
import { takeRange } from "./lineRange.ts";
import type { Request } from "./request.ts";
import { parseTarget } from "./target.ts";
import { parseTextSearch, splitPlace } from "./textSearch.ts";
import { isQuoted, looksLikePath, unquote } from "./words.ts";

/** A request in plain English, by fixed rules; undefined when none of them fits. */
export function parsePhrase(message: string): Request | undefined {
  const text = message.trim();
  const edit = parseEditPhrase(politely(text));
  if (edit !== undefined) return edit;
  if (text.includes("\n")) return undefined;
  const phrase = politely(text)
    .replace(/\s+please$/i, "")
    .replace(/[\s?!.]+$/, "");
  for (const rule of rules) {
    const match = rule.when.exec(phrase);
    const request =
      match === null ? undefined : rule.then((match[1] ?? "").trim());
    if (request !== undefined) return request;
  }
  return undefined;
}

const courtesy =
  /^(?:(?:hi|hello|hey|ok(?:ay)?|so|now|well|actually|wait|also|please|just|and)[,!.]?\s+|(?:can|could|would|will)\s+you\s+(?:please\s+)?|i(?:'d| would)\s+like\s+(?:you\s+)?to\s+|i\s+(?:want|need)\s+(?:you\s+)?to\s+|let'?s\s+)/i;

function politely(text: string): string {
  let rest = text;
  for (let times = 0; times < 5; times++) {
    const shorter = rest.replace(courtesy, "");
    if (shorter === rest) break;
    rest = shorter;
  }
  return rest;
}

interface Rule {
  readonly when: RegExp;
  readonly then: (rest: string) => Request | undefined;
}

const place =
  "(?:workspace|project|repo(?:sitory)?|code\\s?base|folder|directory|app(?:lication)?|package)";
const these = "(?:this|the|my|our|the current)";

/** Tried in order; the first that gives a request wins. */
const rules: readonly Rule[] = [
  {
    when: /^(?:help|hi|hello|hey|commands|what can (?:you|i) do|who are you|what are you|how does this work|what do you do|how do i use (?:you|this))$/i,
    then: () => ({ kind: "help" }),
  },
  { when: /^(?:run|execute)\s+(.+)$/i, then: runRequest },
  {
    when: /^(?:explain|show|list|describe|what|which|why|are there|any)\b.*\b(?:diagnostics|problems|errors?|warnings?|squiggles)\b.*$/i,
    then: () => ({ kind: "diagnostics" }),
  },
  {
    when: /^(?:diagnostics|problems|errors)$/i,
    then: () => ({ kind: "diagnostics" }),
  },
  {
    when: new RegExp(`^search\\s+${these}\\s+${place}\\s+for\\s+(.+)$`, "i"),
    then: parseTextSearch,
  },
  {
    when: /^(?:search|grep|scan|look)\s+(?:for\s+)?(?:files?\s+(?:named|called|matching)\s+)(.+)$/i,
    then: (rest) => ({ kind: "find", pattern: unquote(rest), orText: false }),
  },
  {
    when: /^(?:search|grep|scan|look)\s+(?:(?:for|through)\s+)?(.+)$/i,
    then: parseTextSearch,
  },
  {
    when: /^where\s+(?:is|are|do(?:es)?|do we|did we)\s+(.+?)\s+(?:used|called|defined|declared|mentioned|referenced|imported|set|implemented|appear|occur|come from)$/i,
    then: parseTextSearch,
  },
  {
    when: /^(?:which|what)\s+files?\s+(?:contains?|mentions?|uses?|imports?|references?|has|have|includes?)\s+(.+)$/i,
    then: parseTextSearch,
  },
  {
    when: /^(?:find|show|list)\s+(?:me\s+)?(?:all\s+|every\s+|the\s+)*(?:usages?|uses|references?|occurrences?|mentions?|instances?)\s+(?:of|to)\s+(.+)$/i,
    then: parseTextSearch,
  },
  {
    when: new RegExp(
      `^(?:what|which|describe|summari[sz]e|overview|give|explain|tell|show|look|analy[sz]e|explore|inspect)\\b.*\\b${these}\\s+${place}(?:\\s+(?:about|do|does|contain|is|look like))?$`,
      "i",
    ),
    then: () => ({ kind: "workspace" }),
  },
  {
    when: /^(?:workspace|overview|summary|what(?:'s| is) (?:this|here|in here)|what do we have here|where am i|list (?:the )?workspace)$/i,
    then: () => ({ kind: "workspace" }),
  },
  {
    when: /^(?:find|list|show|locate|get|which)\s+(?:me\s+)?(?:all\s+|every\s+|any\s+|the\s+|of\s+)*(?:files?|file names)(?:\s+(.*))?$/i,
    then: fileRequest,
  },
  {
    when: /^(?:find|list|show|locate|get)\s+(?:me\s+)?(?:all\s+|every\s+|any\s+|the\s+|of\s+)*(\S+)\s+files?$/i,
    then: kindOfFiles,
  },
  {
    when: /^(?:ls|list|what(?:'s| is| are)(?:\s+the\s+files)?\s+(?:in|inside|under))\s+(.+)$/i,
    then: (rest) => readRequest(rest.replace(/\s+(?:folder|directory)$/i, "")),
  },
  {
    when: /^(?:read|show|open|print|cat|display|view|dump|type)\s+(?:me\s+)?(.+)$/i,
    then: readRequest,
  },
  { when: /^(?:find|locate|where(?:'s| is| are))\s+(.+)$/i, then: findRequest },
];

/** Only what is plainly a command: "run the tests" names none. */
function runRequest(rest: string): Request | undefined {
  const command = isQuoted(rest)
    ? unquote(rest)
    : rest.replace(/^(?:the\s+)?command:?\s+/i, "");
  return /^(?:the|my|all|this|that|a|some|it|them)\b/i.test(command)
    ? undefined
    : { kind: "run", command: unquote(command) };
}

function fileRequest(rest: string): Request | undefined {
  const { what, within } = splitPlace(
    ` files ${rest.replace(/\bend(?:s|ing)?\s+(?:in|with)\s+/i, "named ")}`,
  );
  const name = what
    .replace(/^\s*files\s*/, "")
    .replace(
      /^(?:(?:that|which|whose|with)\s+)?(?:(?:the\s+)?names?\s+)?(?:are\s+|is\s+)?(?:(?:named|called|matching|match|like|containing|contains?|with|for)\s*:?\s*)*/i,
      "",
    )
    .trim();
  if (name === "" && within === undefined)
    return { kind: "find", pattern: "*", orText: false };
  if (/\s/.test(name) && !isQuoted(name)) return undefined;
  const pattern = /^\.\w+$/.test(name) ? `*${name}` : unquote(name);
  if (within === undefined) return { kind: "find", pattern, orText: false };
  const below = isGlob(within) ? within : `${within.replace(/\/$/, "")}/**`;
  const tail =
    pattern === "" ? "*" : isGlob(pattern) ? pattern : `*${pattern}*`;
  return {
    kind: "find",
    pattern: isGlob(within) ? below : `${below}/${tail}`,
    orText: false,
  };
}

function kindOfFiles(kind: string): Request {
  const extensions = extensionsOf(kind);
  const pattern =
    extensions.length > 0
      ? `*.{${extensions.join(",")},}`
      : kind.startsWith(".")
        ? `*${kind}`
        : unquote(kind);
  return { kind: "find", pattern, orText: false };
}

function readRequest(written: string): Request | undefined {
  const { rest, range } = takeRange(written);
  const name = rest
    .replace(/^(?:me\s+)?(?:the\s+)?(?:contents?\s+of\s+)/i, "")
    .replace(/^(?:the\s+)?(?:files?|folder|directory)\s+(?=\S)/i, "")
    .trim();
  const target = parseTarget(name);
  const limits = range && { range };
  if (target !== undefined) return { kind: "read", target, ...limits };
  const path = unquote(
    name.replace(/^(?:the|my|our)\s+/i, "").replace(/\s+file$/i, ""),
  );
  const plain = isQuoted(name) || !/\s/.test(path);
  return path !== "" && plain
    ? { kind: "read", target: { kind: "path", path }, ...limits }
    : undefined;
}

/** A name of a file, or else a text to search for. */
function findRequest(rest: string): Request | undefined {
  if (isQuoted(rest) && !looksLikePath(unquote(rest)) && !isGlob(rest))
    return parseTextSearch(rest);
  const { what, within } = splitPlace(rest);
  if (within !== undefined) return parseTextSearch(rest);
  const name = unquote(what.replace(/^(?:the|my|our|all|any)\s+/i, ""));
  if (/\s/.test(name)) return parseTextSearch(what);
  return name === ""
    ? undefined
    : {
        kind: "find",
        pattern: name,
        orText: !isGlob(name) && !looksLikePath(name),
      };
}
