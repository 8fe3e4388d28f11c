import * as vscode from "vscode";
import type { ThreadChange, ThreadSnapshot } from "../core/dispatch/changes.ts";
import { took } from "../util/took.ts";
import type { ChatSurfaces, Reveal } from "./chatSurfaces.ts";
import type { Outcome, Outcomes } from "./outcomes.ts";
import type { Services } from "./services.ts";
import { worthTelling, type Happening, type Looking } from "./worthTelling.ts";
import { t } from "../util/l10n.ts";

type Needs = Pick<Services, "engine" | "book" | "settings">;

/** Tells of turns that end and of questions while the user looks elsewhere; of a thread once until it was looked at. */
export function keepNotifying(
  surfaces: ChatSurfaces,
  { engine, book, settings }: Needs,
  outcomes: Outcomes,
): vscode.Disposable {
  /** What was told of a thread since it was last in view. */
  const told = new Map<string, Happening["kind"]>();
  const looking = (thread: string): Looking =>
    !book.isSeen(thread)
      ? "hidden"
      : vscode.window.state.focused
        ? "here"
        : "away";

  const tell = async (thread: string, what: Happening): Promise<void> => {
    const now = looking(thread);
    const before = told.get(thread);
    if (before === "needsYou" || before === what.kind) return;
    if (!worthTelling(what, now, settings().notifications)) return;
    told.set(thread, what.kind);
    const title = engine.snapshot(thread)?.thread.title ?? "";
    const chosen = await vscode.window.showInformationMessage(
      sentence(title === "" ? t("New thread") : shortened(title), what),
      t("Show"),
    );
    // It is closed: there is room for another.
    if (told.get(thread) === what.kind) told.delete(thread);
    if (chosen !== undefined)
      await surfaces.reveal(thread, placeOf(engine.snapshot(thread)));
  };

  const onChange = (change: ThreadChange): void => {
    const { thread } = change;
    if (change.kind === "permissionOpened")
      void tell(thread, { kind: "needsYou", what: change.permission.title });
    else if (change.kind === "elicitationOpened")
      void tell(thread, {
        kind: "needsYou",
        what: change.opened.request.message,
      });
    else if (change.kind === "notice" && change.notice.code === "held")
      void tell(thread, { kind: "needsYou", what: change.notice.text });
  };
  const onEnd = (thread: string, outcome: Outcome): void => {
    const { turn, queue } = engine.snapshot(thread) ?? {};
    // It goes on by itself: the last of them is told.
    const goesOn = queue?.held === null && queue.items.length > 0;
    if (turn !== null || goesOn) return;
    void tell(thread, { kind: "ended", ...outcome });
  };
  const seen = (): void => {
    for (const thread of [...told.keys()])
      if (looking(thread) === "here") told.delete(thread);
  };
  return vscode.Disposable.from(
    { dispose: engine.onChange(onChange) },
    {
      dispose: outcomes.onHeard((thread, outcome, when) => {
        if (when === "now") onEnd(thread, outcome);
      }),
    },
    surfaces.onFront(seen),
    vscode.window.onDidChangeWindowState(seen),
  );
}

function sentence(title: string, what: Happening): string {
  if (what.kind === "needsYou")
    return t('"{0}" needs you. {1}', title, what.what);
  const after = took(what.ms);
  switch (what.status) {
    case "completed":
      return t('"{0}" is done after {1}.', title, after);
    case "failed":
      return t('"{0}" failed after {1}.', title, after);
    case "interrupted":
      return t('"{0}" was interrupted after {1}.', title, after);
    case "cancelled":
    case "collecting":
    case "processing":
      return t('"{0}" has stopped.', title);
  }
}

/** The open question, if there is one still. */
function placeOf(snapshot: ThreadSnapshot | undefined): Reveal {
  const { permissions = [], elicitations = [] } = snapshot ?? {};
  return permissions.length + elicitations.length > 0
    ? { kind: "permission" }
    : { kind: "composer" };
}

function shortened(title: string): string {
  return title.length <= 60 ? title : `${title.slice(0, 59).toWellFormed()}…`;
}
