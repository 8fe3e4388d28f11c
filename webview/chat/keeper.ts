import { signal } from "@preact/signals";
import type { ViewMemory } from "../../src/protocol/viewState.ts";
import type { FieldText, Filled } from "./formValues.ts";
import { newest } from "./saved.ts";
import type { Draft, Edit, Place, Saved } from "./saved.ts";

const mostForms = 10;

/** Keeps what a view needs for its next life, written a moment after it changed. */
export class Keeper {
  readonly folds;
  /** Forms that are not sent yet, by question. */
  readonly forms;
  /** What is secret in them: for this life only. */
  readonly #secrets = signal<Readonly<Record<string, Filled>>>({});
  readonly #save: (saved: Saved) => void;
  readonly #later: (run: () => void, ms: number) => void;
  #saved: Saved;
  #waiting = false;

  constructor(
    saved: Saved,
    save: (saved: Saved) => void,
    later: (run: () => void, ms: number) => void,
  ) {
    this.#saved = saved;
    this.#save = save;
    this.#later = later;
    this.folds = signal(saved.folds);
    this.forms = signal(saved.forms ?? {});
  }

  get saved(): Saved {
    return this.#saved;
  }

  keepThread(thread: string): void {
    this.#keep({ ...this.#saved, thread });
  }

  keepDraft(thread: string, draft: Draft): void {
    const others = without(this.#saved.drafts, thread);
    const empty = draft.text === "" && (draft.attachments ?? []).length === 0;
    const drafts = empty ? others : { ...others, [thread]: draft };
    this.#keep({ ...this.#saved, drafts: newest(drafts) });
  }

  keepEdit(edit: Edit | undefined): void {
    const rest = without(this.#saved, "edit");
    this.#keep(edit === undefined ? rest : { ...rest, edit });
  }

  keepPlace(scroll: Place | undefined): void {
    const rest = without(this.#saved, "scroll");
    this.#keep(scroll === undefined ? rest : { ...rest, scroll });
  }

  /** Takes what the host kept of a thread; it is never older than what this view kept. */
  adopt(thread: string, { scroll, folds }: ViewMemory): void {
    this.folds.value = newest({ ...this.folds.value, ...folds });
    const rest = without(this.#saved, "scroll");
    this.#saved = {
      ...rest,
      folds: this.folds.value,
      ...(scroll === null ? {} : { scroll: { thread, ...scroll } }),
    };
  }

  memory(thread: string): ViewMemory {
    const { scroll, folds } = this.#saved;
    const here = scroll?.thread === thread ? scroll : undefined;
    return {
      scroll:
        here === undefined ? null : { key: here.key, offset: here.offset },
      folds,
    };
  }

  /** Whether a fold is open: as the user left it, else as it is by itself. */
  isOpen(id: string, byItself: boolean): boolean {
    return this.folds.value[id] ?? byItself;
  }

  fold(id: string, open: boolean): void {
    const folds = { ...without(this.folds.value, id), [id]: open };
    this.folds.value = newest(folds);
    this.#keep({ ...this.#saved, folds: this.folds.value });
  }

  keepForm(form: string, field: string, value: FieldText): void {
    const { [form]: filled = {}, ...others } = this.forms.value;
    this.#keepForms({ ...others, [form]: { ...filled, [field]: value } });
  }

  keepSecret(form: string, field: string, value: FieldText): void {
    const { [form]: filled = {}, ...others } = this.#secrets.value;
    this.#secrets.value = { ...others, [form]: { ...filled, [field]: value } };
  }

  filled(form: string): Filled {
    return { ...this.forms.value[form], ...this.#secrets.value[form] };
  }

  forgetForm(form: string): void {
    this.#secrets.value = without(this.#secrets.value, form);
    if (form in this.forms.value)
      this.#keepForms(without(this.forms.value, form));
  }

  #keepForms(forms: Readonly<Record<string, Filled>>): void {
    this.forms.value = newest(forms, mostForms);
    this.#keep({ ...this.#saved, forms: this.forms.value });
  }

  /** Writes at once: the view may be about to go. */
  flush(): void {
    this.#waiting = false;
    this.#save(this.#saved);
  }

  #keep(saved: Saved): void {
    this.#saved = saved;
    if (this.#waiting) return;
    this.#waiting = true;
    this.#later(() => {
      if (this.#waiting) this.flush();
    }, 300);
  }
}

function without<T extends object, K extends string>(
  record: T,
  key: K,
): Omit<T, K> {
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => name !== key),
  ) as Omit<T, K>;
}
