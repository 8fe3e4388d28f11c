import type { ToolContent } from "../core/message.ts";
import type { TerminalState } from "../core/agentFeatures.ts";
import { OutputTail } from "./outputTail.ts";
import { fields, number, text, type Fields } from "./parse.ts";
import type { ToolUpdate } from "./toolUpdate.ts";

type TerminalContent = Extract<ToolContent, { type: "terminal" }>;

interface Shown {
  readonly sessionId: string;
  content: readonly ToolContent[];
  stale: boolean;
}

interface Told {
  readonly tail: OutputTail;
  exitCode?: number;
}

const shownBytes = 32 * 1024;
const refreshMs = 100;
const rememberedTools = 200;

/**
 * Fills the terminals that tool calls show: those we run for the agent, and those it runs itself
 * and tells of in `_meta` (`terminal_output` and its kin). Output alone is shown at most ten times a second.
 */
export class TerminalViews {
  readonly #deliver: (sessionId: string, update: ToolUpdate) => void;
  readonly #ours = new Map<string, () => TerminalState>();
  readonly #told = new Map<string, Told>();
  readonly #tools = new Map<string, Shown>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deliver: (sessionId: string, update: ToolUpdate) => void) {
    this.#deliver = deliver;
  }

  /** The update with its terminals filled; undefined when there is nothing in it, or output alone, which follows by itself. */
  fill(
    sessionId: string,
    update: ToolUpdate,
    meta: Fields | undefined,
  ): ToolUpdate | undefined {
    const touched = this.#takeMeta(meta);
    if (update.content !== undefined)
      this.#remember(sessionId, update.toolCallId, update.content);
    const shown = this.#tools.get(update.toolCallId);
    if (shown !== undefined && touched) shown.stale = true;
    if (isBare(update)) {
      if (touched) this.#refreshSoon();
      return undefined;
    }
    if (shown === undefined) return update;
    if (update.content === undefined && !shown.stale) return update;
    shown.stale = false;
    return { ...update, content: this.#filled(shown.content) };
  }

  /** A terminal we run: `state` is read whenever it is shown. */
  add(terminalId: string, state: () => TerminalState): void {
    this.#ours.set(terminalId, state);
  }

  /** It is let go: only what is shown of it stays. */
  release(terminalId: string): void {
    const state = this.#ours.get(terminalId)?.();
    if (state === undefined) return;
    const last = { ...state, output: state.output.slice(-shownBytes) };
    this.#ours.set(terminalId, () => last);
  }

  changed(terminalId: string): void {
    for (const shown of this.#tools.values())
      if (shown.content.some((item) => isTerminal(item, terminalId)))
        shown.stale = true;
    this.#refreshSoon();
  }

  /** Shows what is not shown yet. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [toolCallId, shown] of this.#tools) {
      if (!shown.stale) continue;
      shown.stale = false;
      const content = this.#filled(shown.content);
      this.#deliver(shown.sessionId, { kind: "tool", toolCallId, content });
    }
  }

  #refreshSoon(): void {
    this.#timer ??= setTimeout(() => this.flush(), refreshMs).unref();
  }

  #remember(
    sessionId: string,
    toolCallId: string,
    content: readonly ToolContent[],
  ): void {
    this.#tools.delete(toolCallId);
    if (!content.some(({ type }) => type === "terminal")) return;
    this.#tools.set(toolCallId, { sessionId, content, stale: true });
    const [oldest] = this.#tools.keys();
    if (this.#tools.size > rememberedTools && oldest !== undefined)
      this.#tools.delete(oldest);
  }

  /** True when it told of a terminal's output or end. */
  #takeMeta(meta: Fields | undefined): boolean {
    const output = fields(
      meta?.["terminal_output"] ?? meta?.["terminal_output_delta"],
    );
    const exit = fields(meta?.["terminal_exit"]);
    const data = text(output?.["data"]);
    const written = text(output?.["terminal_id"]);
    if (written !== undefined && data !== undefined)
      this.#toldOf(written).tail.push(data);
    const ended = text(exit?.["terminal_id"]);
    const code = number(exit?.["exit_code"]);
    if (ended !== undefined && code !== undefined)
      this.#toldOf(ended).exitCode = code;
    return written !== undefined || ended !== undefined;
  }

  #toldOf(terminalId: string): Told {
    const known = this.#told.get(terminalId);
    if (known !== undefined) return known;
    const told: Told = { tail: new OutputTail(shownBytes) };
    this.#told.set(terminalId, told);
    return told;
  }

  #filled(content: readonly ToolContent[]): readonly ToolContent[] {
    return content.map((item) =>
      item.type === "terminal" ? this.#read(item.terminalId) : item,
    );
  }

  #read(terminalId: string): TerminalContent {
    const told = this.#told.get(terminalId);
    const ours = this.#ours.get(terminalId)?.();
    const output = ours?.output.slice(-shownBytes) ?? told?.tail.text() ?? "";
    const exitCode = ours?.exit?.code ?? told?.exitCode;
    const whole = ours?.output.length ?? told?.tail.bytes() ?? 0;
    return {
      type: "terminal",
      terminalId,
      output,
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(whole > shownBytes ? { cut: whole } : {}),
    };
  }
}

function isTerminal(item: ToolContent, terminalId: string): boolean {
  return item.type === "terminal" && item.terminalId === terminalId;
}

/** Nothing but the id. */
function isBare(update: ToolUpdate): boolean {
  return Object.keys(update).length === 2;
}
