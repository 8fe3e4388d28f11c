import { globSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { CDPSession, Frame } from "playwright-core";
import type { Message } from "../../src/core/message.ts";
import { SnowflakeGenerator } from "../../src/core/snowflake.ts";
import {
  faultAgent,
  killExtensionHost,
  processesNaming,
  until,
} from "../e2e/agents.ts";
import { Chat } from "../e2e/chat.ts";
import { chatFrame, Lab } from "../e2e/lab.ts";
import { agent, threadOf, user } from "../fakes/recordBuilder.ts";
import { mustOpen } from "../fakes/realStore.ts";
import { frameWith } from "../lab/vscode/workbench.ts";

export const [few, many] = [100, 10_000];
const threads = { few, many } as const;
export type Thread = keyof typeof threads;

/** The chat in a real VS Code whose history holds a short and a long thread. */
export class WebviewLab {
  readonly lab: Lab;
  readonly chat: Chat;
  readonly frame: Frame;
  readonly cdp: CDPSession;
  readonly home: string;

  private constructor(lab: Lab, frame: Frame, cdp: CDPSession, home: string) {
    this.lab = lab;
    this.chat = new Chat(chatFrame(lab.page));
    this.frame = frame;
    this.cdp = cdp;
    this.home = home;
  }

  static async start(): Promise<WebviewLab> {
    const home = mkdtempSync(path.join(os.tmpdir(), "turnline-webview-"));
    const lab = await Lab.start({
      motion: true,
      settings: {
        "turnline.agents": { scripted: faultAgent("Scripted") },
        "turnline.defaultAgent": "scripted",
      },
    });
    await lab.chat();
    await seed(lab);
    await lab.open();
    await lab.chat();
    const frame = await frameWith(lab.page, '[data-testid="composer"]');
    const cdp = await lab.page.context().newCDPSession(lab.page);
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    return new WebviewLab(lab, frame, cdp, home);
  }

  async stop(): Promise<void> {
    await this.lab.stop();
    rmSync(this.home, { recursive: true, force: true });
  }

  /** From the click on a thread to its last message on the screen. */
  async openMs(thread: Thread): Promise<number> {
    await this.frame.locator(".head-title").click();
    await this.frame.locator(`[data-thread="${thread}"]`).waitFor();
    return this.frame.evaluate(
      async ({ id, last }) => {
        const painted = (): Promise<unknown> =>
          new Promise((resolve) =>
            requestAnimationFrame(() => {
              const { port1, port2 } = new MessageChannel();
              port1.onmessage = resolve;
              port2.postMessage(null);
            }),
          );
        const shown = (): boolean => {
          const box = [...document.querySelectorAll(".answer")]
            .findLast(({ textContent }) => textContent.includes(last))
            ?.getBoundingClientRect();
          return box !== undefined && box.top < innerHeight && box.bottom > 0;
        };
        const start = performance.now();
        document
          .querySelector<HTMLElement>(`[data-thread="${id}"] .thread-open`)
          ?.click();
        while (!shown()) await painted();
        return performance.now() - start;
      },
      { id: thread, last: mark(thread, threads[thread] - 1) },
    );
  }

  async newThread(): Promise<void> {
    await this.frame.getByRole("button", { name: "New thread" }).last().click();
    await this.frame
      .locator('.log-frame [data-testid="batch"]')
      .first()
      .waitFor({ state: "detached" });
  }

  /** Time the page's main thread has worked, in milliseconds. */
  async worked(): Promise<number> {
    return workedMs(this.cdp);
  }
}

export async function workedMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  const found = metrics.find(({ name }) => name === "TaskDuration");
  if (found === undefined) throw new Error("The browser tells no work.");
  return found.value * 1000;
}

const mark = (thread: Thread, n: number): string => `${thread} number ${n}.`;

/** Writes the threads while no window has the workspace open. */
async function seed(lab: Lab): Promise<void> {
  const found = (): string | undefined =>
    globSync(
      `${lab.data}/data/User/workspaceStorage/*/turnline.turnline*/turnline.db`,
    )[0];
  await until(() => found() !== undefined);
  const folder = path.dirname(found() ?? "");
  await lab.closeWindow();
  // It mostly goes with its window.
  if (processesNaming("type=extensionHost").length > 0)
    try {
      killExtensionHost(lab);
    } catch {
      // Gone meanwhile.
    }
  const store = await mustOpen(folder);
  const ids = new SnowflakeGenerator(() => 1_700_000_000_000);
  for (const [id, count] of Object.entries(threads)) {
    const thread = threadOf(id, {
      title: `Thread of ${count}`,
      folder: lab.folder,
      agent: "scripted",
    });
    await store.commit([{ kind: "thread", thread }], "full");
    for (let from = 0; from < count; from += 500) {
      const messages: Message[] = [];
      for (let n = from; n < Math.min(count, from + 500); n += 2)
        messages.push(...turn(id as Thread, n, ids));
      const answer = await store.commit(
        [{ kind: "import", messages }],
        "normal",
      );
      if (!answer.ok) throw new Error(JSON.stringify(answer));
    }
  }
  await store.close();
}

function turn(
  thread: Thread,
  n: number,
  ids: SnowflakeGenerator,
): readonly Message[] {
  const position = ids.next();
  const common = {
    thread,
    arrived: position,
    rank: null,
    batch: position,
    batchType: "user_request",
    parentBatch: null,
    retryOf: null,
    marks: {},
  } as const;
  const text = `Message ${mark(thread, n)} Please look at it.`;
  const answer = [
    `Answer ${mark(thread, n + 1)} The **build** is green:`,
    "- `pnpm build`: 0 errors\n- Unit tests: 214 passed",
    n % 10 === 0 ? "```ts\nconst value = process.env[name];\n```" : "",
  ].join("\n\n");
  return [
    {
      ...common,
      id: `${thread}${n}`,
      position,
      sequence: 0,
      sender: user,
      state: "delivered",
      body: { kind: "user", blocks: [{ type: "text", text }] },
    },
    {
      ...common,
      id: `${thread}${n + 1}`,
      position: ids.next(),
      sequence: 1,
      sender: agent,
      state: null,
      body: { kind: "agent", text: answer },
    },
  ];
}
