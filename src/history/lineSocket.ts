import type { Socket } from "node:net";

const longestLine = 4096;

/** Calls back with each line of JSON; anything else ends the connection. */
export function onLine(socket: Socket, take: (value: unknown) => void): void {
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (data: string) => {
    const lines = (rest + data).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const value = parsed(line);
      if (value === undefined) {
        socket.destroy();
        return;
      }
      take(value);
    }
    if (rest.length > longestLine) socket.destroy();
  });
}

export function sendLine(socket: Socket, value: unknown): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(value)}\n`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
