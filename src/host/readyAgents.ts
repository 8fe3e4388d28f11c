import type { McpServer } from "../core/agentFeatures.ts";
import type { AgentSpec, Answer } from "../core/agentPort.ts";
import type { KnownSecrets } from "../util/redact.ts";
import type { AgentCatalog } from "./agentCatalog.ts";
import type { Filled, Secrets } from "./secrets.ts";
import type { Settings } from "./settings.ts";
import { t } from "../util/l10n.ts";

/** Agents and servers as they are started: with the user's secrets in place. */
export class ReadyAgents {
  readonly #catalog: Pick<AgentCatalog, "resolveFurther">;
  readonly #secrets: Secrets;
  readonly #known: KnownSecrets;
  readonly #settings: () => Pick<Settings, "mcpServers">;

  constructor(
    catalog: Pick<AgentCatalog, "resolveFurther">,
    secrets: Secrets,
    known: KnownSecrets,
    settings: () => Pick<Settings, "mcpServers">,
  ) {
    this.#catalog = catalog;
    this.#secrets = secrets;
    this.#known = known;
    this.#settings = settings;
  }

  /** How to run an agent, or why it cannot be run: a secret that is missing, its own or a server's, is named before anything starts. */
  async resolve(id: string): Promise<Answer<AgentSpec>> {
    const spec = await this.#catalog.resolveFurther(id);
    if (!spec.ok) return spec;
    const env = await this.#secrets.fill(spec.value.env);
    if (!env.ok) return notSet(env.missing);
    this.#known.addFrom(env.value);
    for (const server of this.#settings().mcpServers) {
      const filled = await this.#server(server);
      if (!filled.ok) return notSet(filled.missing);
    }
    return { ok: true, value: { ...spec.value, env: env.value } };
  }

  /** Those whose secrets are there; the others have kept the agent from starting. */
  async servers(): Promise<readonly McpServer[]> {
    const filled = await Promise.all(
      this.#settings().mcpServers.map((server) => this.#server(server)),
    );
    return filled.flatMap((one) => (one.ok ? [one.value] : []));
  }

  async #server(server: McpServer): Promise<Filled<McpServer>> {
    const values = server.type === "stdio" ? server.env : server.headers;
    const filled = await this.#secrets.fill(values);
    if (!filled.ok) return filled;
    this.#known.addFrom(filled.value);
    return {
      ok: true,
      value:
        server.type === "stdio"
          ? { ...server, env: filled.value }
          : { ...server, headers: filled.value },
    };
  }
}

function notSet(name: string): Answer<never> {
  const message = notSetSentence(name);
  return { ok: false, failure: { kind: "refused", message } };
}

/** The name of the secret that a failure was about. */
export function missingSecret(cause: string): string | undefined {
  const [before = "", after = ""] = notSetSentence("\0").split("\0");
  const name = cause.slice(before.length, cause.length - after.length);
  return name !== "" && cause === notSetSentence(name) ? name : undefined;
}

function notSetSentence(name: string): string {
  return t('The secret "{0}" is not set.', name);
}
