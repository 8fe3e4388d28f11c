import { limit, tooLong } from "./limit.ts";
import { fields, text, type Fields } from "./parse.ts";

/** How agents tell unasked who is signed in, again with each change. */
export const accountTold = "_auth/status_update";

/** Who is signed in, as the agent last told unasked: empty when nobody is. */
export class Account {
  #told: string | undefined;
  #first: (told: string) => void = () => undefined;
  readonly #heard = new Promise<string>((resolve) => {
    this.#first = resolve;
  });

  /** One that can't find out says nothing. */
  get told(): string | undefined {
    return this.#told;
  }

  heard(params: unknown): void {
    const status = fields(fields(params)?.["authStatus"]);
    const kind = text(status?.["kind"]);
    if (status === undefined || kind === undefined) return;
    this.#told = kind === "none" ? "" : named(status, kind);
    this.#first(this.#told);
  }

  /** The first word, if it comes within this time. */
  async within(ms: number): Promise<string | undefined> {
    const began = performance.now();
    const first = await limit(this.#heard, ms, () => began);
    return first === tooLong ? undefined : (this.#told ?? first);
  }
}

function named(status: Fields, kind: string): string {
  const label = text(status["label"]) || kind;
  const detail =
    text(status["detail"]) || text(fields(status["account"])?.["email"]);
  return detail ? `${label}, ${detail}` : label;
}
