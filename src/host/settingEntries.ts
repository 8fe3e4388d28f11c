import type * as z from "zod";

export interface Entries<T> {
  readonly good: readonly (readonly [name: string, entry: T])[];
  /** What is wrong with the others. */
  readonly bad: readonly (readonly [name: string, why: string])[];
}

/** The entries of a setting that is an object: one bad entry leaves the others as they are. */
export function readEntries<T>(
  value: unknown,
  schema: z.ZodType<T>,
): Entries<T> {
  const given =
    typeof value === "object" && value !== null ? Object.entries(value) : [];
  const good: [string, T][] = [];
  const bad: [string, string][] = [];
  for (const [name, entry] of given) {
    const parsed = schema.safeParse(entry);
    if (parsed.success) good.push([name, parsed.data]);
    else bad.push([name, why(parsed.error)]);
  }
  return { good, bad };
}

function why({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) =>
      path.length === 0 ? message : `${path.join(".")}: ${message}`,
    )
    .join("; ");
}
