import type { AgentCatalog } from "./agentCatalog.ts";
import type { Drafts } from "./drafts.ts";
import type { Outcomes } from "./outcomes.ts";
import type { ThreadDefaults } from "./threadBook.ts";
import type { WorkspaceFolders } from "./workspaceFolders.ts";

interface Sources {
  readonly catalog: AgentCatalog;
  readonly folders: WorkspaceFolders;
  readonly outcomes: Outcomes;
  readonly drafts: Drafts;
}

/** What the list of threads asks for, from those who know it. */
export function threadDefaults({
  catalog,
  folders,
  outcomes,
  drafts,
}: Sources): ThreadDefaults {
  return {
    agent: () => catalog.defaultId(),
    folder: (kept) => folders.forNewThread(kept),
    settle: async (agent) => {
      if (agent === undefined) await catalog.settleDefault();
      await folders.loaded();
    },
    label: (agent) => catalog.label(agent),
    last: (thread) => outcomes.of(thread),
    unread: {
      read: () => drafts.unread(),
      write: (threads) => void drafts.setUnread(threads),
    },
    begun: {
      read: () => drafts.begun(),
      write: (begun) => void drafts.setBegun([...begun]),
    },
  };
}
