import { spawn } from "node:child_process";
import { once } from "node:events";
import { bundled, storeWorker } from "../fakes/realStore.ts";

/** Opens as a user who may only do what the file modes say: root may do anything. */
export function asNobody(folder: string): Promise<unknown> {
  return opened(folder, [], {
    ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
  });
}

/** Opens where the system refuses every byte that is written to a file. */
export function withoutRoom(folder: string): Promise<unknown> {
  // Ignored, the signal of a file that may not grow becomes an error of the write.
  const shell = ["sh", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "sh"];
  return opened(folder, shell, {});
}

async function opened(
  folder: string,
  shell: readonly string[],
  user: { readonly uid?: number; readonly gid?: number },
): Promise<unknown> {
  const own = [
    await bundled("test/crash/children/openChild.ts"),
    folder,
    await storeWorker(),
  ];
  const [command = process.execPath, ...before] = shell;
  const args = shell.length === 0 ? own : [...before, process.execPath, ...own];
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "inherit"],
    ...user,
  });
  let text = "";
  child.stdout.on("data", (data: Buffer) => (text += data.toString()));
  await once(child, "close");
  return JSON.parse(text);
}
