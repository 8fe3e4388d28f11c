import type * as vscode from "vscode";
import * as z from "zod";
import type { KnownSecrets } from "../util/redact.ts";

const namesKey = "turnline.secretNames";
const prefix = "turnline.secret.";
const place = /\$\{secret:([^}]+)\}/gu;

export type Filled<T> =
  | { readonly ok: true; readonly value: T }
  /** The name of a secret that is not set. */
  | { readonly ok: false; readonly missing: string };

/** Secrets of the user's, kept by VS Code in the system's own keychain. Settings name them; only processes get them. */
export class Secrets {
  readonly #storage: vscode.SecretStorage;
  readonly #memento: vscode.Memento;
  readonly #known: KnownSecrets;

  constructor(
    {
      secrets,
      globalState,
    }: Pick<vscode.ExtensionContext, "secrets" | "globalState">,
    known: KnownSecrets,
  ) {
    this.#storage = secrets;
    this.#memento = globalState;
    this.#known = known;
  }

  /** The store itself lists nothing. */
  names(): readonly string[] {
    const parsed = z.array(z.string()).safeParse(this.#memento.get(namesKey));
    return parsed.success ? parsed.data : [];
  }

  /** From now on none of them is told in a log, a trace, an error or an export. */
  async learn(): Promise<void> {
    await Promise.all(this.names().map((name) => this.get(name)));
  }

  /** From now on told nowhere, though it is not kept. */
  hide(value: string): void {
    this.#known.add(value);
  }

  async get(name: string): Promise<string | undefined> {
    const value = await this.#storage.get(prefix + name);
    if (value !== undefined) this.#known.add(value);
    return value;
  }

  async set(name: string, value: string): Promise<void> {
    this.#known.add(value);
    await this.#storage.store(prefix + name, value);
    await this.#remember([...new Set([...this.names(), name])]);
  }

  async delete(name: string): Promise<void> {
    await this.#storage.delete(prefix + name);
    await this.#remember(this.names().filter((one) => one !== name));
  }

  /** Puts the secrets in the places of their names. */
  async fill(
    values: Readonly<Record<string, string>>,
  ): Promise<Filled<Readonly<Record<string, string>>>> {
    const filled: Record<string, string> = {};
    for (const [key, text] of Object.entries(values)) {
      let value = text;
      for (const [whole, name = ""] of text.matchAll(place)) {
        const secret = await this.get(name.trim());
        if (secret === undefined) return { ok: false, missing: name.trim() };
        value = value.replace(whole, () => secret);
      }
      filled[key] = value;
    }
    return { ok: true, value: filled };
  }

  #remember(names: readonly string[]): Thenable<void> {
    return this.#memento.update(namesKey, names);
  }
}
