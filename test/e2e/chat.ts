import { setTimeout as sleep } from "node:timers/promises";
import type { FrameLocator, Locator } from "playwright-core";

/** The chat panel as a user meets it: what to type in, what to click, what to read. */
export class Chat {
  readonly frame: FrameLocator;

  constructor(frame: FrameLocator) {
    this.frame = frame;
  }

  part(testId: string): Locator {
    return this.frame.getByTestId(testId);
  }

  async send(text: string): Promise<void> {
    const composer = this.part("composer");
    await composer.fill(text);
    await composer.press("Enter");
  }

  /** Waits until the cursor is in the composer. */
  async focused(): Promise<void> {
    await this.frame.locator('[data-testid="composer"]:focus').waitFor();
  }

  /** Opens the find box by its key, which works once VS Code knows that the keyboard is in the chat. */
  async find(): Promise<Locator> {
    const box = this.frame.locator('[data-testid="find-text"]:focus');
    await this.until(
      async () => {
        await this.frame.locator(":focus").first().press("Control+f");
        return box.isVisible();
      },
      (open) => open,
    );
    return box;
  }

  messages(role: string): Locator {
    return this.frame.locator(`[data-testid="message"][data-role="${role}"]`);
  }

  batches(status?: string): Locator {
    const which = status === undefined ? "" : `[data-status="${status}"]`;
    return this.frame.locator(`[data-testid="batch"]${which}`);
  }

  status(state: string): Locator {
    return this.frame.locator(
      `[data-testid="agent-status"][data-state="${state}"]`,
    );
  }

  /** Waits for the newest answer to hold a text. */
  async answered(text: string | RegExp, timeout = 30_000): Promise<void> {
    await this.messages("agent")
      .filter({ hasText: text })
      .last()
      .waitFor({ timeout });
  }

  item(text: string): Locator {
    return this.part("queue-item").filter({ hasText: text });
  }

  /** Waits until the queue holds these texts, in this order. */
  async queues(...texts: readonly string[]): Promise<void> {
    const items = this.part("queue-item").locator("> p");
    await this.until(
      async () => (await items.allInnerTexts()).map((text) => text.trim()),
      (now) => JSON.stringify(now) === JSON.stringify(texts),
    );
  }

  /** Reads again until what is read will do. */
  async until<T>(
    read: () => Promise<T>,
    will: (now: T) => boolean,
    limitMs = 20_000,
  ): Promise<T> {
    const end = Date.now() + limitMs;
    for (;;) {
      const now = await read();
      if (will(now)) return now;
      if (Date.now() > end)
        throw new Error(
          `It stayed ${JSON.stringify(now)}, not ${will.toString()}`,
        );
      // Each look goes through two frames and costs what a frame of the page does.
      await sleep(120);
    }
  }

  /** Waits until the turn that carries a text has ended. */
  async done(text: string, status = "completed"): Promise<Locator> {
    const turn = this.batches(status).filter({ hasText: text }).last();
    await turn.waitFor();
    return turn;
  }

  async ended(count: number, status = "completed"): Promise<void> {
    await this.batches(status)
      .nth(count - 1)
      .waitFor({ timeout: 30_000 });
  }
}
