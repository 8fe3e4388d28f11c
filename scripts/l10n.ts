// Gathers what `t` is called with into l10n/bundle.l10n.json, where translators find it.
import { mkdirSync, writeFileSync } from "node:fs";
import "./nls.ts";
import { gatherWords } from "./words.ts";
import { fromRoot } from "./tools.ts";

const words = gatherWords();
mkdirSync(fromRoot("l10n"), { recursive: true });
writeFileSync(
  fromRoot("l10n", "bundle.l10n.json"),
  `${JSON.stringify(Object.fromEntries(words.map((word) => [word, word])), undefined, 2)}\n`,
);
console.log(`${words.length} words in l10n/bundle.l10n.json`);
