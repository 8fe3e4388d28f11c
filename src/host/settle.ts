import type { History } from "../core/recordPort.ts";
import { emptyHistory } from "./emptyHistory.ts";
import * as say from "./homeNews.ts";
import type { HomeNews } from "./homeNews.ts";
import type {
  FileTrouble,
  HomePorts,
  OpenAnswer,
  OpenedRecord,
  RecordEvents,
  Role,
} from "./homePorts.ts";
import type { Rescue } from "./rescue.ts";
import { t } from "../util/l10n.ts";

/** Where what is shown comes from. */
export type Place = "home" | "rescue" | "nowhere";

/** The best that could be opened, and what is to be said about it. */
export interface Settled {
  readonly store: History;
  readonly place: Place;
  readonly path: string;
  /** Why nothing can be written; null when it can. */
  readonly readOnly: string | null;
  readonly news: readonly HomeNews[];
  /** Nothing is there to read yet: it is worth another look. */
  readonly early?: true;
}

export interface SettlePorts extends Pick<
  HomePorts,
  "folder" | "open" | "log"
> {
  readonly rescue: Pick<Rescue, "open">;
  readonly role: Role;
  /** Why nobody could hold the lock. */
  readonly trouble: string | undefined;
  readonly events: RecordEvents;
}

/** Finds the best there is: the record to write to, to read, another place, or nothing. */
export async function settle(ports: SettlePorts): Promise<Settled> {
  const { role, trouble, log } = ports;
  if (role === "writer") {
    const opened = await openHere(ports, "write");
    if (opened.ok)
      return opened.readOnly ? onlyRead(opened) : write(ports, opened);
    log.error("history.notOpened", { ...opened });
    return readAtLeast(ports, opened.detail);
  }
  return trouble === undefined ? follow(ports) : readAtLeast(ports, trouble);
}

/** The user wants new threads kept elsewhere; undefined when there is no such place. */
export async function moveElsewhere(
  { rescue, events }: Pick<SettlePorts, "rescue" | "events">,
  home: string,
): Promise<Settled | undefined> {
  const opened = await rescue.open(events);
  return opened && rescued(opened, say.movedElsewhere(home, opened.path));
}

async function openHere(
  { folder, open, events }: SettlePorts,
  mode: "write" | "read",
): Promise<OpenAnswer> {
  try {
    return await open(folder, mode, events);
  } catch (error) {
    return { ok: false, path: folder, detail: String(error) };
  }
}

async function write(
  { log }: SettlePorts,
  opened: OpenedRecord,
): Promise<Settled> {
  const gathered = await opened.gather();
  for (const failed of gathered.failed)
    log.warn("history.notGathered", { ...failed });
  return {
    ...{ store: opened.store, path: opened.path },
    place: "home",
    readOnly: null,
    news: [...say.leftAlone(opened), ...say.gatheredNews(gathered)],
  };
}

async function readAtLeast(ports: SettlePorts, why: string): Promise<Settled> {
  const opened = await openHere(ports, "read");
  return opened.ok
    ? onlyRead(opened, why)
    : elsewhere(ports, { path: opened.path, detail: why });
}

function onlyRead(
  opened: OpenedRecord,
  why = t("the file is read-only"),
): Settled {
  return {
    ...{ store: opened.store, path: opened.path },
    place: "home",
    readOnly: say.notWritable(why),
    news: [say.onlyReadable(opened.path, why), ...say.leftAlone(opened)],
  };
}

/** Another window writes. One that has only just started is still making what is to be read. */
async function follow(ports: SettlePorts): Promise<Settled> {
  const opened = await openHere(ports, "read");
  const readOnly = say.anotherWrites;
  const { path } = opened;
  if (opened.ok)
    return {
      ...{ store: opened.store, place: "home", path, readOnly },
      news: say.leftAlone(opened),
    };
  ports.log.warn("history.notOpened", { ...opened });
  const store = emptyHistory(readOnly);
  return { store, place: "home", path, readOnly, news: [], early: true };
}

async function elsewhere(
  { rescue, events }: SettlePorts,
  left: FileTrouble,
): Promise<Settled> {
  const opened = await rescue.open(events);
  if (opened !== undefined)
    return rescued(opened, say.keptElsewhere(left, opened.path));
  return {
    store: emptyHistory(left.detail),
    place: "nowhere",
    path: left.path,
    readOnly: t("No history could be opened: {0}", left.detail),
    news: [say.nothingOpens(`${left.path}: ${left.detail}`)],
  };
}

function rescued({ store, path }: OpenedRecord, news: HomeNews): Settled {
  return { store, place: "rescue", path, readOnly: null, news: [news] };
}
