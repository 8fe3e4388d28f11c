import { Holder } from "./holder.ts";
import type { HolderAnswer } from "./holder.ts";
import { LockFile } from "./lockFile.ts";
import { Newcomer } from "./newcomer.ts";
import { within } from "./within.ts";

export type Role = "writer" | "reader";

export interface WriterLockOptions {
  /** The workspace's stable folder. */
  readonly folder: string;
  /** Whether anyone still sees this window; no answer in time means no. */
  isWindowAlive(): Promise<boolean>;
  /** End running turns as interrupted and close the store: the lock is let go when this settles. */
  onRelease(): Promise<void>;
  /** After `start`: this window has become the writer, or is no longer. */
  onChange(role: Role): void;
  readonly askAgainMs?: number;
  readonly answerWithinMs?: number;
  readonly releaseWithinMs?: number;
}

/**
 * One writer per workspace. A window that finds the lock held asks its holder: one whose window is gone
 * winds down and lets go, a live one refuses, and the newcomer reads until it can take over.
 */
export class WriterLock {
  readonly #options: WriterLockOptions;
  #lock: LockFile | undefined;
  #holder: Holder | undefined;
  #newcomer: Newcomer | undefined;
  #answered: ((answer: HolderAnswer | "gone") => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #releasing: Promise<boolean> | undefined;
  #started = false;
  #disposed = false;
  #trouble: string | undefined;

  constructor(options: WriterLockOptions) {
    this.#options = options;
  }

  get role(): Role {
    return this.#lock === undefined ? "reader" : "writer";
  }

  /** Why nobody could hold a lock here, where that is so: a folder that cannot be written to. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Takes the lock if it is free or let go on asking; otherwise goes on trying, and tells by `onChange`. */
  async start(): Promise<Role> {
    await this.#try();
    this.#started = true;
    return this.role;
  }

  /** Lets go, without asking anyone: the writer closes its store first. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    clearTimeout(this.#timer);
    this.#newcomer?.close();
    await this.#round;
    await this.#releasing;
    await this.#free();
  }

  #try(): Promise<void> {
    if (this.#disposed) return Promise.resolve();
    this.#round ??= this.#tryOnce().finally(() => {
      this.#round = undefined;
      this.#tryLater();
    });
    return this.#round;
  }

  #tryLater(): void {
    clearTimeout(this.#timer);
    if (this.#disposed || this.role === "writer") return;
    const ms = this.#options.askAgainMs ?? 5000;
    this.#timer = setTimeout(() => void this.#try(), ms).unref();
  }

  /** A host whose own window is gone never takes over: it would only be asked to let go again. */
  async #tryOnce(): Promise<void> {
    for (let asked = 0; asked < 3 && this.role === "reader"; asked += 1) {
      if (this.#started && !(await this.#isAlive())) return;
      if (await this.#take()) return;
      if ((await this.#ask()) !== "gone") return;
    }
  }

  async #take(): Promise<boolean> {
    if (this.#disposed) return false;
    const taken = LockFile.take(this.#options.folder);
    this.#trouble = taken.kind === "failed" ? taken.detail : undefined;
    if (taken.kind !== "taken") return false;
    this.#lock = taken.lock;
    this.#newcomer?.close();
    this.#newcomer = undefined;
    this.#holder = await this.#listen();
    if (this.#started) this.#options.onChange("writer");
    return true;
  }

  /** A lock without a door is still a lock: newcomers then wait until it is free. */
  #listen(): Promise<Holder | undefined> {
    return Holder.listen(this.#options.folder, (answer) => {
      void this.#consider(answer);
    }).catch(() => undefined);
  }

  /** Refused at once, or gone when the line to the holder ends: the lock may be free then. */
  #ask(): Promise<HolderAnswer | "gone" | undefined> {
    this.#newcomer ??= this.#connect();
    if (this.#newcomer === undefined) return Promise.resolve(undefined);
    const answered = new Promise<HolderAnswer | "gone">((resolve) => {
      this.#answered = (answer) => {
        if (answer !== "releasing") resolve(answer);
      };
    });
    this.#newcomer.ask();
    const { releaseWithinMs = 30_000 } = this.#options;
    return within(releaseWithinMs, answered, undefined).finally(() => {
      this.#answered = undefined;
    });
  }

  #connect(): Newcomer | undefined {
    const newcomer = Newcomer.connect(this.#options.folder, {
      answered: (answer) => this.#answered?.(answer),
      gone: () => {
        if (this.#newcomer === newcomer) this.#newcomer = undefined;
        if (this.#answered !== undefined) this.#answered("gone");
        else if (this.role === "reader") void this.#try();
      },
    });
    return newcomer;
  }

  async #consider(answer: (answer: HolderAnswer) => void): Promise<void> {
    if (this.#releasing === undefined && (await this.#isAlive())) {
      answer("refused");
      return;
    }
    answer("releasing");
    this.#releasing ??= this.#release().finally(() => {
      this.#releasing = undefined;
    });
    if (!(await this.#releasing)) answer("refused");
  }

  /** A writer that could not wind down keeps the lock: two writers would be worse. */
  async #release(): Promise<boolean> {
    try {
      await this.#options.onRelease();
    } catch {
      return false;
    }
    await this.#free();
    this.#options.onChange("reader");
    this.#tryLater();
    return true;
  }

  async #free(): Promise<void> {
    this.#lock?.release();
    this.#lock = undefined;
    const holder = this.#holder;
    this.#holder = undefined;
    await holder?.close();
  }

  #isAlive(): Promise<boolean> {
    const { answerWithinMs = 5000 } = this.#options;
    const alive = this.#options.isWindowAlive().catch(() => false);
    return within(answerWithinMs, alive, false);
  }
}
