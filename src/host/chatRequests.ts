import * as vscode from "vscode";
import type { Reply } from "../protocol/reply.ts";
import type { ToHost } from "../protocol/toHost.ts";
import { assertNever } from "../util/assertNever.ts";
import { answerElicitation } from "./answerElicitation.ts";
import { actOnBatch } from "./batchActions.ts";
import type { ChatView } from "./chatView.ts";
import { ComposerContext } from "./composerContext.ts";
import { takeUris } from "./dropped.ts";
import { findInThread, foundPlace, searchThreads } from "./findInThread.ts";
import { keepBytes } from "./keptBytes.ts";
import { forkAt } from "./forkTurn.ts";
import { undoCompaction } from "./compactHistory.ts";
import { isNoticeAction, type NoticeAction } from "./notices.ts";
import { OpenRecorded } from "./openRecorded.ts";
import { withValues } from "./optionMemory.ts";
import { pickAgent } from "./pickAgent.ts";
import { saidBefore } from "./saidBefore.ts";
import { missingSecret } from "./readyAgents.ts";
import type { Services } from "./services.ts";
import { Submits, type Submitted } from "./submits.ts";
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
        this.#view.refresh();
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
        return this.#setOption(message.thread, message.option, message.value);
      case "editBegin":
        return told(
          await engine.beginEdit(message.thread, message.id, this.#view.id),
        );
      case "editSave":
        return told(
          await engine.saveEdit(
            message.thread,
            message.id,
            this.#view.id,
            message.text === "" ? [] : [{ type: "text", text: message.text }],
            message.kept,
            message.split,
          ),
        );
      case "editCancel":
        await engine.cancelEdit(this.#view.id, message.thread, message.id);
        return undefined;
      case "remove":
        return told(await engine.remove(message.thread, [message.id]));
      case "restore":
        return told(await engine.restore(message.thread, message.ids));
      case "reorder":
        return told(
          await engine.reorder(message.thread, message.id, message.before),
        );
      case "merge":
        return told(
          await engine.merge(message.thread, message.id, message.with),
        );
      case "separate":
        return told(
          await engine.setSeparate(message.thread, message.id, message.on),
        );
      case "hold":
        return told(await engine.hold(message.thread));
      case "resume":
        return told(await engine.resume(message.thread));
      case "sendNow":
        return told(await engine.sendNow(message.thread, message.id ?? null));
      case "stop":
        return told(await engine.cancel(message.thread));
      case "cancelAll":
        return told(await engine.cancelAll(message.thread));
      case "answerPermission":
        return told(
          await engine.answerPermission(
            message.thread,
            message.permission,
            message.option,
          ),
        );
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
        await this.#view.page(message.to, message.batch);
        return undefined;
      case "find":
        return findInThread(this.#services, message);
      case "searchThreads":
        return searchThreads(this.#services, message.text);
      case "openFound": {
        const { thread, at, message: id, words } = message;
        if (this.#view.thread !== thread) await this.#view.show(thread);
        this.#view.reveal(foundPlace(id, at, words));
        return undefined;
      }
      case "openThread":
        await this.#view.show(message.thread);
        return undefined;
      case "newThread":
        await this.#view.show(book.fresh(this.#view.thread, message.agent).id);
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
        return this.#chooseAgent(message.thread, message.agent);
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
        return this.#noticeAction(message.action, message.notice);
      case "dismissNotice":
        this.#view.dismiss(message.notice);
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
        await this.#view.show(forked.thread);
        return undefined;
      }
      case "checkSetup":
        return this.#noticeAction("checkSetup");
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
    await this.#view.show(known ? wanted : book.newest());
    return undefined;
  }

  #shownBefore(): string | undefined {
    const { engine, book, drafts } = this.#services;
    const shown = this.#view.place === "sideBar" ? drafts.shown() : undefined;
    if (shown?.begun !== undefined && engine.snapshot(shown.id) === undefined)
      book.takeUp({ id: shown.id, ...shown.begun });
    return shown?.id;
  }

  async #setOption(
    thread: string,
    option: string,
    value: string | boolean,
  ): Promise<Reply | undefined> {
    const open = this.#services.engine.openAgent(thread);
    const features = open?.agent.features;
    if (open === undefined || features === undefined)
      return this.#chooseOption(thread, option, value);
    const answer = await features.setOption(open.sessionId, option, value);
    if (!answer.ok) return refused(answer.failure.message);
    this.#view.optionsAre(answer.value);
    return undefined;
  }

  /** Nothing runs yet: the session begins with it. */
  #chooseOption(
    thread: string,
    option: string,
    value: string | boolean,
  ): Reply | undefined {
    const { engine, book, options } = this.#services;
    const agent = (engine.snapshot(thread)?.thread ?? book.draft(thread))
      ?.agent;
    if (agent === undefined)
      return refused(t("The thread is not there any more."));
    options.set(agent, option, value);
    const told = engine.snapshot(thread)?.options ?? [];
    if (told.length === 0) this.#view.refresh();
    else this.#view.optionsAre(withValues(told, { [option]: value }));
    return undefined;
  }

  /** A queue that an agent's failure holds goes on with the new one. */
  async #chooseAgent(
    thread: string,
    agent: string,
  ): Promise<Reply | undefined> {
    const { engine, book } = this.#services;
    const before = engine.snapshot(thread);
    if (before === undefined) {
      book.chooseAgent(thread, agent);
      this.#view.refresh();
      return undefined;
    }
    const answer = await engine.setAgent(thread, agent);
    if (answer.ok && before.queue.cause !== null) await engine.resume(thread);
    return told(answer);
  }

  async #noticeAction(action: string, notice = ""): Promise<Reply | undefined> {
    const { engine } = this.#services;
    const { thread } = this.#view;
    if (!isNoticeAction(action))
      return refused(t("That is not possible any more."));
    const known: NoticeAction = action;
    switch (known) {
      case "retry":
      case "goOn":
        return told(await engine.resume(thread));
      // What is sent at once does not wait for the next try.
      case "restartNow":
        return told(await engine.sendNow(thread, null));
      case "stop":
        return told(await engine.cancel(thread));
      case "letRun":
        this.#view.dismiss(notice);
        return undefined;
      case "endLeft":
        await engine.endLeft(thread);
        return undefined;
      case "review":
        this.#view.reveal({ kind: "queue" });
        return undefined;
      case "chooseAgent": {
        const agent = await pickAgent(this.#services.catalog);
        return agent === undefined
          ? undefined
          : this.#chooseAgent(thread, agent);
      }
      case "showLog":
        await vscode.commands.executeCommand("turnline.showLog");
        return undefined;
      case "signIn":
        await vscode.commands.executeCommand("turnline.signIn");
        return undefined;
      case "setSecret":
        await vscode.commands.executeCommand(
          "turnline.setSecret",
          missingSecret(engine.snapshot(thread)?.queue.cause ?? ""),
        );
        return undefined;
      case "checkSetup":
        await vscode.commands.executeCommand("turnline.checkSetup");
        return undefined;
      case "undoCompaction":
        this.#view.dismiss(notice);
        return (await undoCompaction(this.#services, thread))
          ? undefined
          : refused(t("No part of this thread is compacted."));
      case "reload":
        await vscode.commands.executeCommand("workbench.action.reloadWindow");
        return undefined;
      case "openAgain":
        await this.#services.home.openAgain();
        return undefined;
      case "keepElsewhere":
        await this.#services.home.keepElsewhere();
        return undefined;
      case "manageTrust":
        await vscode.commands.executeCommand("workbench.trust.manage");
        return undefined;
      default:
        return assertNever(known);
    }
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

const refused = (message: string): Reply => ({ kind: "refused", message });

const refusedOr = (why: string | undefined): Reply | undefined =>
  why === undefined ? undefined : refused(why);

function told(answer: Submitted): Reply | undefined {
  return answer.ok ? undefined : refused(answer.detail);
}
