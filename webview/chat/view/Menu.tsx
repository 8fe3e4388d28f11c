import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { IconName } from "../icons.ts";
import { Icon, IconButton } from "./Icon.tsx";

export interface MenuItem {
  readonly label: string;
  readonly run: () => void;
  readonly icon?: IconName;
  readonly title?: string;
  readonly checked?: boolean;
  /** Starts a new part of the menu. */
  readonly rule?: boolean;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly icon?: IconName;
  readonly small?: boolean;
  readonly up?: boolean;
  readonly tabIndex?: number;
}

/** A button with a list of actions; focus goes back to the button when it closes. */
export function Menu(props: MenuProps): JSX.Element {
  const [open, setOpen] = useState(false);
  const [up, setUp] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const close = (back: boolean): void => {
    setOpen(false);
    if (back) root.current?.querySelector("button")?.focus();
  };
  useLayoutEffect(() => {
    if (!open) return undefined;
    root.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
    const outside = (event: Event): void => {
      if (!(event.target instanceof Node)) return;
      if (root.current?.contains(event.target) !== true) setOpen(false);
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  }, [open]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!open) return;
    const items = [
      ...(root.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ??
        []),
    ];
    const at = items.findIndex((item) => item === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[
      event.key
    ];
    if (to !== undefined) items.at(to % items.length)?.focus();
    else if (event.key === "Escape") close(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span class="menu-root" ref={root} onKeyDown={onKeyDown}>
      <IconButton
        name={props.icon ?? "ellipsis"}
        label={props.label}
        small={props.small ?? false}
        tabIndex={props.tabIndex ?? 0}
        menu
        expanded={open}
        onClick={() => {
          setUp(props.up ?? isLow(root.current));
          setOpen(!open);
        }}
      />
      {open && (
        <div
          class={`pop menu ${up ? "is-up" : ""}`}
          role="menu"
          aria-label={props.label}
        >
          {props.items.map((item) => (
            <button
              key={item.label}
              type="button"
              class={`row ${item.rule === true ? "ruled" : ""}`}
              role={item.checked === undefined ? "menuitem" : "menuitemradio"}
              aria-checked={item.checked}
              tabIndex={-1}
              title={item.title ?? item.label}
              onClick={() => {
                close(true);
                item.run();
              }}
            >
              <span class="mk">
                {item.checked === true ? (
                  <Icon name="check" />
                ) : (
                  item.icon !== undefined && <Icon name={item.icon} />
                )}
              </span>
              <span class="cut grow">{item.label}</span>
            </button>
          ))}
        </div>
      )}
    </span>
  );
}

/** Below the middle of the view a list opens upwards: below it there may be no room. */
function isLow(button: HTMLElement | null): boolean {
  const { top } = button?.getBoundingClientRect() ?? { top: 0 };
  return top > window.innerHeight / 2;
}
