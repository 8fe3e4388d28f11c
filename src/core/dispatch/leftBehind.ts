import type { LeftProcess } from "../agentFeatures.ts";
import type { AgentFeatures } from "../agentPort.ts";
import type { Clock } from "../ports.ts";
import { lifeOf, type ThreadState } from "./state.ts";

/** What a cancelled tool may take to end by itself. */
const graceMs = 500;
const againMs = 5_000;

/** What an agent left running when its turn was cancelled: told until it has ended. */
export class LeftBehind {
  readonly #clock: Clock;
  readonly #tell: (left: readonly LeftProcess[]) => void;
  #features: AgentFeatures | undefined;
  #left: readonly LeftProcess[] = [];
  #timer: (() => void) | null = null;
  #look = 0;

  constructor(clock: Clock, tell: (left: readonly LeftProcess[]) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  get left(): readonly LeftProcess[] {
    return this.#left;
  }

  /** Some agents go on with a command after its turn was cancelled. */
  changed(
    before: ThreadState | null,
    after: ThreadState,
    featuresOf: (life: number) => AgentFeatures | undefined,
  ): void {
    if (lifeOf(before) !== lifeOf(after)) this.forget();
    const turn = before?.turn ?? null;
    const cancelled = turn?.phase === "sent" && turn.cancel !== null;
    if (cancelled && after.turn === null && after.agent.kind === "live")
      void this.cancelled(featuresOf(after.agent.life));
  }

  /** A turn was cancelled just now. What the next one starts is not of it, so only what runs already counts. */
  async cancelled(features: AgentFeatures | undefined): Promise<void> {
    if (features === undefined) return;
    this.#features = features;
    const look = ++this.#look;
    const now = await features.leftRunning();
    const before = new Set([...this.#left, ...now].map(keyOf));
    if (look === this.#look && before.size > 0) this.#later(graceMs, before);
  }

  /** Ends all of it; settles when it is known what is left. */
  async end(): Promise<void> {
    const features = this.#features;
    if (features === undefined) return;
    const known = new Set(this.#left.map(keyOf));
    await Promise.all(this.#left.map((one) => features.endLeft(one)));
    await this.#see(features, known);
  }

  /** The process is another, or gone with all it had started. */
  forget(): void {
    this.#look++;
    this.#features = undefined;
    this.#quiet();
    this.#become([]);
  }

  async #see(
    features: AgentFeatures,
    known: ReadonlySet<string>,
  ): Promise<void> {
    const look = ++this.#look;
    const now = await features.leftRunning();
    if (look !== this.#look) return;
    this.#become(now.filter((one) => known.has(keyOf(one))));
    if (this.#left.length > 0)
      this.#later(againMs, new Set(this.#left.map(keyOf)));
  }

  #later(ms: number, known: ReadonlySet<string>): void {
    this.#quiet();
    this.#timer = this.#clock.after(ms, () => {
      this.#timer = null;
      if (this.#features !== undefined) void this.#see(this.#features, known);
    });
  }

  #quiet(): void {
    this.#timer?.();
    this.#timer = null;
  }

  #become(left: readonly LeftProcess[]): void {
    const same =
      left.length === this.#left.length &&
      left.every((one, n) => keyOf(one) === keyOf(this.#left[n] ?? one));
    this.#left = left;
    if (!same) this.#tell(left);
  }
}

function keyOf({ pid, startTime }: LeftProcess): string {
  return `${pid} ${startTime}`;
}
