import type { Engine } from "../core/engine.ts";
import type { Log } from "../core/ports.ts";
import type { History } from "../core/recordPort.ts";
import type { AgentCatalog } from "./agentCatalog.ts";
import type { UndoneCompactions } from "./compactHistory.ts";
import type { Drafts } from "./drafts.ts";
import type { Desk } from "./desk.ts";
import type { Home } from "./home.ts";
import type { OptionMemory } from "./optionMemory.ts";
import type { Prompts } from "./preview.ts";
import type { ReadyAgents } from "./readyAgents.ts";
import type { Settings } from "./settings.ts";
import type { ThreadBook } from "./threadBook.ts";

/** What the host's parts share; made once, in `activate()`. */
export interface Services {
  readonly engine: Engine;
  readonly store: History;
  readonly book: ThreadBook;
  readonly catalog: AgentCatalog;
  readonly ready: ReadyAgents;
  readonly drafts: Drafts;
  readonly desk: Desk;
  readonly prompts: Prompts;
  readonly undone: UndoneCompactions;
  readonly log: Log;
  /** Leaves the user's secrets out of a text that leaves the record. */
  readonly hide: (text: string) => string;
  readonly settings: () => Settings;
  readonly userName: (thread: string) => Promise<string>;
  readonly home: Home;
  readonly options: OptionMemory;
}
