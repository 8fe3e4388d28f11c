import type { ComponentChildren, JSX } from "preact";
import { useApp, useTabStop } from "./context.ts";
import { Icon } from "./Icon.tsx";

interface Props {
  /** Under which the fold is remembered. */
  readonly name: string;
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A part that most will not want to see. */
export function Fold({ name, label, children }: Props): JSX.Element {
  const app = useApp();
  const stop = useTabStop();
  const open = app.keeper.isOpen(name, false);
  return (
    <div class="folded">
      <button
        type="button"
        class="fold small"
        tabIndex={stop}
        data-nav
        aria-expanded={open}
        onClick={() => app.keeper.fold(name, !open)}
      >
        <Icon name={open ? "chevron-down" : "chevron-right"} small />
        {label}
      </button>
      {open && children}
    </div>
  );
}
