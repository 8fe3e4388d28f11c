import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { ThreadSnapshot } from "../core/dispatch/changes.ts";
import type { Notice as CoreNotice } from "../core/dispatch/events.ts";
import type { Notice } from "../protocol/viewState.ts";
import {
  homeNotices,
  noFolderNotice,
  passingNotice,
  standingNotices,
} from "./notices.ts";
import type { Services } from "./services.ts";
import { isNoFolderOpen } from "./workspaceFolders.ts";

const mostPassing = 3;

/** The notices of one view, and which of them its user has sent away. */
export class ViewNotices {
  readonly #services: Pick<Services, "catalog" | "home">;
  #passing: readonly Notice[] = [];
  /** About the record as a whole, until the user sends it away. */
  #news: readonly Notice[] = [];
  /** Notices that stand for something that lasts, and that the user has sent away. */
  readonly #answered = new Set<string>();
  /** The user has seen that no folder is open. */
  #folderKnown = false;

  constructor(services: Pick<Services, "catalog" | "home">) {
    this.#services = services;
    this.readNews();
  }

  /** All there are for a thread. */
  of(snapshot: ThreadSnapshot | undefined): readonly Notice[] {
    const standing =
      snapshot === undefined
        ? []
        : standingNotices(
            snapshot,
            vscode.workspace.isTrusted,
            this.#services.catalog.label(snapshot.thread.agent),
          ).filter(({ id }) => !this.#answered.has(id));
    const about =
      isNoFolderOpen() && !this.#folderKnown ? [noFolderNotice] : [];
    return [...this.#news, ...about, ...standing, ...this.#passing];
  }

  /** Takes what there is to say about the record now. */
  readNews(): void {
    this.#news = homeNotices(this.#services.home.news);
  }

  /** Something happened in the thread that is shown. */
  add(notice: CoreNotice): void {
    this.#passing = [
      ...this.#passing,
      passingNotice(randomUUID(), notice),
    ].slice(-mostPassing);
  }

  /** Another thread is shown: what happened in this one is not about it. */
  forgetPassing(): void {
    this.#passing = [];
  }

  dismiss(notice: string): void {
    this.#folderKnown ||= notice === noFolderNotice.id;
    this.#answered.add(notice);
    this.#news = this.#news.filter(({ id }) => id !== notice);
    this.#passing = this.#passing.filter(({ id }) => id !== notice);
  }
}
