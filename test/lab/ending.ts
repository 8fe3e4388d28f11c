const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
let listening = false;

/** Calls `end`, which cannot wait, when this process ends; answers how to forget it. */
export function atExit(end: () => void): () => void {
  process.on("exit", end);
  return () => process.off("exit", end);
}

/** A signal by itself ends a process without a word to what listens for its exit. */
export function exitOnSignals(): void {
  if (listening) return;
  listening = true;
  for (const signal of signals) process.on(signal, () => process.exit(130));
}

/** The first signal stops in good order; a second one of a terminal's Ctrl-C does not wait for that. */
export function stopOnSignals(stop: () => void): void {
  let pressed = 0;
  let stopping = false;
  for (const signal of signals)
    process.on(signal, () => {
      // Whoever started us may tell us of the same Ctrl-C again, as SIGTERM.
      if (signal === "SIGINT" && ++pressed > 1) process.exit(130);
      if (stopping) return;
      stopping = true;
      stop();
    });
}
