import * as vscode from "vscode";
import type { ConfigOption } from "../core/agentFeatures.ts";
import type { ThreadSnapshot } from "../core/dispatch/changes.ts";
import type { Notice, ViewState } from "../protocol/viewState.ts";
import { t } from "../util/l10n.ts";
import {
  projectElicitation,
  projectPermission,
  projectQueue,
  projectStatus,
} from "./projectThread.ts";
import type { Services } from "./services.ts";
import { isNoFolderOpen } from "./workspaceFolders.ts";

/** What a view knows of the thread it shows. */
export interface Shown {
  /** The view's own name. */
  readonly view: string;
  readonly thread: string;
  /** Undefined for a thread that is only begun. */
  readonly snapshot: ThreadSnapshot | undefined;
  /** The newest options it was told of. */
  readonly options: readonly ConfigOption[] | undefined;
  readonly more: ViewState["more"];
  readonly notices: readonly Notice[];
}

/** All that a view shows but the transcript. */
export function aboutThread(
  services: Services,
  shown: Shown,
): Omit<ViewState, "messages" | "batches"> {
  const { book, catalog, drafts, settings, home } = services;
  const { view, thread, snapshot, more, notices } = shown;
  const about = snapshot?.thread ?? book.draft(thread);
  const { dispatch, enter, userName } = settings();
  const memory = drafts.memory(thread);
  return {
    thread:
      about === undefined
        ? null
        : {
            id: about.id,
            title: snapshot?.thread.title ?? "",
            agent: { id: about.agent, label: catalog.label(about.agent) },
            folder: about.folder,
            folderLabel: isNoFolderOpen()
              ? t("none is open")
              : vscode.workspace.asRelativePath(about.folder, true),
            held: snapshot?.thread.held ?? null,
          },
    threads: book.summaries(),
    more,
    ...projectQueue(snapshot?.queue, dispatch, view),
    status: projectStatus(snapshot?.status),
    permissions: (snapshot?.permissions ?? []).map(projectPermission),
    elicitations: (snapshot?.elicitations ?? []).map(projectElicitation),
    commands: snapshot?.commands ?? [],
    usage: snapshot?.usage ?? null,
    notices,
    readOnly: home.readOnly,
    settings: { enter, userName },
    agents: catalog.choices(),
    draft: drafts.get(thread),
    ...(memory === undefined ? {} : { memory }),
    options: [...optionsOf(services, about?.agent ?? "", shown)],
  };
}

/** What the agent offers, or offered when it last ran. */
function optionsOf(
  services: Services,
  agent: string,
  { options, snapshot }: Shown,
): readonly ConfigOption[] {
  const told = options ?? snapshot?.options ?? [];
  return told.length > 0 ? told : services.options.offered(agent);
}
