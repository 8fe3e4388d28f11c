import type { Reveal } from "../revealDesk.ts";

/** Alt+P goes to the open question. F6 is a command of ours; the browser must not take it for its own. */
export function onRegionKey(event: KeyboardEvent): void {
  if (event.key === "F6") event.preventDefault();
  else if (event.altKey && event.code === "KeyP") {
    event.preventDefault();
    document.querySelector<HTMLElement>(".ask")?.focus();
  }
}

/** Goes around the regions: focus moves only when asked. */
function goAround(back: boolean): void {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")];
  const at = regions.findIndex((one) => one.contains(document.activeElement));
  const to = (at + (back ? -1 : 1) + regions.length) % regions.length;
  enter(regions[at < 0 ? regions.length - 1 : to]);
}

type Named = Exclude<Reveal, { kind: "batch" | "find" }>;

/** Frames until what was just opened is drawn. */
const patience = 60;

/** Gives the focus to what the host names. Turns are the transcript's own business: they may not be drawn. */
export function revealed(what: Named, tries = patience): void {
  if (what.kind === "region") {
    goAround(what.back);
    return;
  }
  const found = document.querySelector<HTMLElement>(selectorOf(what));
  if (found === null && tries > 0)
    requestAnimationFrame(() => revealed(what, tries - 1));
  found?.scrollIntoView({ block: "nearest" });
  found?.focus();
}

function selectorOf(what: Exclude<Named, { kind: "region" }>): string {
  switch (what.kind) {
    case "composer":
      return "[data-testid=composer]";
    case "threads":
      return ".threads input";
    case "permission":
      return ".ask";
    case "queue":
      if (what.edit !== undefined) return "[data-testid=queue-edit-text]";
      return what.item === undefined
        ? "[data-testid=queue-item][tabindex='0']"
        : `[data-testid=queue-item][data-id="${CSS.escape(what.item)}"]`;
  }
}

function enter(region: HTMLElement | undefined): void {
  if (region === undefined) return;
  const inside = region.querySelector<HTMLElement>(
    "textarea, li[tabindex='0'], input:not([hidden]), button:not([tabindex='-1'])",
  );
  (region.tabIndex >= 0 ? region : inside)?.focus();
}
