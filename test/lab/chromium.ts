import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

const names = [
  // The same engine without a browser around it: a third less work for every page that is opened.
  "chromium-headless-shell",
  "chrome-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "msedge",
];
const places = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/** What headless runs need: no sandbox for root, no traffic of the browser's own. */
export const browserArgs: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** An installed Chrome or Chromium; on Debian, as root, it is installed through apt. */
export function findBrowser(say: (line: string) => void): string {
  // Looked for once: processes started from here on are told.
  return (process.env["TURNLINE_BROWSER"] = lookForBrowser(say));
}

function lookForBrowser(say: (line: string) => void): string {
  const found = installedBrowser();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    say("installing Chromium through apt (once) …");
    aptGet("update", "-qq");
    const install = ["install", "-y", "-qq", "--no-install-recommends"];
    const fonts = ["fonts-liberation", "fonts-dejavu-core"];
    if (!aptGet(...install, "chromium-headless-shell", ...fonts))
      aptGet(...install, "chromium", ...fonts);
    const fresh = installedBrowser();
    if (fresh !== undefined) return fresh;
  }
  throw new Error(
    "No Chrome or Chromium was found. Install one, or set TURNLINE_BROWSER to its executable, then run the same command again.",
  );
}

function aptGet(...args: readonly string[]): boolean {
  const { status } = spawnSync("apt-get", args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return status === 0;
}

function installedBrowser(): string | undefined {
  const named = process.env["TURNLINE_BROWSER"];
  if (named !== undefined) return named;
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  const onPath = names.flatMap((name) =>
    folders.map((folder) => path.join(folder, name)),
  );
  return [...onPath, ...places].find((file) => existsSync(file) && runs(file));
}

function runs(file: string): boolean {
  try {
    execFileSync(file, ["--version"], { stdio: "ignore", timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}
