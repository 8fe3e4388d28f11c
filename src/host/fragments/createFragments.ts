import type { AboutTurn } from "../../core/dispatch/lives.ts";
import type { Engine } from "../../core/engine.ts";
import type { Fragment } from "../../core/compile/types.ts";
import type { Message } from "../../core/message.ts";
import type { Log, Store } from "../../core/ports.ts";
import type { Thread } from "../../core/thread.ts";
import type { Disposable } from "../../util/disposables.ts";
import type { AgentCatalog } from "../agentCatalog.ts";
import type { ContextSettings } from "../settings.ts";
import { Delegations } from "./delegations.ts";
import { Fragments, type FragmentSources } from "./fragments.ts";
import { PlanBook } from "./planBook.ts";
import { ProjectFiles } from "./projectFiles.ts";
import type { EditorWatch } from "./readEditor.ts";

export interface FragmentParts {
  readonly store: Pick<Store, "page">;
  readonly catalog: Pick<AgentCatalog, "find">;
  readonly settings: () => ContextSettings;
  readonly roots: () => readonly string[];
  readonly readsItself: FragmentSources["readsItself"];
  readonly editor: Pick<EditorWatch, "read">;
  readonly log: Log;
}

export interface MadeFragments {
  of(thread: Thread, about?: AboutTurn): Promise<readonly Fragment[]>;
  /** The engine needs fragments to start, and they need to know what it does from then on. */
  follow(engine: Engine): Disposable;
}

export function createFragments(parts: FragmentParts): MadeFragments {
  let followed: Engine | undefined;
  const plans = new PlanBook(parts.store);
  const delegations = new Delegations({
    title: (thread) => followed?.snapshot(thread)?.thread.title,
    recorded: () => newestRows(parts.store, followed),
  });
  const fragments = new Fragments({
    settings: parts.settings,
    roots: parts.roots,
    readsItself: parts.readsItself,
    agent: (id) => parts.catalog.find(id),
    files: new ProjectFiles(),
    ...{ plans, delegations },
    editor: (thread) => parts.editor.read(thread),
    log: parts.log,
  });
  return {
    of: (thread, about) => fragments.of(thread, about),
    follow: (engine) => {
      followed = engine;
      const dispose = engine.onChange((change) => {
        plans.take(change);
        delegations.take(change);
      });
      return { dispose };
    },
  };
}

/** Looked through for what was handed over before this window opened. */
const mostThreads = 30;
const mostRows = 100;

async function newestRows(
  store: FragmentParts["store"],
  engine: Engine | undefined,
): Promise<readonly Message[]> {
  const threads = (engine?.threads() ?? [])
    .filter(({ archived }) => !archived)
    .toSorted((one, other) => other.updatedAt - one.updatedAt)
    .slice(0, mostThreads);
  const rows = await Promise.all(
    threads.map(async ({ id }) => {
      const queue = engine?.snapshot(id)?.queue.items ?? [];
      const { messages } = await store.page(id, { limit: mostRows });
      return [...messages, ...queue.map(({ message }) => message)];
    }),
  );
  return rows.flat();
}
