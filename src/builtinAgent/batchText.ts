/** One message of a batch as it stands in the prompt's text. */
export interface BatchMessage {
  readonly from: string;
  readonly text: string;
  /** Numbers of its attachments, counted from 1 over the blocks that follow. */
  readonly attached: readonly number[];
}

/**
 * Messages that waited together come as one text: a banner, then an element each. Where a text could
 * pass for a tag, the tags carry a key that the banner names, and nothing else is a tag.
 */
export function readTagged(text: string): readonly BatchMessage[] | undefined {
  const key = bannerKey(text);
  if (key === undefined) return undefined;
  const tail = key === "" ? "" : `-${key}`;
  const lines = text.split("\n");
  const opens = new RegExp(`^<message${tail}((?: \\w+="[^"]*")*)>$`);
  const attachment = new RegExp(`^<attachment${tail} index="(\\d+)".*/>$`);
  const closes = `</message${tail}>`;
  const found: BatchMessage[] = [];
  for (let at = 0; at < lines.length; at++) {
    const open = opens.exec(lines[at] ?? "");
    if (open === null) continue;
    const end = lines.indexOf(closes, at + 1);
    if (end < 0) break;
    const body = lines.slice(at + 1, end);
    const attached = body.flatMap((line) => {
      const index = attachment.exec(line)?.[1];
      return index === undefined ? [] : [Number(index)];
    });
    found.push({
      from: attribute(open[1] ?? "", "from"),
      text: body.filter((line) => !attachment.test(line)).join("\n"),
      attached,
    });
    at = end;
  }
  return found.length > 0 ? found : undefined;
}

/** In the other form the banner stands alone, and each message's blocks follow a one-line header. */
export function isBanner(text: string): boolean {
  return bannerKey(text) !== undefined && !text.trim().includes("\n");
}

export function readHeader(
  text: string,
  banner: string,
): { readonly from: string } | undefined {
  const key = bannerKey(banner) ?? "";
  const tail = key === "" ? "" : `, key ${key}`;
  const match = /^\[Message \d+ of \d+ from "([^"]*)"(.*)\]$/.exec(text);
  return match?.[2] === tail ? { from: unescape(match[1] ?? "") } : undefined;
}

/** Empty when it names none; undefined when the text does not begin with a banner. */
function bannerKey(text: string): string | undefined {
  const banner = /^\[Batched: \d+ messages[^\n]*\]/.exec(text)?.[0];
  if (banner === undefined) return undefined;
  return / with the key ([0-9a-f]{8,})\b/.exec(banner)?.[1] ?? "";
}

function attribute(attributes: string, name: string): string {
  return unescape(new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? "");
}

function unescape(text: string): string {
  return text.replaceAll(/&#(\d{1,7});/g, (whole, digits: string) => {
    const point = Number(digits);
    return point <= 0x10_ff_ff ? String.fromCodePoint(point) : whole;
  });
}
