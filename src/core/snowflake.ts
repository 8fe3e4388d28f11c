import type { Snowflake } from "./message.ts";

const sequences = 0x1_0000;
const lastMillisecond = 0xffff_ffff_ffff;

/**
 * Gives strictly increasing Snowflakes, whatever the clock does: it only ever moves on from the greatest given or seen.
 * Seeded with the greatest stored one, it goes on increasing across restarts.
 */
export class SnowflakeGenerator {
  readonly #now: () => number;
  #millisecond = 0;
  #sequence = -1;

  constructor(now: () => number, greatest?: Snowflake) {
    this.#now = now;
    if (greatest !== undefined) this.see(greatest);
  }

  next(): Snowflake {
    const now = Math.trunc(this.#now());
    if (now > this.#millisecond && now <= lastMillisecond) {
      this.#millisecond = now;
      this.#sequence = 0;
    } else if (this.#sequence + 1 < sequences) {
      this.#sequence += 1;
    } else {
      this.#millisecond += 1;
      this.#sequence = 0;
    }
    return snowflake(this.#millisecond, this.#sequence);
  }

  /** Everything given from now on is greater than `id`, which came from elsewhere (an import, another writer). */
  see(id: Snowflake): void {
    const millisecond = snowflakeTime(id);
    const sequence = snowflakeSequence(id);
    if (
      millisecond > this.#millisecond ||
      (millisecond === this.#millisecond && sequence > this.#sequence)
    ) {
      this.#millisecond = millisecond;
      this.#sequence = sequence;
    }
  }
}

/** The wall-clock milliseconds at which a Snowflake was given. */
export function snowflakeTime(id: Snowflake): number {
  return Number.parseInt(id.slice(0, 12), 16);
}

export function isSnowflake(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text);
}

export function snowflake(millisecond: number, sequence: number): Snowflake {
  return (
    millisecond.toString(16).padStart(12, "0") +
    sequence.toString(16).padStart(4, "0")
  );
}

function snowflakeSequence(id: Snowflake): number {
  return Number.parseInt(id.slice(12), 16);
}
