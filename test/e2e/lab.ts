import { cpSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser, FrameLocator, Page } from "playwright-core";
import {
  ownHome,
  type RunningServer,
  startServer,
} from "../lab/vscode/server.ts";
import { keepLogs } from "../lab/vscode/evidence.ts";
import { hostComplaints } from "../lab/vscode/hostLog.ts";
import {
  openBrowser,
  openWorkbench,
  picture,
  runCommand,
} from "../lab/vscode/workbench.ts";

const root = path.resolve(import.meta.dirname, "..", "..");
/** Each file's run has a folder of its own, so that a second one leaves the first's pictures alone. */
const results =
  process.env["TURNLINE_RESULTS"] ?? path.join(root, "out", "results");

export interface LabOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly trust?: "ask" | "off";
  /** With VS Code's own extensions that run code: git, language servers. */
  readonly builtins?: boolean;
  /** Added to the environment VS Code runs in. */
  readonly env?: Readonly<Record<string, string>>;
  readonly size?: { readonly width: number; readonly height: number };
  readonly scale?: number;
  /** Things move as they do for most people; else they stand still, which spares the cores that tests share. */
  readonly motion?: boolean;
}

/** A real VS Code with the packed extension installed, a folder of its own, and a browser on it. */
export class Lab {
  readonly folder: string;
  readonly data: string;
  readonly server: RunningServer;
  readonly #home: string;
  readonly #options: LabOptions;
  /** What the workbench and the webviews complained about: policy violations and uncaught errors fail the test. */
  readonly #complaints: string[] = [];
  readonly #forgiven: RegExp[] = [];
  #browser: Browser;
  page: Page;

  private constructor(
    home: string,
    server: RunningServer,
    browser: Browser,
    options: LabOptions,
  ) {
    this.#home = home;
    this.folder = path.join(home, "shop");
    this.data = server.data;
    this.server = server;
    this.#browser = browser;
    this.#options = options;
    this.page = undefined as unknown as Page;
  }

  static async start(options: LabOptions = {}): Promise<Lab> {
    const home = mkdtempSync(path.join(os.tmpdir(), "turnline-e2e-"));
    cpSync(
      path.join(root, "test", "fixtures", "workspace"),
      path.join(home, "shop"),
      { recursive: true },
    );
    const server = await startServer({
      data: path.join(home, "vscode"),
      vsix: path.join(root, "dist", "turnline.vsix"),
      machineSettings: {
        // They would lie over the chat of tests that are about something else.
        "turnline.notifications": "off",
        ...options.settings,
      },
      quiet: options.builtins !== true,
      ...(options.trust === undefined ? {} : { trust: options.trust }),
      env: { ...ownHome(home), ...options.env },
    });
    const lab = new Lab(home, server, await openBrowser(), options);
    try {
      await lab.open();
      return lab;
    } catch (error) {
      lab.keepLogs();
      await lab.stop();
      throw error;
    }
  }

  /** Opens (another) window on the folder. */
  async open(): Promise<Page> {
    const page = await openWorkbench(this.#browser, {
      server: this.server,
      folder: this.folder,
      ...(this.#options.size === undefined ? {} : { size: this.#options.size }),
      scale: this.#options.scale ?? 1,
      motion: this.#options.motion === true,
      onConsole: (message) => this.#listen(message.type(), message.text()),
    });
    page.on("pageerror", (error) =>
      this.#complaints.push(`uncaught: ${error.message}`),
    );
    this.page = page;
    return page;
  }

  /** The chat, opened from the palette as a user would. */
  async chat(page: Page = this.page): Promise<FrameLocator> {
    await runCommand(page, "Turnline: Open Chat");
    return chatFrame(page);
  }

  command(title: string): Promise<void> {
    return runCommand(this.page, title);
  }

  async reload(): Promise<void> {
    await this.whileReloading(() => this.page.reload());
  }

  /** Does what makes VS Code load its window anew, and answers when it stands again. */
  async whileReloading(act: () => Promise<unknown>): Promise<void> {
    await Promise.all([this.page.waitForEvent("load"), act()]);
    await this.page.waitForSelector(".monaco-workbench .part.statusbar", {
      timeout: 60_000,
    });
  }

  /** Leaves VS Code as a user who closes the tab does. */
  async closeWindow(): Promise<void> {
    await this.page.goto("about:blank");
  }

  /** Kills the browser as a crash would, and opens a new one. */
  async crashBrowser(): Promise<void> {
    await this.#browser.close();
    this.#browser = await openBrowser();
    await this.open();
  }

  get browser(): Browser {
    return this.#browser;
  }

  complaints(): readonly string[] {
    return this.#complaints;
  }

  /** What the test itself is about to bring about is no complaint. */
  forgive(complaint: RegExp): void {
    this.#forgiven.push(complaint);
  }

  picture(name: string): Promise<string> {
    return picture(this.page, results, name);
  }

  /** What VS Code logged is kept beside the pictures. */
  keepLogs(): void {
    keepLogs(this.server, results);
  }

  /** Ends everything; what the extension hosts logged about us joins the complaints. */
  async stop(): Promise<void> {
    await this.#browser.close();
    await this.server.stop();
    this.#complaints.push(...hostComplaints(this.data));
    if (process.env["TURNLINE_KEEP"] === undefined)
      rmSync(this.#home, { recursive: true, force: true });
    else console.log(`kept ${this.#home}`);
  }

  #listen(type: string, text: string): void {
    // Folders of the lab have our name too: VS Code's complaints about them are none of ours.
    const said = text.replaceAll(/\S*turnline[-/]\S*\//gi, "");
    if (this.#forgiven.some((complaint) => complaint.test(text))) return;
    if (type === "error" && /Content Security Policy|turnline/i.test(said))
      this.#complaints.push(text);
  }
}

/** The innermost frame of the chat, wherever VS Code put it. */
export function chatFrame(page: Page): FrameLocator {
  return page
    .frameLocator("iframe.webview.ready >> nth=0")
    .frameLocator("iframe#active-frame");
}

/** Starts a lab for a suite, keeps a picture of every failure, and fails tests that made the webview complain. */
export function withLab(options: LabOptions = {}): () => Lab {
  let lab: Lab | undefined;
  before(async function () {
    this.timeout(120_000);
    lab = await Lab.start(options);
  });
  watchLab(
    () => lab,
    async () => lab?.stop(),
  );
  return () => {
    if (lab === undefined) throw new Error("The lab has not started.");
    return lab;
  };
}

/** Keeps pictures and logs of what fails in a suite, ends its lab, and fails what complained. */
export function watchLab(
  lab: () => Lab | undefined,
  stop: () => Promise<unknown>,
): void {
  let pictured = false;
  afterEach(async function () {
    if (this.currentTest?.state === "failed") {
      pictured = true;
      await lab()?.picture(this.currentTest.fullTitle()).catch(unseen);
    }
    complain(lab());
  });
  after(async function () {
    this.timeout(60_000);
    const suite = this.test?.parent;
    const states = new Set<string | undefined>();
    suite?.eachTest(({ state }) => void states.add(state));
    const well = [...states].every((state) => state === "passed");
    // No test failed, but not all have run: a hook broke.
    if (!well && !pictured)
      await lab()?.picture(`${suite?.fullTitle()} hook`).catch(unseen);
    if (!well) lab()?.keepLogs();
    await stop();
    const complaints = lab()?.complaints() ?? [];
    if (complaints.length > 0 && well) lab()?.keepLogs();
    complain(lab());
  });
}

const unseen = (): undefined => undefined;

function complain(lab: Lab | undefined): void {
  const complaints = lab?.complaints() ?? [];
  if (complaints.length > 0)
    throw new Error(`VS Code complained:\n${complaints.join("\n")}`);
}
