/** Numbers as they are read: tabular, short, never guessed. */

import { t } from "../../src/util/l10n.ts";

const pad = (n: number): string => String(n).padStart(2, "0");

/** 14:03 */
export function clockTime(at: number): string {
  const date = new Date(at);
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** 14:03:02 */
export function exactTime(at: number): string {
  return `${clockTime(at)}:${pad(new Date(at).getSeconds())}`;
}

/** 0:48 while something runs. */
export function running(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [h, m, s] = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ];
  return h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
}

/** 940, 18.4k, 212k, 1.2M */
export function compact(n: number): string {
  if (n < 1000) return String(Math.round(n));
  if (n < 99_950) return `${(n / 1000).toFixed(1)}k`;
  if (n < 999_500) return `${Math.round(n / 1000)}k`;
  return `${(n / 1_000_000).toFixed(1)}M`;
}

/** 212 B, 1.2 KB, 212 KB, 1.4 MB */
export function bytes(n: number): string {
  if (n < 1024) return `${Math.round(n)} B`;
  const kb = n / 1024;
  if (kb < 99.95) return `${kb.toFixed(1)} KB`;
  if (kb < 1023.5) return `${Math.round(kb)} KB`;
  return `${(kb / 1024).toFixed(1)} MB`;
}

/** When something last happened: now, 14:26, Mon, 3 Nov. */
export function when(at: number, now: number): string {
  if (now - at < 60_000) return t("now");
  const [then, today] = [new Date(at), new Date(now)];
  if (then.toDateString() === today.toDateString()) return clockTime(at);
  if (now - at < 6 * 86_400_000)
    return then.toLocaleDateString(undefined, { weekday: "short" });
  return then.toLocaleDateString(undefined, { day: "numeric", month: "short" });
}

/** A name with its direction overrides and control characters made visible, so that it reads as what it is. */
export function visible(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu,
    (hidden) =>
      `\\u${(hidden.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

/** Windows ends its lines with what would stand there as a sign of its own. */
export function unixLines(text: string): string {
  return text.replace(/\r+\n/gu, "\n");
}

/** What was spent, in the currency the agent names; small sums keep what makes them differ from nothing. */
export function money({
  amount,
  currency,
}: {
  readonly amount: number;
  readonly currency: string;
}): string {
  const digits = amount !== 0 && Math.abs(amount) < 1 ? 4 : 2;
  try {
    return new Intl.NumberFormat("en-US", {
      style: "currency",
      currency,
      minimumFractionDigits: 2,
      maximumFractionDigits: digits,
    }).format(amount);
  } catch {
    return `${amount.toFixed(digits)} ${currency}`;
  }
}
