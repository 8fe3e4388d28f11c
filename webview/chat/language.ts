import { speak } from "../../src/util/l10n.ts";
import type { Words } from "../../src/util/l10n.ts";

// Imported for this alone, before everything else that has words. The host wrote it into the page.
const told = document.getElementById("words")?.textContent;
if (told) speak(JSON.parse(told) as Words);
