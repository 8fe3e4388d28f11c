import path from "node:path";
import * as vscode from "vscode";
import type { Block, Body, Message, ToolContent } from "../core/message.ts";
import type { Reply } from "../protocol/reply.ts";
import { attachedTo, nameOf } from "./projectMessage.ts";
import { refused } from "./replies.ts";
import type { Services } from "./services.ts";
import { t } from "../util/l10n.ts";

/** Opens what the record holds, by where it stands: no text of a view has to be trusted. */
export class OpenRecorded {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  async attachment(
    thread: string,
    id: string,
    index: number,
  ): Promise<Reply | undefined> {
    const message = await this.#message(thread, id);
    const block =
      message === undefined ? undefined : await this.#block(message, index);
    switch (block?.type) {
      case "resource":
        return this.#text(block.uri, block.text);
      case "link":
        return this.#uri(thread, block.uri);
      case "image":
      case "text":
      case undefined:
        return refused(t("It is not there any more."));
    }
  }

  async diff(
    thread: string,
    id: string,
    index: number,
  ): Promise<Reply | undefined> {
    const message = await this.#message(thread, id);
    const content = message === undefined ? [] : await this.#content(message);
    const diff = content[index];
    if (diff?.type !== "diff")
      return refused(t("That change is not there any more."));
    await this.#services.desk.openDiff(
      diff.path,
      diff.oldText ?? "",
      diff.newText,
    );
    return undefined;
  }

  /** What a tool put out, or was given, as far as it was kept. */
  async output(
    thread: string,
    id: string,
    part: number | "input" | "output",
  ): Promise<Reply | undefined> {
    const message = await this.#message(thread, id);
    const text =
      message === undefined ? undefined : await this.#output(message, part);
    if (text === undefined)
      return refused(t("That output is not there any more."));
    await this.#services.desk.openText(
      part === "input" ? "input.txt" : "output.txt",
      text,
    );
    return undefined;
  }

  async file(
    thread: string,
    named: string,
    line: number | undefined,
  ): Promise<Reply | undefined> {
    if (/^[a-z][\w+.-]+:\/\//iu.test(named)) return this.#uri(thread, named);
    const { engine, book, desk } = this.#services;
    const about = engine.snapshot(thread)?.thread ?? book.draft(thread);
    try {
      await desk.openFile(about?.folder ?? "", named, line);
      return undefined;
    } catch {
      return refused(t("{0} could not be opened.", named));
    }
  }

  async #uri(thread: string, uri: string): Promise<Reply | undefined> {
    const { desk } = this.#services;
    const parsed = vscode.Uri.parse(uri);
    if (parsed.scheme === "file") {
      const line = /^L?(\d+)/u.exec(parsed.fragment)?.[1];
      return this.file(
        thread,
        parsed.fsPath,
        line === undefined ? undefined : Number(line),
      );
    }
    return (await desk.openLink(uri))
      ? undefined
      : refused(t("{0} is not a file here.", nameOf(uri)));
  }

  async #text(uri: string, text: string): Promise<undefined> {
    await this.#services.desk.openText(path.basename(nameOf(uri)), text);
    return undefined;
  }

  async #message(thread: string, id: string): Promise<Message | undefined> {
    const { engine, store } = this.#services;
    const snapshot = engine.snapshot(thread);
    const found =
      snapshot?.tail.find((row) => row.id === id) ??
      snapshot?.queue.items.find(({ message }) => message.id === id)?.message ??
      (await store.message(id));
    return found?.thread === thread ? found : undefined;
  }

  async #block(message: Message, index: number): Promise<Block | undefined> {
    const { body } = message;
    if (body.kind === "user") return attachedTo(body.blocks)[index];
    if (body.kind === "agent") return attachedTo(body.blocks ?? [])[index];
    const content = (await this.#content(message))[index];
    return content?.type === "block" ? content.block : undefined;
  }

  async #output(
    message: Message,
    part: number | "input" | "output",
  ): Promise<string | undefined> {
    const { body } = message;
    if (part === "input")
      return body.kind === "toolCall" ? body.input : undefined;
    if (part === "output") return (await this.#result(message))?.output;
    const content = (await this.#content(message))[part];
    if (content?.type === "terminal") return content.output;
    if (content?.type === "text") return content.text;
    return content?.type === "block" && content.block.type === "text"
      ? content.block.text
      : undefined;
  }

  /** As the card shows it: a result's content stands for its call's. */
  async #content(message: Message): Promise<readonly ToolContent[]> {
    const { body } = message;
    const result = await this.#result(message);
    if (result !== undefined && result.content.length > 0)
      return result.content;
    return "content" in body ? body.content : [];
  }

  async #result(message: Message): Promise<Result | undefined> {
    const { body, batch, thread } = message;
    if (body.kind !== "toolCall" || batch === null) return undefined;
    const { engine, store } = this.#services;
    const live = engine.snapshot(thread)?.tail ?? [];
    for (const row of [...live, ...(await store.batch(thread, batch))])
      if (
        row.body.kind === "toolResult" &&
        row.body.toolCallId === body.toolCallId
      )
        return row.body;
    return undefined;
  }
}

type Result = Extract<Body, { kind: "toolResult" }>;
