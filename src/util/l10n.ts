/** The words of the reader's language by the English ones; what is missing stays English. */
export type Words = Readonly<Record<string, string>>;

let spoken: Words = {};

/** To be called before anything else is imported: some words are made while a file is loaded. */
export function speak(words: Words): void {
  spoken = words;
}

/** What people read, in their language. `english` must be a literal: `scripts/l10n.ts` gathers them for translators. */
export function t(
  english: string,
  ...values: readonly (string | number)[]
): string {
  return (spoken[english] ?? english).replace(
    /\{(\d+)\}/gu,
    (slot, index: string) => String(values[Number(index)] ?? slot),
  );
}
