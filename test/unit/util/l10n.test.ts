import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { fromRoot } from "../../../scripts/tools.ts";
import { speak, t } from "../../../src/util/l10n.ts";

const bundle = JSON.parse(
  readFileSync(fromRoot("l10n", "bundle.l10n.json"), "utf8"),
) as Readonly<Record<string, string>>;

describe("words in the reader's language", () => {
  afterEach(() => speak({}));

  it("fill their slots, and leave one without a value as it is", () => {
    assert.equal(t("plain"), "plain");
    assert.equal(t("{0} of {1}", 1, "{0}"), "1 of {0}");
    assert.equal(t("{1}, then {0}", "a"), "{1}, then a");
  });

  it("are the English ones where the language has none", () => {
    speak({ "{0} of {1}": "von {1} {0}" });
    assert.equal(t("{0} of {1}", 1, 2), "von 2 1");
    assert.equal(t("{0} in all", 3), "3 in all");
  });

  it("are all that the chat and the timeline show", async () => {
    speak(
      Object.fromEntries(
        Object.keys(bundle).map((word) => [word, `⟦${word}⟧`]),
      ),
    );
    const chat = leaves({ words: await chatWords() }, "chat");
    const timeline = leaves(await anew("webview/timeline/words.ts"), "");
    assert.ok(chat.length > 400);
    assert.deepEqual(
      [...chat, ...timeline.filter(([name]) => told.test(name))].filter(
        ([name, text]) => !wordless.has(name) && !/^⟦.*⟧$/su.test(text),
      ),
      [],
    );
  });
});

/** Of the timeline; the others make text of whole turns. */
const told = /Words\.|^\.(?:countedMessages|countedTurns|turnName)/u;

/** Made of what others say, or nothing at all. */
const wordless = new Set([
  "chat.words.composer.sendKey()",
  "chat.words.batchType.user_request",
]);

/** Those of all areas: a file that puts them together would not load them anew. */
async function chatWords(): Promise<object> {
  const files = globSync("webview/chat/words/*Words.ts", { cwd: fromRoot() });
  const areas = await Promise.all(files.map(anew));
  const found = areas
    .flatMap((area) => Object.entries(area as object))
    .filter(([name]) => name.endsWith("Words"))
    .flatMap(([, words]) => Object.entries(words as object));
  return Object.fromEntries(found);
}

/** As a page loads it, with the words there are by now. */
async function anew(file: string): Promise<unknown> {
  const url = new URL(`../../../${file}?anew`, import.meta.url);
  return import(url.href);
}

const samples: readonly (readonly unknown[])[] = [
  [0, 0, false],
  [1, 1, 1],
  [2, 2, "x"],
  [undefined, 2, "x"],
];

function leaves(value: unknown, name: string): readonly [string, string][] {
  if (typeof value === "string") return [[name, value]];
  if (typeof value === "function") {
    if (!name.startsWith("chat.words") && !told.test(name)) return [];
    const say = value as (...given: readonly unknown[]) => string;
    return name === ".turnName"
      ? [null, 2].map((n) => [`${name}()`, say({ n })])
      : samples.map((given) => [`${name}()`, say(...given)]);
  }
  return Object.entries(value as object).flatMap(([key, inner]) =>
    leaves(inner, `${name}.${key}`),
  );
}
