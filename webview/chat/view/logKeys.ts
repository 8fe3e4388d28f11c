/** Arrows inside the transcript: by turn, and within one by what can be acted on. */
export function onLogKey(event: KeyboardEvent): void {
  const log = event.currentTarget;
  const from = event.target;
  if (!(log instanceof HTMLElement) || !(from instanceof HTMLElement)) return;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (from.closest(".ask, .menu-root") !== null) return;
  if (scrollsOn(event.key, from)) return;
  const batch = from.closest(".slot")?.querySelector<HTMLElement>(".batch");
  const next = target(event.key, log, from, batch ?? null);
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

const scrollers = "pre, .table, .diff, .term";

const isDown = (key: string): boolean =>
  key === "ArrowDown" || key === "ArrowUp";

/** Whether something wide has more to show on that side: then the browser scrolls it. */
function scrollsOn(key: string, wide: HTMLElement): boolean {
  // A row that is cut with dots is wider than it shows, but nothing to scroll.
  if (!wide.matches(scrollers)) return false;
  if (key === "ArrowLeft") return wide.scrollLeft > 0;
  const left = wide.scrollWidth - wide.clientWidth - wide.scrollLeft;
  return key === "ArrowRight" && left >= 1;
}

/** In a turn, and in what stands below it. */
function actions(batch: HTMLElement): HTMLElement[] {
  const wanted = `button, vscode-button, a, ${scrollers}`;
  return [
    ...(batch.closest(".slot")?.querySelectorAll<HTMLElement>(wanted) ?? []),
  ].filter((element) => element.closest(".ask, .pop") === null);
}
