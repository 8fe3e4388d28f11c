/** Names of git's taken into a glob: it must stay short enough to be matched. */
const mostNames = 500;

/** One glob for what settings such as `files.exclude` leave out, and for names relative to the same folder. */
export function excludeGlob(
  settings: readonly unknown[],
  names: readonly string[],
): string | undefined {
  const patterns = settings.flatMap((setting) =>
    Object.entries(setting ?? {}).flatMap(([pattern, on]) =>
      on === true ? [pattern] : [],
    ),
  );
  // A name that would read as a pattern is left in rather than taken for another.
  const plain = names
    .filter((name) => !/[[\]{}*?,!\\]/u.test(name))
    .slice(0, mostNames)
    .map((name) => name.replace(/\/$/u, ""));
  const all = new Set([...patterns, ...plain]);
  if (all.size === 0) return undefined;
  return `{${[...all].flatMap((one) => [one, `${one}/**`]).join(",")}}`;
}
