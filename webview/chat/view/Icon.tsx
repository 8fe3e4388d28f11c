import type { JSX } from "preact";
import { icons } from "../icons.ts";
import type { IconName } from "../icons.ts";

interface IconProps {
  readonly name: IconName;
  readonly small?: boolean;
  readonly class?: string | undefined;
  readonly title?: string | undefined;
}

export function Icon({
  name,
  small = false,
  class: more,
  title,
}: IconProps): JSX.Element {
  const names = ["codicon", small ? "sm" : "", more ?? ""];
  return (
    <span
      class={names.filter(Boolean).join(" ")}
      aria-hidden={title === undefined}
      {...(title === undefined
        ? {}
        : { role: "img", title, "aria-label": title })}
      // Our own pictures, from the bundle.
      dangerouslySetInnerHTML={{ __html: icons[name] }}
    />
  );
}

interface IconButtonProps {
  readonly name: IconName;
  readonly label: string;
  readonly title?: string | undefined;
  readonly onClick: (event: MouseEvent) => void;
  readonly small?: boolean;
  readonly class?: string;
  readonly tabIndex?: number;
  readonly disabled?: boolean;
  readonly testid?: string;
  readonly expanded?: boolean;
  readonly menu?: boolean;
  readonly pressed?: boolean;
}

export function IconButton(props: IconButtonProps): JSX.Element {
  return (
    <button
      type="button"
      class={`ico ${props.class ?? ""}`}
      aria-label={props.label}
      title={props.title ?? props.label}
      tabIndex={props.tabIndex ?? 0}
      disabled={props.disabled ?? false}
      data-testid={props.testid}
      aria-expanded={props.expanded}
      aria-pressed={props.pressed}
      aria-haspopup={props.menu === true ? "menu" : undefined}
      onClick={props.onClick}
    >
      <Icon name={props.name} small={props.small ?? false} />
    </button>
  );
}
