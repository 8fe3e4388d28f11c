import { endStyleProbe } from "./styleProbe.ts";
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
} from "@vscode/webview-ui-toolkit";
import { h } from "preact";
import type { ComponentChildren, JSX } from "preact";

/** The only place that knows the toolkit: leaf controls, so that another one fits behind the same names. */
export function registerControls(): void {
  endStyleProbe();
  provideVSCodeDesignSystem().register(vsCodeButton());
}

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick: () => void;
  readonly primary?: boolean | undefined;
  readonly slim?: boolean;
  readonly title?: string | undefined;
  readonly disabled?: boolean;
  readonly tabIndex?: number;
  readonly class?: string;
  readonly testid?: string;
  readonly data?: Readonly<Record<`data-${string}`, string>>;
}

export function Button(props: ButtonProps): JSX.Element {
  const { primary = false, slim = false, testid, data } = props;
  const names = ["btn", slim ? "slim" : "", props.class ?? ""];
  return h(
    "vscode-button",
    {
      appearance: primary ? "primary" : "secondary",
      class: [...names, primary ? "primary" : ""].filter(Boolean).join(" "),
      title: props.title,
      disabled: props.disabled ?? false,
      tabIndex: props.tabIndex,
      onClick: props.onClick,
      "data-testid": testid,
      ...data,
    },
    props.children,
  );
}
