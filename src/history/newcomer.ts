import net from "node:net";
import { answerSchema, holderAddress } from "./holder.ts";
import type { HolderAnswer } from "./holder.ts";
import { onLine, sendLine } from "./lineSocket.ts";

/** A window's line to the one that holds the lock. */
export class Newcomer {
  readonly #socket: net.Socket;
  readonly #token: string;

  private constructor(socket: net.Socket, token: string) {
    this.#socket = socket;
    this.#token = token;
  }

  /** Undefined when nobody can be asked. `gone` is called once when the line ends: the lock may be free. */
  static connect(
    folder: string,
    events: { answered(answer: HolderAnswer): void; gone(): void },
  ): Newcomer | undefined {
    const address = holderAddress(folder);
    if (address === undefined) return undefined;
    const socket = net.connect(address.socket);
    socket.unref();
    socket.on("error", () => socket.destroy());
    socket.on("close", () => events.gone());
    onLine(socket, (value) => {
      const parsed = answerSchema.safeParse(value);
      if (parsed.success) events.answered(parsed.data.answer);
      else socket.destroy();
    });
    return new Newcomer(socket, address.token);
  }

  ask(): void {
    sendLine(this.#socket, { ask: "release", token: this.#token });
  }

  close(): void {
    this.#socket.destroy();
  }
}
