import * as vscode from "vscode";
import type { Reply } from "../protocol/reply.ts";
import type { ToHost } from "../protocol/toHost.ts";
import { assertNever } from "../util/assertNever.ts";
import { chooseAgent, setOption } from "./agentChoice.ts";
import { answerElicitation } from "./answerElicitation.ts";
import { actOnBatch } from "./batchActions.ts";
import type { ChatView } from "./chatView.ts";
import { ComposerContext } from "./composerContext.ts";
import { takeUris } from "./dropped.ts";
import { findInThread, foundPlace, searchThreads } from "./findInThread.ts";
import { keepBytes } from "./keptBytes.ts";
import { forkAt } from "./forkTurn.ts";
import { actOnNotice } from "./noticeActions.ts";
import { OpenRecorded } from "./openRecorded.ts";
import { changeQueue } from "./queueRequests.ts";
import { refused, refusedOr, told } from "./replies.ts";
import { saidBefore } from "./saidBefore.ts";
import type { Services } from "./services.ts";
import { Submits } from "./submits.ts";
import { deleteThread, restoreThread } from "./threadDeeds.ts";
import { t } from "../util/l10n.ts";

/** Does what a view asks for. Every request is answered. */
export class ChatRequests {
  readonly #services: Services;
  readonly #view: ChatView;
  readonly #context: ComposerContext;
  readonly #recorded: OpenRecorded;
  readonly #submits: Submits;

  constructor(services: Services, view: ChatView) {
    this.#services = services;
    this.#context = new ComposerContext(services);
    this.#recorded = new OpenRecorded(services);
    this.#submits = new Submits(services);
    this.#view = view;
  }

  async handle(message: ToHost): Promise<Reply | undefined> {
    const { engine, book, drafts, desk, log, store } = this.#services;
    switch (message.type) {
      case "ready":
        return this.#ready(message.thread);
      case "problem":
        log.error("webview.problem", { text: message.text });
        return undefined;
      case "focus":
        this.#view.focused(message.on);
        return undefined;
      case "submit": {
        const answer = await this.#submits.take(message);
        this.#view.shown.refresh();
        return told(answer);
      }
      case "draft":
        await drafts.set(message.thread, message);
        this.#services.prompts.foresee();
        return undefined;
      case "memory":
        await drafts.setMemory(message.thread, message.memory);
        return undefined;
      case "said":
        return saidBefore(store, message.thread, message.before);
      case "findContext":
        return {
          kind: "context",
          items: await this.#context.find(message.query, this.#view.thread),
        };
      case "takeContext":
        return this.#context.take(message.part);
      case "takeUris":
        return takeUris(message.uris);
      case "keepBytes":
        return keepBytes(store, {
          name: message.name,
          mimeType: message.mimeType,
          data: new Uint8Array(Buffer.from(message.data, "base64")),
        });
      case "setOption":
        return setOption(
          this.#services,
          this.#view.shown,
          message.thread,
          message.option,
          message.value,
        );
      case "editBegin":
      case "editSave":
      case "editCancel":
      case "remove":
      case "restore":
      case "reorder":
      case "merge":
      case "separate":
      case "hold":
      case "resume":
      case "sendNow":
      case "stop":
      case "cancelAll":
      case "answerPermission":
        return told(await changeQueue(engine, message, this.#view.id));
      case "answerElicitation":
        return told(await answerElicitation(this.#services, message));
      case "batchAction":
        return told(
          await actOnBatch(
            this.#services,
            message.thread,
            message.batch,
            message.action,
          ),
        );
      case "page":
        await this.#view.shown.page(message.to, message.batch);
        return undefined;
      case "find":
        return findInThread(this.#services, message);
      case "searchThreads":
        return searchThreads(this.#services, message.text);
      case "openFound": {
        const { thread, at, message: id, words } = message;
        if (this.#view.thread !== thread) await this.#view.shown.show(thread);
        this.#view.reveal(foundPlace(id, at, words));
        return undefined;
      }
      case "openThread":
        await this.#view.shown.show(message.thread);
        return undefined;
      case "newThread":
        await this.#view.shown.show(
          book.fresh(this.#view.thread, message.agent).id,
        );
        return undefined;
      case "renameThread":
        return told(await engine.rename(message.thread, message.title));
      case "archiveThread":
        return told(await engine.archive(message.thread, message.on));
      case "deleteThread":
        return refusedOr(await deleteThread(this.#services, message.thread));
      case "restoreThread":
        return refusedOr(await restoreThread(this.#services, message.thread));
      case "chooseAgent":
        return chooseAgent(
          this.#services,
          this.#view.shown,
          message.thread,
          message.agent,
        );
      case "openLink":
        return (await desk.openLink(message.url))
          ? undefined
          : refused(t("Links of this kind are not opened."));
      case "openFile":
        return this.#recorded.file(message.thread, message.path, message.line);
      case "openAttachment":
        return this.#recorded.attachment(
          message.thread,
          message.message,
          message.index,
        );
      case "openDiff":
        return this.#recorded.diff(
          message.thread,
          message.message,
          message.index,
        );
      case "openOutput":
        return this.#recorded.output(
          message.thread,
          message.message,
          message.part,
        );
      case "openCode":
        await desk.openCode(message.language, message.text);
        return undefined;
      case "copy":
        await desk.copy(message.text);
        return undefined;
      case "insertCode":
        return (await desk.insert(message.text))
          ? undefined
          : refused(t("No editor is open to insert into."));
      case "noticeAction":
        return actOnNotice(
          this.#services,
          this.#view,
          message.action,
          message.notice,
        );
      case "dismissNotice":
        this.#view.shown.dismiss(message.notice);
        return undefined;
      case "showLog":
        await vscode.commands.executeCommand("turnline.showLog");
        return undefined;
      case "showTimeline":
        await vscode.commands.executeCommand("turnline.showTimeline");
        return undefined;
      case "previewNext":
        await this.#services.prompts.show({
          kind: "next",
          thread: message.thread,
        });
        return undefined;
      case "showSent": {
        const { thread, batch } = message;
        await this.#services.prompts.show({ kind: "sent", thread, batch });
        return undefined;
      }
      case "forkTurn": {
        const forked = await forkAt(this.#services, message);
        if (!forked.ok) return refused(forked.detail);
        await this.#view.shown.show(forked.thread);
        return undefined;
      }
      case "checkSetup":
        return actOnNotice(this.#services, this.#view, "checkSetup");
      case "blob":
        return this.#blob(message.blob);
      default:
        return assertNever(message);
    }
  }

  /** The thread the view had, else the newest, else one that is only begun. */
  async #ready(asked: string | undefined): Promise<undefined> {
    const { engine, book } = this.#services;
    const wanted =
      this.#view.thread === ""
        ? (this.#shownBefore() ?? asked)
        : this.#view.thread;
    const known =
      wanted !== undefined &&
      (engine.snapshot(wanted) ?? book.draft(wanted)) !== undefined;
    await this.#view.shown.show(known ? wanted : book.newest());
    return undefined;
  }

  #shownBefore(): string | undefined {
    const { engine, book, drafts } = this.#services;
    const shown = this.#view.place === "sideBar" ? drafts.shown() : undefined;
    if (shown?.begun !== undefined && engine.snapshot(shown.id) === undefined)
      book.takeUp({ id: shown.id, ...shown.begun });
    return shown?.id;
  }

  async #blob(hash: string): Promise<Reply> {
    const data = (await this.#services.store.blobs([hash])).get(hash);
    if (data === undefined) return refused(t("It is not there any more."));
    const { length } = data;
    return {
      kind: "blob",
      mimeType: "application/octet-stream",
      data: Buffer.from(data.buffer, data.byteOffset, length).toString(
        "base64",
      ),
    };
  }
}
