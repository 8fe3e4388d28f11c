import { endAllChildren } from "./children.ts";

/** Nobody listens any more, or the parent is gone: everything ends at once, children included. */
export function endWithParent(closed: Promise<void>): void {
  const end = (): void => {
    endAllChildren();
    process.exit(0);
  };
  void closed.then(end);
  process.stdin.once("end", end).once("close", end).once("error", end);
  process.stdout.once("error", end);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.once(signal, end);
  // A pipe that some other process holds open tells nothing of the parent's death.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, 250).unref();
  process.once("exit", endAllChildren);
}
