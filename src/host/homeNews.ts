import type { FileTrouble, OpenedRecord } from "./homePorts.ts";

/** What the user can do about it. */
export type HomeWay = "reload" | "openAgain" | "keepElsewhere";

/** What is to be said about the record as a whole. */
export interface HomeNews {
  readonly level: "info" | "warning" | "error";
  readonly title: string;
  readonly text: string;
  readonly ways?: readonly HomeWay[];
}

export const anotherWrites =
  "Another window has this workspace open and writes its history. This one follows when that is closed.";

export const takenOver =
  "Another window has taken this workspace's history over. Reload this window to go on here.";

export const stopped = "The history stopped working. Reload this window.";

export const openElsewhere =
  "Another window has this workspace open. Close it, or delete the history there.";

export const notFromElsewhere =
  "This workspace's history could not be opened and was left as it is, so it cannot be deleted from here.";

export function notWritable(why: string): string {
  return `The history cannot be written to: ${why}`;
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
        ? "A history of a newer Turnline was left as it is."
        : "A history that could not be read was left as it is.",
    text: `${file.path}: ${file.detail} New threads are kept in ${path}.`,
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
        ? "1 thread came back that was kept elsewhere."
        : `${threads} threads came back that were kept elsewhere.`,
    text: "They are in the list of threads.",
  };
  return [
    ...(threads > 0 ? [back] : []),
    ...failed.map(({ path, detail }): HomeNews => ({
      level: "warning",
      title: "Threads that are kept elsewhere could not be brought back.",
      text: `${path} was left as it is: ${detail}`,
      ways: ["reload"],
    })),
  ];
}

/** It can be read: new threads may go elsewhere if the user wants. */
export function onlyReadable(path: string, why: string): HomeNews {
  return {
    level: "warning",
    title: "This workspace's history can be read but not written to.",
    text: `${path}: ${why} New threads can be kept elsewhere until then.`,
    ways: ["keepElsewhere", "openAgain"],
  };
}

export function keptElsewhere(
  { path, detail }: FileTrouble,
  used: string,
): HomeNews {
  return {
    level: "error",
    title: "This workspace's history could not be opened.",
    text: `${path} was left as it is: ${detail} New threads are kept in ${used}, and come back once it can be opened.`,
    ways: ["reload"],
  };
}

/** The user chose so. */
export function movedElsewhere(home: string, used: string): HomeNews {
  return {
    level: "info",
    title: "New threads are kept elsewhere.",
    text: `They are in ${used}, and come back once ${home} can be written to. Reload the window to read the history again.`,
    ways: ["reload"],
  };
}

export function backAgain(home: string): HomeNews {
  return {
    level: "info",
    title: "This workspace's history can be used again.",
    text: `Reload the window to go back to ${home}. The threads that are kept elsewhere come along.`,
    ways: ["reload"],
  };
}

export function nothingOpens(detail: string): HomeNews {
  return {
    level: "error",
    title: "No history could be opened, so nothing can be sent.",
    text: `Make room or give Turnline access to its folder, then try again. ${detail}`,
    ways: ["openAgain"],
  };
}

export function noOtherPlace(detail: string): HomeNews {
  return {
    level: "error",
    title: "There is no other place for new threads either.",
    text: detail,
    ways: ["openAgain"],
  };
}

export function damagedNews(detail: string): HomeNews {
  return {
    level: "error",
    title: "This workspace's history file is damaged.",
    text: `It stays where it is. After a reload, a new file beside it takes new threads. ${detail}`,
    ways: ["reload"],
  };
}

export function lostNews(detail: string): HomeNews {
  return {
    level: "error",
    title: "The history stopped working.",
    text: `Nothing more can be saved before a reload. ${detail}`,
    ways: ["reload"],
  };
}
