/** The theme's colours as a canvas takes them. */
export interface Colours {
  readonly bg: string;
  readonly fg: string;
  readonly fg2: string;
  readonly fg3: string;
  readonly hair: string;
  readonly accent: string;
  readonly link: string;
  readonly think: string;
  readonly tool: string;
  readonly perm: string;
  readonly bad: string;
  /** Only where the theme asks for contrast. */
  readonly border: string | null;
  readonly font: string;
}

const names = {
  bg: "--bg",
  fg: "--fg",
  fg2: "--fg-2",
  fg3: "--fg-3",
  hair: "--hair",
  accent: "--accent",
  link: "--link",
  think: "--think",
  tool: "--tool",
  perm: "--perm",
  bad: "--failed",
} as const;

/** Resolved by the browser, so that mixes and fallbacks are what the style sheet says. */
export function readColours(document: Document): Colours {
  const probe = document.createElement("i");
  probe.hidden = true;
  document.body.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const { bg, fg, fg2, fg3, hair, accent, link, think, tool, perm, bad } =
    names;
  const body = getComputedStyle(document.body);
  const contrast = /vscode-high-contrast/.test(document.body.className);
  const colours: Colours = {
    bg: read(bg),
    fg: read(fg),
    fg2: read(fg2),
    fg3: read(fg3),
    hair: read(hair),
    accent: read(accent),
    link: read(link),
    think: read(think),
    tool: read(tool),
    perm: read(perm),
    bad: read(bad),
    border: contrast ? read("--hair") : null,
    font: `11px ${body.fontFamily}`,
  };
  probe.remove();
  return colours;
}

export function onThemeChange(document: Document, run: () => void): void {
  new MutationObserver(run).observe(document.body, {
    attributes: true,
    attributeFilter: ["class", "data-vscode-theme-id"],
  });
  new MutationObserver(run).observe(document.documentElement, {
    attributes: true,
    attributeFilter: ["style"],
  });
}
