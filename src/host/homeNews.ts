import type { FileTrouble, OpenedRecord } from "./homePorts.ts";
import { t } from "../util/l10n.ts";

/** What the user can do about it. */
export type HomeWay = "reload" | "openAgain" | "keepElsewhere";

/** What is to be said about the record as a whole. */
export interface HomeNews {
  readonly level: "info" | "warning" | "error";
  readonly title: string;
  readonly text: string;
  readonly ways?: readonly HomeWay[];
}

export const anotherWrites = t(
  "Another window has this workspace open and writes its history. This one follows when that is closed.",
);

export const takenOver = t(
  "Another window has taken this workspace's history over. Reload this window to go on here.",
);

export const stopped = t("The history stopped working. Reload this window.");

export const openElsewhere = t(
  "Another window has this workspace open. Close it, or delete the history there.",
);

export const notFromElsewhere = t(
  "This workspace's history could not be opened and was left as it is, so it cannot be deleted from here.",
);

export function notWritable(why: string): string {
  return t("The history cannot be written to: {0}", why);
}

/** Files beside the record that this version leaves alone. */
export function leftAlone({
  left,
  path,
}: Pick<OpenedRecord, "left" | "path">): readonly HomeNews[] {
  return left.map((file) => ({
    level: "warning",
    title:
      file.reason === "newer"
        ? t("A history of a newer Turnline was left as it is.")
        : t("A history that could not be read was left as it is."),
    text: t(
      "{0}: {1} New threads are kept in {2}.",
      file.path,
      file.detail,
      path,
    ),
  }));
}

export function gatheredNews({
  threads,
  failed,
}: {
  readonly threads: number;
  readonly failed: readonly FileTrouble[];
}): readonly HomeNews[] {
  const back: HomeNews = {
    level: "info",
    title:
      threads === 1
        ? t("1 thread came back that was kept elsewhere.")
        : t("{0} threads came back that were kept elsewhere.", threads),
    text: t("They are in the list of threads."),
  };
  return [
    ...(threads > 0 ? [back] : []),
    ...failed.map(({ path, detail }): HomeNews => ({
      level: "warning",
      title: t("Threads that are kept elsewhere could not be brought back."),
      text: t("{0} was left as it is: {1}", path, detail),
      ways: ["reload"],
    })),
  ];
}

/** It can be read: new threads may go elsewhere if the user wants. */
export function onlyReadable(path: string, why: string): HomeNews {
  return {
    level: "warning",
    title: t("This workspace's history can be read but not written to."),
    text: t(
      "{0}: {1} New threads can be kept elsewhere until then.",
      path,
      why,
    ),
    ways: ["keepElsewhere", "openAgain"],
  };
}

export function keptElsewhere(
  { path, detail }: FileTrouble,
  used: string,
): HomeNews {
  return {
    level: "error",
    title: t("This workspace's history could not be opened."),
    text: t(
      "{0} was left as it is: {1} New threads are kept in {2}, and come back once it can be opened.",
      path,
      detail,
      used,
    ),
    ways: ["reload"],
  };
}

/** The user chose so. */
export function movedElsewhere(home: string, used: string): HomeNews {
  return {
    level: "info",
    title: t("New threads are kept elsewhere."),
    text: t(
      "They are in {0}, and come back once {1} can be written to. Reload the window to read the history again.",
      used,
      home,
    ),
    ways: ["reload"],
  };
}

export function backAgain(home: string): HomeNews {
  return {
    level: "info",
    title: t("This workspace's history can be used again."),
    text: t(
      "Reload the window to go back to {0}. The threads that are kept elsewhere come along.",
      home,
    ),
    ways: ["reload"],
  };
}

export function nothingOpens(detail: string): HomeNews {
  return {
    level: "error",
    title: t("No history could be opened, so nothing can be sent."),
    text: t(
      "Make room or give Turnline access to its folder, then try again. {0}",
      detail,
    ),
    ways: ["openAgain"],
  };
}

export function noOtherPlace(detail: string): HomeNews {
  return {
    level: "error",
    title: t("There is no other place for new threads either."),
    text: detail,
    ways: ["openAgain"],
  };
}

export function damagedNews(detail: string): HomeNews {
  return {
    level: "error",
    title: t("This workspace's history file is damaged."),
    text: t(
      "It stays where it is. After a reload, a new file beside it takes new threads. {0}",
      detail,
    ),
    ways: ["reload"],
  };
}

export function lostNews(detail: string): HomeNews {
  return {
    level: "error",
    title: t("The history stopped working."),
    text: t("Nothing more can be saved before a reload. {0}", detail),
    ways: ["reload"],
  };
}
