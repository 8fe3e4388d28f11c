/** Where `npm start` opens VS Code: on the desktop, headless for a browser, or not at all, and why. */
export type Place =
  | { readonly kind: "desktop" }
  | { readonly kind: "headless"; readonly reason: string }
  | { readonly kind: "nowhere"; readonly reason: string };

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `code --version` printed; undefined when there is none. */
  readonly code: string | undefined;
  /** The extension's `engines.vscode`. */
  readonly wanted: string;
}

export function placeOf({ platform, env, code, wanted }: Machine): Place {
  const reason = whyNotDesktop({ platform, env, code, wanted });
  if (reason === undefined) return { kind: "desktop" };
  return platform === "win32"
    ? {
        kind: "nowhere",
        reason: `${reason} Install VS Code ${lowest(wanted)} or newer and put \`code\` on the PATH, then run the same command again.`,
      }
    : { kind: "headless", reason };
}

/** Windows runs `code`, a batch file, through its shell, which splits at spaces what is not quoted. */
export function shellArgs(
  platform: NodeJS.Platform,
  args: readonly string[],
): readonly string[] {
  return platform === "win32" ? args.map((one) => `"${one}"`) : args;
}

function whyNotDesktop({
  platform,
  env,
  code,
  wanted,
}: Machine): string | undefined {
  if (code === undefined) return "there is no desktop VS Code here.";
  const version = /^\d+\.\d+\.\d+/mu.exec(code)?.[0];
  if (version === undefined)
    return "the `code` on the PATH does not tell its version.";
  if (isOlder(version, lowest(wanted)))
    return `the desktop VS Code here is ${version}, and Turnline needs ${lowest(wanted)}.`;
  const display = env["DISPLAY"] ?? env["WAYLAND_DISPLAY"] ?? "";
  if (platform === "linux" && display === "") return "there is no display.";
  return undefined;
}

const lowest = (wanted: string): string => wanted.replace(/^\D+/u, "");

function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((one) => one.split(".").map(Number));
  for (const [index, part] of (b ?? []).entries()) {
    const own = a?.[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}
