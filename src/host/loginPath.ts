import { execFile } from "node:child_process";

const mark = "__turnline_path__";
const limitMs = 5_000;

/** The search path of the user's login shell: an editor started from a desktop lacks what the shell's own files add. */
export function loginPath(
  shell = process.env["SHELL"],
  platform: NodeJS.Platform = process.platform,
): Promise<string> {
  if (platform === "win32" || shell === undefined || shell === "")
    return Promise.resolve("");
  return new Promise((resolve) => {
    const child = execFile(
      shell,
      ["-ilc", `printf '%s%s%s' ${mark} "$PATH" ${mark}`],
      { timeout: limitMs, killSignal: "SIGKILL", windowsHide: true },
      (_, said) => resolve(said.split(mark)[1] ?? ""),
    );
    child.stdin?.end();
  });
}
