import { randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import * as z from "zod";
import { readJson, writeAtomically } from "./atomicFile.ts";
import { onLine, sendLine } from "./lineSocket.ts";

/** What a newcomer sends, and what it is told. */
export const askSchema = z.object({
  ask: z.literal("release"),
  token: z.string(),
});
export const answerSchema = z.object({
  answer: z.enum(["refused", "releasing"]),
});
export type HolderAnswer = z.infer<typeof answerSchema>["answer"];

const addressSchema = z.object({ socket: z.string(), token: z.string() });
export type Address = z.infer<typeof addressSchema>;

/** Where the holder of a folder's lock can be asked; the file is readable by its user alone. */
export function holderAddress(folder: string): Address | undefined {
  return addressSchema.safeParse(readJson(addressFile(folder))).data;
}

/** Listens for newcomers on behalf of the window that holds the lock. */
export class Holder {
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  readonly #folder: string;

  private constructor(folder: string, server: net.Server) {
    this.#folder = folder;
    this.#server = server;
  }

  /** `asked` answers refused, or releasing and later closes: the end of the line means that the lock is free. */
  static async listen(
    folder: string,
    asked: (answer: (answer: HolderAnswer) => void) => void,
  ): Promise<Holder> {
    forgetStale(folder);
    const token = randomBytes(16).toString("hex");
    const socket = socketPath();
    const server = net.createServer();
    const holder = new Holder(folder, server);
    server.on("connection", (connection) => {
      holder.#sockets.add(connection);
      connection.on("close", () => holder.#sockets.delete(connection));
      connection.on("error", () => connection.destroy());
      onLine(connection, (value) => {
        const parsed = askSchema.safeParse(value);
        if (!parsed.success || parsed.data.token !== token)
          connection.destroy();
        else asked((answer) => sendLine(connection, { answer }));
      });
    });
    server.listen(socket);
    await once(server, "listening");
    server.unref();
    try {
      writeAtomically(addressFile(folder), JSON.stringify({ socket, token }));
    } catch (error) {
      // An address that nobody can read must not leave a door open.
      await holder.close();
      throw error;
    }
    return holder;
  }

  /** Newcomers notice at once: their connections end. */
  async close(): Promise<void> {
    fs.rmSync(addressFile(this.#folder), { force: true });
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.end();
    await closed;
  }
}

function addressFile(folder: string): string {
  return path.join(folder, "writer.json");
}

/** Short, since systems allow a socket's path about a hundred bytes. */
function socketPath(): string {
  const name = `turnline-${randomBytes(8).toString("hex")}`;
  return process.platform === "win32"
    ? `\\\\.\\pipe\\${name}`
    : path.join(os.tmpdir(), `${name}.sock`);
}

/** A holder that was killed leaves its socket behind. */
function forgetStale(folder: string): void {
  const stale = holderAddress(folder)?.socket;
  if (stale !== undefined && /turnline-[0-9a-f]{16}\.sock$/.test(stale))
    fs.rmSync(stale, { force: true });
}
