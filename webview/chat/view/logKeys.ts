/** Arrows inside the transcript: by turn, and within one by what can be acted on. */
export function onLogKey(event: KeyboardEvent): void {
  const log = event.currentTarget;
  const from = event.target;
  if (!(log instanceof HTMLElement) || !(from instanceof HTMLElement)) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (from.closest(".ask, .menu-root, .after") !== null) return;
  const batch = from.closest<HTMLElement>(".batch");
  const next = target(event.key, log, from, batch);
  if (next === undefined) return;
  event.preventDefault();
  if (next === "toggle") from.click();
  else {
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }
}

function target(
  key: string,
  log: HTMLElement,
  from: HTMLElement,
  batch: HTMLElement | null,
): HTMLElement | "toggle" | undefined {
  const batches = [...log.querySelectorAll<HTMLElement>(".batch")];
  if (batch === null)
    return from === log && isDown(key) ? batches.at(-1) : undefined;
  if (from === batch) {
    const at = batches.indexOf(batch);
    if (key === "ArrowUp") return batches[at - 1];
    if (key === "ArrowDown") return batches[at + 1];
    return key === "ArrowRight" || key === "Enter"
      ? actions(batch)[0]
      : undefined;
  }
  const inside = actions(batch);
  const at = inside.indexOf(from);
  const expanded = from.getAttribute("aria-expanded");
  switch (key) {
    case "ArrowDown":
      return inside[at + 1];
    case "ArrowUp":
      return inside[at - 1] ?? batch;
    case "ArrowRight":
      return expanded === "false" ? "toggle" : inside[at + 1];
    case "ArrowLeft":
      return expanded === "true" ? "toggle" : batch;
    case "Escape":
      return batch;
    default:
      return undefined;
  }
}

const isDown = (key: string): boolean =>
  key === "ArrowDown" || key === "ArrowUp";

function actions(batch: HTMLElement): HTMLElement[] {
  return [
    ...batch.querySelectorAll<HTMLElement>("button, a, pre, .diff, .term"),
  ].filter((element) => element.closest(".ask, .pop") === null);
}
