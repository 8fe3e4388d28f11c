import type { Log } from "../../src/core/ports.ts";

export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Keeps what was logged. */
export class MemoryLog implements Log {
  readonly lines: LogLine[] = [];

  debug(event: string, data = {}): void {
    this.lines.push({ level: "debug", event, data });
  }
  info(event: string, data = {}): void {
    this.lines.push({ level: "info", event, data });
  }
  warn(event: string, data = {}): void {
    this.lines.push({ level: "warn", event, data });
  }
  error(event: string, data = {}): void {
    this.lines.push({ level: "error", event, data });
  }

  of(event: string): readonly LogLine[] {
    return this.lines.filter((line) => line.event === event);
  }
}
