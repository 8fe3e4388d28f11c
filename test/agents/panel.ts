import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { AgentSpec } from "../../src/core/agentPort.ts";
import { Chat } from "../e2e/chat.ts";
import { chatFrame, Lab } from "../e2e/lab.ts";
import { installAgents } from "../lab/agents/install.ts";
import type { Locator } from "playwright-core";
import type { Reply } from "../lab/model/reply.ts";
import {
  ScriptedModel,
  type Json,
  type ModelCall,
} from "../lab/model/scriptedModel.ts";

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
  /** A command that outlives its call, where it has such. */
  readonly background?: (command: string) => Reply;
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
  /** What was typed, by how often it was sent again by the user. */
  readonly #typed = new Map<string, number>();
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

  async send(text: string): Promise<void> {
    this.#typed.set(text, 0);
    await this.chat.send(text);
  }

  /** The user sends it again. */
  async retry(text: string, button: Locator): Promise<void> {
    this.#typed.set(text, (this.#typed.get(text) ?? 0) + 1);
    await button.click();
  }

  /**
   * In the first request after a restart the model has every message that was typed as often as in the last one before
   * it, which is once unless the user sent it again, and the last user turn is the new message alone.
   */
  hasEachOnce(calls: number, delta: string): void {
    const all = this.model.conversation();
    const [before, after] = [all[calls - 1], all[calls]];
    assert.ok(before !== undefined && after !== undefined);
    const times = ({ userTurns }: ModelCall, text: string): number =>
      userTurns.flat().join("\n").split(text).length - 1;
    const said = [...this.#typed.keys()].filter((text) => !/^\//u.test(text));
    const expected = said.map((text): [string, number] => {
      if (text === delta) return [text, 1];
      const had = times(before, text);
      const again = this.#typed.get(text) ?? 0;
      assert.ok(had >= 1 && had <= 1 + again, `${text}: ${had}`);
      return [text, had];
    });
    assert.deepEqual(
      said.map((text) => [text, times(after, text)]),
      expected,
    );
    const own = after.userTexts.filter((text) => !isAside(text));
    assert.deepEqual(own, [delta]);
  }

  /** One turn from its message to its end; the text must be new. */
  async turn(text: string, ...replies: readonly Reply[]): Promise<void> {
    this.model.script(...replies);
    await this.send(text);
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

/** What agents add of their own to what the user says. */
function isAside(text: string): boolean {
  return /^\s*<(?:system-reminder|turn_aborted|environment_context)>/u.test(
    text,
  );
}
