import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { AgentSpec } from "../../src/core/ports.ts";
import { Chat } from "../e2e/chat.ts";
import { chatFrame, Lab } from "../e2e/lab.ts";
import { installAgents } from "../lab/agents/install.ts";
import type { Locator } from "playwright-core";
import type { Reply } from "../lab/model/reply.ts";
import { ScriptedModel, type Json } from "../lab/model/scriptedModel.ts";

/** What is different about one real agent, as far as the panel's tests care. */
export interface PanelAgent {
  readonly id: string;
  readonly label: string;
  readonly spec: (
    labFolder: string,
    modelUrl: string,
    home: string,
  ) => Pick<AgentSpec, "command" | "args" | "env">;
  /** The mode in which it asks before it acts, and one in which it edits unasked; by value. */
  readonly modes: { readonly asks: string; readonly edits: string };
  /** Another model than the one it begins with; by value. */
  readonly otherModel: string;
  readonly edit: (file: string, text: string) => Reply;
  readonly run: (command: string) => Reply;
  /** A command that outlives its call, and what the model does then. */
  readonly background: (command: string) => readonly Reply[];
  /** Absent where the agent offers its model no tool for plans. */
  readonly plan?: Reply;
  /** Absent where the agent has no tool for questions. */
  readonly question?: Reply;
  /** How a turn ends whose tool was rejected. */
  readonly rejected: "completed" | "cancelled";
  /** Whether a command it runs ends with a cancelled turn. */
  readonly endsTools: boolean;
  /** A command it answers itself, and what it says. */
  readonly slash: { readonly name: string; readonly says: RegExp };
  /** What names the agent's session in a request to the model. */
  readonly session: (body: Json) => unknown;
}

/** A real agent in the real panel, with a scripted model behind it. */
export class Panel {
  readonly lab: Lab;
  readonly model: ScriptedModel;
  readonly #home: string;
  chat: Chat;

  private constructor(
    lab: Lab,
    model: ScriptedModel,
    home: string,
    chat: Chat,
  ) {
    this.lab = lab;
    this.model = model;
    this.#home = home;
    this.chat = chat;
  }

  static async open(agent: PanelAgent): Promise<Panel> {
    const model = await ScriptedModel.start();
    const home = mkdtempSync(path.join(os.tmpdir(), "turnline-panel-"));
    const installed = await installAgents(() => undefined);
    const spec = agent.spec(installed, model.url, home);
    const lab = await Lab.start({
      settings: {
        "turnline.agents": { [agent.id]: { label: agent.label, ...spec } },
        "turnline.userName": "alice",
      },
    });
    const panel = new Panel(lab, model, home, new Chat(chatFrame(lab.page)));
    try {
      await lab.chat();
      return panel;
    } catch (error) {
      await panel.close();
      throw error;
    }
  }

  /** Loads the window anew; the chat comes back by itself. */
  async reload(): Promise<void> {
    await this.lab.reload();
    this.chat = new Chat(chatFrame(this.lab.page));
    await this.chat.messages("user").last().waitFor({ timeout: 60_000 });
  }

  /** One turn from its message to its end; the text must be new. */
  async turn(text: string, ...replies: readonly Reply[]): Promise<void> {
    this.model.script(...replies);
    await this.chat.send(text);
    await this.ended(text);
  }

  /** Waits until the newest turn with a text has ended so. */
  async ended(text: string, status = "completed"): Promise<void> {
    await this.chat
      .batches(status)
      .filter({ hasText: text })
      .last()
      .waitFor({ timeout: 30_000 });
  }

  async answer(kind: "allow_once" | "reject_once"): Promise<void> {
    await this.chat.frame
      .locator(`[data-testid="permission-option"][data-kind="${kind}"]`)
      .first()
      .click();
  }

  /** Chooses with the picker under the composer, and waits until the agent has it so. */
  async option(id: string, value: string): Promise<void> {
    const picker = this.chat.frame.locator(
      `[data-testid="option"][data-option="${id}"]`,
    );
    await picker.selectOption(value);
    await this.chat.until(
      () => picker.inputValue(),
      (now) => now === value,
    );
  }

  /** How often each text stands in the newest request of the conversation. */
  times(...texts: readonly string[]): readonly number[] {
    return texts.map((text) => this.sent().split(text).length - 1);
  }

  /** The newest turn with a text. */
  batch(text: string): Locator {
    return this.chat.batches().filter({ hasText: text }).last();
  }

  /** The newest request of the conversation, as text to look for words in. */
  sent(call = -1): string {
    return JSON.stringify(this.model.conversation().at(call)?.body);
  }

  async close(): Promise<void> {
    await this.lab.stop();
    await this.model.close();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }
}
