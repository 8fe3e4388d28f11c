import bellDot from "@vscode/codicons/src/icons/bell-dot.svg" with { type: "text" };
import check from "@vscode/codicons/src/icons/check.svg" with { type: "text" };
import circleSlash from "@vscode/codicons/src/icons/circle-slash.svg" with { type: "text" };
import debugDisconnect from "@vscode/codicons/src/icons/debug-disconnect.svg" with { type: "text" };
import debugPause from "@vscode/codicons/src/icons/debug-pause.svg" with { type: "text" };
import error from "@vscode/codicons/src/icons/error.svg" with { type: "text" };
import exporting from "@vscode/codicons/src/icons/export.svg" with { type: "text" };
import filter from "@vscode/codicons/src/icons/filter.svg" with { type: "text" };
import inspect from "@vscode/codicons/src/icons/inspect.svg" with { type: "text" };
import loading from "@vscode/codicons/src/icons/loading.svg" with { type: "text" };
import screenFull from "@vscode/codicons/src/icons/screen-full.svg" with { type: "text" };
import table from "@vscode/codicons/src/icons/table.svg" with { type: "text" };
import zoomIn from "@vscode/codicons/src/icons/zoom-in.svg" with { type: "text" };
import zoomOut from "@vscode/codicons/src/icons/zoom-out.svg" with { type: "text" };
import type { JSX } from "preact";

const icons = {
  "bell-dot": bellDot,
  check,
  "circle-slash": circleSlash,
  "debug-disconnect": debugDisconnect,
  "debug-pause": debugPause,
  error,
  export: exporting,
  filter,
  inspect,
  loading,
  "screen-full": screenFull,
  table,
  "zoom-in": zoomIn,
  "zoom-out": zoomOut,
} as const;

export type TimelineIcon = keyof typeof icons;

export function Icon(props: {
  readonly name: TimelineIcon;
  readonly small?: boolean;
  readonly class?: string;
}): JSX.Element {
  const small = props.small === true ? "sm" : "";
  return (
    <span
      class={`codicon ${small} ${props.class ?? ""}`}
      aria-hidden
      // Our own pictures, from the bundle.
      dangerouslySetInnerHTML={{ __html: icons[props.name] }}
    />
  );
}

export function IconButton(props: {
  readonly name: TimelineIcon;
  readonly label: string;
  readonly title?: string;
  readonly pressed?: boolean;
  readonly testid?: string;
  readonly onClick: () => void;
}): JSX.Element {
  return (
    <button
      type="button"
      class="ico"
      aria-label={props.label}
      title={props.title ?? props.label}
      aria-pressed={props.pressed}
      data-testid={props.testid}
      onClick={props.onClick}
    >
      <Icon name={props.name} />
    </button>
  );
}
