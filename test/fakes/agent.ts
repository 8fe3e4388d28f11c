import type {
  AgentBlock,
  AgentCapabilities,
  AgentEvents,
  AgentFailure,
  AgentFailureKind,
  AgentPort,
  AgentSpec,
  AgentUpdate,
  Answer,
  LiveAgent,
  OpenedSession,
  SessionOptions,
  TurnResult,
} from "../../src/core/agentPort.ts";
import type { SessionChange } from "../../src/core/agentFeatures.ts";
import type {
  PermissionOption,
  ProcessIdentity,
} from "../../src/core/message.ts";

export const capable: AgentCapabilities = {
  name: "scripted",
  version: "1",
  load: true,
  resume: true,
  image: true,
  embeddedContext: true,
  systemPrompt: false,
  additionalDirectories: false,
};

/** What a prompt does by itself; without a script it waits to be driven. */
export type Script = (turn: PromptedTurn) => void;

export interface FakeAgentOptions {
  readonly capabilities?: Partial<AgentCapabilities>;
  readonly script?: Script;
  /** Fails these starts, one after the other; null lets one through. */
  readonly startFailures?: (AgentFailureKind | null)[];
  readonly newFailures?: (AgentFailureKind | null)[];
  readonly resumeFailures?: (AgentFailureKind | null)[];
  /** What it calls the session it was to take up; the same, if left out. */
  readonly resumesAs?: string;
  /** What a session repeats of itself when it is loaded. */
  readonly replay?: readonly AgentUpdate[];
  /** What it says aloud while it takes a session up, as if it were new. */
  readonly stray?: readonly AgentUpdate[];
  /** The same of itself. */
  readonly strayChanges?: readonly SessionChange[];
  /** What it gives to know of how it took a session up. */
  readonly openNotice?: OpenedSession["notice"];
  /** Answers probes; false for an agent that knows no such thing. */
  readonly probes?: boolean;
  /** How a cancel is answered; `ignore` leaves the turn running. */
  readonly onCancel?: "cancelled" | "end_turn" | "error" | "ignore";
}

export function failure(kind: AgentFailureKind): AgentFailure {
  return { kind, message: `It failed: ${kind}.` };
}

/** Agents in memory, on the port's contract. Every act is noted in `acts`, in order. */
export class FakeAgents implements AgentPort {
  readonly acts: string[] = [];
  readonly processes: FakeProcess[] = [];
  readonly leftovers: ProcessIdentity[] = [];
  readonly options: {
    -readonly [K in keyof FakeAgentOptions]: FakeAgentOptions[K];
  };
  /** Starts wait for this. */
  startGate: () => Promise<void> = () => Promise.resolve();
  leftoverGate: () => Promise<void> = () => Promise.resolve();
  endGate: () => Promise<void> = () => Promise.resolve();
  /** Session ids the agents' own storage knows, across processes. */
  readonly sessions = new Set<string>();

  constructor(options: FakeAgentOptions = {}) {
    this.options = { ...options };
  }

  async start(
    spec: AgentSpec,
    folder: string,
    events: AgentEvents,
    stopped: Promise<void> = new Promise(() => undefined),
  ): Promise<Answer<LiveAgent>> {
    this.acts.push(`start ${spec.id}`);
    const stop = stopped.then(() => "stopped" as const);
    if ((await Promise.race([this.startGate(), stop])) === "stopped")
      return { ok: false, failure: failure("exited") };
    const kind = this.options.startFailures?.shift() ?? null;
    if (kind !== null) return { ok: false, failure: failure(kind) };
    const own = new FakeProcess(this, spec, folder, events);
    this.processes.push(own);
    return { ok: true, value: own };
  }

  async endLeftover(identity: ProcessIdentity): Promise<void> {
    await this.leftoverGate();
    this.leftovers.push(identity);
    this.acts.push(`leftover ${identity.nonce}`);
  }

  get process(): FakeProcess {
    const last = this.processes.at(-1);
    if (last === undefined) throw new Error("No process was started.");
    return last;
  }

  /** The prompt that waits for its response, in the newest process. */
  get turn(): PromptedTurn {
    const { turn } = this.process;
    if (turn === null) throw new Error("No prompt is running.");
    return turn;
  }

  /** The texts of every prompt written, in order. */
  get prompts(): readonly string[] {
    return this.turns.map(({ text }) => text);
  }

  get turns(): readonly PromptedTurn[] {
    return this.processes.flatMap(({ turns }) => turns);
  }

  get alive(): readonly FakeProcess[] {
    return this.processes.filter(({ over }) => !over);
  }
}

export class FakeProcess implements LiveAgent {
  readonly identity: ProcessIdentity;
  readonly capabilities: AgentCapabilities;
  readonly spec: AgentSpec;
  readonly events: AgentEvents;
  readonly turns: PromptedTurn[] = [];
  readonly answers: { readonly id: string; readonly option: string | null }[] =
    [];
  readonly opened: SessionOptions[] = [];
  readonly resumed: SessionOptions[] = [];
  probed = 0;
  /** Stopped: nothing is answered, nothing is heard. */
  stopped = false;
  over = false;
  turn: PromptedTurn | null = null;
  /** Prompts that were in flight at once, at most. */
  most = 0;
  readonly #port: FakeAgents;
  #open = new Set<string>();
  #nextPermission = 1;

  constructor(
    port: FakeAgents,
    spec: AgentSpec,
    _folder: string,
    events: AgentEvents,
  ) {
    this.#port = port;
    this.spec = spec;
    this.events = events;
    const number = port.processes.length + 1;
    this.identity = { nonce: `n${number}`, pid: 1000 + number, startTime: "1" };
    this.capabilities = { ...capable, ...port.options.capabilities };
  }

  newSession(options: SessionOptions): Promise<Answer<OpenedSession>> {
    this.opened.push(options);
    const kind = this.#port.options.newFailures?.shift() ?? null;
    if (kind !== null) return answer(kind);
    const sessionId = `s${this.#port.sessions.size + 1}`;
    this.#port.sessions.add(sessionId);
    this.#port.acts.push(`new ${sessionId}`);
    return Promise.resolve({ ok: true, value: { sessionId, replay: [] } });
  }

  resumeSession(
    sessionId: string,
    options: SessionOptions,
  ): Promise<Answer<OpenedSession>> {
    this.resumed.push(options);
    this.#port.acts.push(`resume ${sessionId}`);
    const kind = this.#port.options.resumeFailures?.shift() ?? null;
    if (kind !== null) return answer(kind);
    if (!this.#port.sessions.has(sessionId)) return answer("noSession");
    const { replay = [], resumesAs, openNotice: notice } = this.#port.options;
    const { stray = [], strayChanges = [] } = this.#port.options;
    for (const update of stray) this.say(sessionId, update);
    for (const change of strayChanges) this.events.session?.(sessionId, change);
    const opened = { sessionId: resumesAs ?? sessionId, replay };
    this.#port.sessions.add(opened.sessionId);
    const value = notice === undefined ? opened : { ...opened, notice };
    return Promise.resolve({ ok: true, value });
  }

  prompt(
    sessionId: string,
    blocks: readonly AgentBlock[],
  ): Promise<Answer<TurnResult>> {
    const turn = new PromptedTurn(this, sessionId, blocks);
    this.turns.push(turn);
    this.most = Math.max(
      this.most,
      this.turns.filter((one) => !one.settled).length,
    );
    this.#port.acts.push(`prompt ${turn.text}`);
    if (this.over) turn.fail("exited");
    else {
      this.turn = turn;
      this.#port.options.script?.(turn);
    }
    return turn.result;
  }

  cancel(sessionId: string): void {
    this.#port.acts.push(`cancel ${sessionId}`);
    if (this.stopped) return;
    for (const id of [...this.#open]) this.#gone(id);
    const { turn } = this;
    const how = this.#port.options.onCancel ?? "cancelled";
    if (turn === null || how === "ignore") return;
    if (how === "error") turn.fail("refused");
    else turn.end(how);
  }

  answerPermission(id: string, option: string | null): void {
    this.answers.push({ id, option });
    this.#open.delete(id);
  }

  probe(): Promise<boolean> {
    this.probed += 1;
    if (this.over) return Promise.resolve(false);
    if (this.stopped || this.#port.options.probes === false)
      return new Promise(() => undefined);
    this.events.alive();
    return Promise.resolve(true);
  }

  async end(): Promise<void> {
    if (!this.over) {
      this.over = true;
      this.#port.acts.push(`end ${this.identity.nonce}`);
      this.turn?.fail("exited");
      for (const id of [...this.#open]) this.#gone(id);
      this.events.ended(failure("exited"));
    }
    await this.#port.endGate();
  }

  /** Dies by itself. */
  die(): void {
    this.over = true;
    this.#port.acts.push(`die ${this.identity.nonce}`);
    this.turn?.fail("exited");
    for (const id of [...this.#open]) this.#gone(id);
    this.events.ended(failure("exited"));
  }

  say(sessionId: string, update: AgentUpdate): void {
    if (this.stopped || this.over) return;
    this.events.alive();
    this.events.update(sessionId, update);
  }

  ask(sessionId: string, toolCallId: string): string {
    const id = `p${this.#nextPermission++}`;
    this.#open.add(id);
    this.events.alive();
    this.events.permission({
      id,
      sessionId,
      tool: { kind: "tool", toolCallId, title: `Run ${toolCallId}` },
      options,
    });
    return id;
  }

  #gone(id: string): void {
    this.#open.delete(id);
    this.events.permissionGone(id);
  }
}

/** One prompt, to be answered by hand or by a script. */
export class PromptedTurn {
  readonly process: FakeProcess;
  readonly sessionId: string;
  readonly blocks: readonly AgentBlock[];
  readonly result: Promise<Answer<TurnResult>>;
  settled = false;
  #settle: (answer: Answer<TurnResult>) => void = () => undefined;

  constructor(
    process: FakeProcess,
    sessionId: string,
    blocks: readonly AgentBlock[],
  ) {
    this.process = process;
    this.sessionId = sessionId;
    this.blocks = blocks;
    this.result = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get text(): string {
    return this.blocks
      .map((block) => (block.type === "text" ? block.text : `[${block.type}]`))
      .join("|");
  }

  say(text: string): this {
    return this.tell({ kind: "text", text });
  }

  tell(update: AgentUpdate): this {
    this.process.say(this.sessionId, update);
    return this;
  }

  ask(toolCallId: string): string {
    return this.process.ask(this.sessionId, toolCallId);
  }

  end(stopReason = "end_turn", usage?: TurnResult["usage"]): void {
    this.#over({
      ok: true,
      value: { stopReason, ...(usage === undefined ? {} : { usage }) },
    });
  }

  fail(kind: AgentFailureKind): void {
    this.#over({ ok: false, failure: failure(kind) });
  }

  #over(answer: Answer<TurnResult>): void {
    if (this.settled) return;
    this.settled = true;
    if (this.process.turn === this) this.process.turn = null;
    this.#settle(answer);
  }
}

export const options: readonly PermissionOption[] = [
  { id: "yes", name: "Allow", kind: "allow_once" },
  { id: "no", name: "Reject", kind: "reject_once" },
];

function answer(kind: AgentFailureKind): Promise<Answer<OpenedSession>> {
  return Promise.resolve({ ok: false, failure: failure(kind) });
}
