/** Names an agent and its tools need from the host; anything else comes from the agent's own settings. */
const inherited = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TERM",
  "COLORTERM",
  "TZ",
  "TMPDIR",
  "TMP",
  "TEMP",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "DBUS_SESSION_BUS_ADDRESS",
  "SSH_AUTH_SOCK",
  // What tells an agent that a browser it opened would be out of the user's sight.
  "SSH_CONNECTION",
  "SSH_CLIENT",
  "SSH_TTY",
  "NO_BROWSER",
  "GPG_AGENT_INFO",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "ALL_PROXY",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "COMSPEC",
  "PATHEXT",
  "USERNAME",
  "USERDOMAIN",
  "USERPROFILE",
  "HOMEDRIVE",
  "HOMEPATH",
  "APPDATA",
  "LOCALAPPDATA",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "PROGRAMFILES(X86)",
  "PROGRAMW6432",
  "COMMONPROGRAMFILES",
  "PUBLIC",
  "OS",
  "NUMBER_OF_PROCESSORS",
  "PROCESSOR_ARCHITECTURE",
]);
const inheritedPrefixes = ["LC_", "XDG_"];

/** The name under which every process of a run can be found again. */
export const nonceName = "TURNLINE_RUN";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What an agent is started with: the host's everyday names, the agent's own, and the nonce.
 * `extra` names further variables of the host to pass on.
 */
export function agentEnvironment(
  host: Environment,
  own: Environment,
  nonce: string,
  extra: readonly string[] = [],
): Record<string, string> {
  const wanted = new Set(extra.map((name) => name.toUpperCase()));
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    const upper = name.toUpperCase();
    if (value !== undefined && (isInherited(upper) || wanted.has(upper)))
      result[name] = value;
  }
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined) continue;
    dropOtherSpellings(result, name);
    result[name] = value;
  }
  result[nonceName] = nonce;
  return result;
}

/** A variable by name; on Windows, whatever its case. */
export function variable(
  environment: Environment,
  name: string,
): string | undefined {
  const exact = environment[name];
  if (exact !== undefined) return exact;
  const upper = name.toUpperCase();
  return Object.entries(environment).find(
    ([key]) => key.toUpperCase() === upper,
  )?.[1];
}

function isInherited(upper: string): boolean {
  return (
    inherited.has(upper) ||
    inheritedPrefixes.some((prefix) => upper.startsWith(prefix))
  );
}

/** Windows holds `Path` where settings say `PATH`: two spellings must not both reach the process. */
function dropOtherSpellings(
  environment: Record<string, string>,
  name: string,
): void {
  if (process.platform !== "win32") return;
  const upper = name.toUpperCase();
  for (const key of Object.keys(environment))
    if (key.toUpperCase() === upper) Reflect.deleteProperty(environment, key);
}
