import { WriterLock } from "../../../src/history/writerLock.ts";

/** Holds, or waits for, a folder's lock until it is killed; prints its role whenever that changes. */
async function main(folder: string, alive: boolean): Promise<void> {
  const lock = new WriterLock({
    folder,
    isWindowAlive: () => Promise.resolve(alive),
    onRelease: () => Promise.resolve(),
    onChange: (role) => console.log(role),
  });
  console.log(await lock.start());
  setInterval(() => undefined, 60_000);
}

const [folder = "", alive = ""] = process.argv.slice(2);
void main(folder, alive === "alive");
