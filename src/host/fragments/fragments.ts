import path from "node:path";
import type { Fragment } from "../../core/compile/types.ts";
import type { AboutTurn } from "../../core/dispatch/lives.ts";
import type { AgentSpec } from "../../core/agentPort.ts";
import type { Log } from "../../core/ports.ts";
import type { Thread } from "../../core/thread.ts";
import type { ContextSettings } from "../settings.ts";
import type { Delegations } from "./delegations.ts";
import { editorText, type EditorFacts } from "./editorText.ts";
import type { PlanBook } from "./planBook.ts";
import type { ProjectFiles } from "./projectFiles.ts";
import { projectText, withoutCopies } from "./projectText.ts";
import { askersText, identityText, nudgesText, planText } from "./texts.ts";

export interface FragmentSources {
  readonly settings: () => ContextSettings;
  readonly roots: () => readonly string[];
  readonly agent: (id: string) => AgentSpec | undefined;
  /** Files an agent reads by itself, by what it is called and run with. */
  readonly readsItself: (names: readonly string[]) => readonly string[];
  readonly files: Pick<ProjectFiles, "of">;
  readonly plans: PlanBook;
  readonly delegations: Delegations;
  readonly editor: (thread: Thread) => EditorFacts;
  readonly log: Log;
}

/**
 * Everything an agent is told besides the conversation. Short, and nothing that it reads by itself.
 * Static ones go once to a session, dynamic ones whenever they have changed; an empty text is nothing to say.
 */
export class Fragments {
  readonly #sources: FragmentSources;

  constructor(sources: FragmentSources) {
    this.#sources = sources;
  }

  async of(thread: Thread, about?: AboutTurn): Promise<readonly Fragment[]> {
    const { settings, delegations, editor } = this.#sources;
    const { instructions, nudges, editor: shown } = settings();
    const { batch = [], session = null } = about ?? {};
    const plan = await this.#try("plan", () => this.#plan(thread.id, session));
    const handed = await this.#try("delegations", () =>
      delegations.text(thread.id),
    );
    const project = await this.#try("project", () => this.#project(thread));
    return [
      { id: "identity", lifecycle: "static", text: identityText },
      { id: "project", lifecycle: "static", text: project },
      { id: "instructions", lifecycle: "static", text: instructions.trim() },
      { id: "plan", lifecycle: "dynamic", text: plan },
      { id: "who asks", lifecycle: "dynamic", text: askersText(batch) },
      { id: "delegations", lifecycle: "dynamic", text: handed },
      { id: "reminders", lifecycle: "dynamic", text: nudgesText(nudges) },
      {
        id: "editor",
        lifecycle: "dynamic",
        text: shown.length === 0 ? "" : editorText(editor(thread), shown),
      },
    ];
  }

  async #project(thread: Thread): Promise<string> {
    const { settings, roots, files, agent, readsItself } = this.#sources;
    if (!settings().workspace) return "";
    const spec = agent(thread.agent);
    const others = roots().filter((root) => root !== thread.folder);
    const guides = await Promise.all(
      others.map(async (root) =>
        withoutCopies((await files.of(root)).guides).map((name) =>
          path.join(root, name),
        ),
      ),
    );
    return projectText({
      folder: thread.folder,
      others,
      otherGuides: guides.flat(),
      open: roots().length > 0,
      files: await files.of(thread.folder),
      readsItself: readsItself([
        thread.agent,
        spec?.command ?? "",
        ...(spec?.args ?? []),
      ]),
    });
  }

  async #plan(thread: string, session: string | null): Promise<string> {
    const plan = await this.#sources.plans.ofOthers(thread, session);
    return plan === undefined ? "" : planText(plan);
  }

  /** A turn does not fail for want of something that would only have been nice to know. */
  async #try(name: string, make: () => Promise<string>): Promise<string> {
    try {
      return await make();
    } catch (error) {
      this.#sources.log.warn("fragment.failed", { name, error: String(error) });
      return "";
    }
  }
}
