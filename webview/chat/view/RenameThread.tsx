import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import { Icon } from "./Icon.tsx";

interface Props {
  readonly id: string;
  readonly title: string;
  readonly done: () => void;
}

/** A thread's title as a field: Enter and leaving it save, Escape does not. */
export function RenameThread({ id, title, done }: Props): JSX.Element {
  const app = useApp();
  const field = useRef<HTMLInputElement>(null);
  const over = useRef(false);
  useLayoutEffect(() => field.current?.select(), []);
  const end = (save: boolean): void => {
    // The field loses its focus when it goes: that is no second end.
    if (over.current) return;
    over.current = true;
    const named = field.current?.value.trim() ?? "";
    if (save && named !== "" && named !== title)
      void app.asked({ type: "renameThread", thread: id, title: named });
    done();
  };
  return (
    <label class="field">
      <Icon name="edit" small />
      <input
        class="grow"
        ref={field}
        defaultValue={title}
        aria-label={words.threads.renameLabel}
        data-testid="thread-rename"
        onBlur={() => end(true)}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === "Enter") end(true);
          else if (event.key === "Escape") end(false);
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
    </label>
  );
}
