import path from "node:path";
import * as vscode from "vscode";
import type { ContextItem, Reply } from "../protocol/reply.ts";
import type { ContextPart } from "../protocol/toHost.ts";
import { fit } from "./composerContextMatch.ts";
import { partsNow, textOfPart } from "./contextParts.ts";
import { keepBytes } from "./keptBytes.ts";
import { projectFileList } from "./projectFileList.ts";
import type { Services } from "./services.ts";
import { t } from "../util/l10n.ts";

/** Items offered at once, of each kind; files looked at. */
const most = { files: 12, symbols: 6, threads: 4 };
const mostFiles = 20_000;
/** How long a list of files will do, and how long symbols are waited for, in milliseconds. */
const fresh = 10_000;
const patience = 400;

type Wanted = Pick<Services, "store" | "book" | "engine">;

/** What `@` in the composer can bring into a message. */
export class ComposerContext {
  readonly #services: Wanted;
  #files: readonly Place[] = [];
  #readAt = -Infinity;

  constructor(services: Wanted) {
    this.#services = services;
  }

  /** Files and folders by how well they fit, then symbols, then parts of the editor and past threads. */
  async find(query: string, thread: string): Promise<readonly ContextItem[]> {
    const [places, symbols] = await Promise.all([
      this.#places(),
      symbolsNamed(query),
    ]);
    const parts = partsNow().filter(({ name }) => fit(query, name) !== null);
    return [
      ...filesNamed(query, places),
      ...symbols,
      ...parts,
      ...this.#threads(query, thread),
    ];
  }

  /** The text of something that is read only now, as something to hang on a message. */
  async take(part: ContextPart): Promise<Reply> {
    const taken = await textOfPart(part, this.#services);
    if (!taken.ok) return { kind: "refused", message: taken.why };
    return keepBytes(this.#services.store, {
      name: taken.name,
      mimeType: "text/plain",
      data: new TextEncoder().encode(taken.text),
    });
  }

  /** Words of a title, not letters here and there: there may be many threads. */
  #threads(query: string, thread: string): readonly ContextItem[] {
    return this.#services.book
      .summaries()
      .filter(({ id }) => id !== thread)
      .filter(({ title }) => title.toLowerCase().includes(query.toLowerCase()))
      .slice(0, most.threads)
      .map(({ id, title }) => ({
        kind: "thread",
        name: title === "" ? t("New thread") : title,
        detail: t("past thread"),
        part: { kind: "thread", id },
      }));
  }

  async #places(): Promise<readonly Place[]> {
    if (Date.now() - this.#readAt < fresh) return this.#files;
    const uris = await projectFileList(mostFiles);
    const folders = new Map<string, Place>();
    const files = uris.map((uri): Place => {
      const where = vscode.workspace.asRelativePath(uri);
      let [folder, relative] = [uri, where];
      for (;;) {
        folder = vscode.Uri.joinPath(folder, "..");
        relative = path.dirname(relative);
        if (relative === "." || folders.has(relative)) break;
        folders.set(relative, {
          kind: "folder",
          name: `${path.basename(relative)}/`,
          path: relative,
          uri: folder.toString(),
        });
      }
      return {
        kind: "file",
        name: path.basename(where),
        path: where,
        uri: uri.toString(),
      };
    });
    this.#files = [...files, ...folders.values()];
    this.#readAt = Date.now();
    return this.#files;
  }
}

interface Place {
  readonly kind: "file" | "folder";
  readonly name: string;
  readonly path: string;
  readonly uri: string;
}

/** With nothing typed yet, what is open comes first. */
function filesNamed(
  query: string,
  places: readonly Place[],
): readonly ContextItem[] {
  const open = new Set(openFiles());
  const found =
    query === ""
      ? [
          ...places.filter(({ uri }) => open.has(uri)),
          ...places.filter(({ uri }) => !open.has(uri)),
        ]
      : best(query, places);
  return found.slice(0, most.files).map(({ kind, name, path: where, uri }) => ({
    kind: open.has(uri) ? "editor" : kind,
    name,
    detail: path.dirname(where) === "." ? "" : path.dirname(where),
    attachment: { kind: "file", uri, name },
  }));
}

/** A name counts for more than the folders it is in. */
function best(query: string, places: readonly Place[]): readonly Place[] {
  return places
    .flatMap((place) => {
      const [name, whole] = [fit(query, place.name), fit(query, place.path)];
      if (name === null && whole === null) return [];
      return [{ place, score: Math.max((name ?? -1e6) + 200, whole ?? -1e6) }];
    })
    .sort(
      (a, b) => b.score - a.score || a.place.path.length - b.place.path.length,
    )
    .map(({ place }) => place);
}

function openFiles(): readonly string[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputText ? [input.uri.toString()] : [],
    );
}

/** A language that takes its time is not waited for: the files are there already. */
async function symbolsNamed(query: string): Promise<readonly ContextItem[]> {
  if (query.length < 2) return [];
  const found = await Promise.race([
    vscode.commands.executeCommand<readonly vscode.SymbolInformation[]>(
      "vscode.executeWorkspaceSymbolProvider",
      query,
    ),
    new Promise<readonly vscode.SymbolInformation[]>((resolve) => {
      setTimeout(() => resolve([]), patience);
    }),
  ]);
  return found
    .filter(
      ({ name, location }) =>
        location.uri.scheme === "file" && fit(query, name) !== null,
    )
    .slice(0, most.symbols)
    .map(({ name, location }) => {
      const { uri, range } = location;
      const [from, to] = [range.start.line + 1, range.end.line + 1];
      const lines = to > from ? `${from}-${to}` : `${from}`;
      const where = vscode.workspace.asRelativePath(uri);
      return {
        kind: "symbol",
        name,
        detail: `${where}:${lines}`,
        attachment: {
          kind: "file",
          uri: uri.with({ fragment: `L${lines}` }).toString(),
          name: `${name} (${path.basename(where)}:${lines})`,
        },
      };
    });
}
