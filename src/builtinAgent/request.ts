/** One thing the agent can be asked to do. */
export type Request =
  | { readonly kind: "help" }
  | { readonly kind: "workspace" }
  /** `orText`: when no file has that name, look for it in the text of all. */
  | {
      readonly kind: "find";
      readonly pattern: string;
      readonly orText: boolean;
    }
  | {
      readonly kind: "read";
      readonly target: Target;
      readonly range?: LineRange;
    }
  | {
      readonly kind: "search";
      readonly pattern: TextPattern;
      /** A path or glob that limits where. */
      readonly within?: string;
    }
  | { readonly kind: "edit"; readonly path: string; readonly change: Change }
  | { readonly kind: "run"; readonly command: string }
  | { readonly kind: "diagnostics" };

export type Intent =
  | Request
  | { readonly kind: "plan"; readonly steps: readonly Step[] }
  /** A command without what it needs. */
  | { readonly kind: "incomplete"; readonly command: string }
  | { readonly kind: "noSuchCommand"; readonly name: string }
  | { readonly kind: "unknown" };

export interface Step {
  readonly text: string;
  readonly request: Request;
}

export type Target =
  | { readonly kind: "path"; readonly path: string }
  /** One of the files named last, counted from 1; -1 is the last. */
  | { readonly kind: "ordinal"; readonly at: number }
  /** What is attached to the message. */
  | { readonly kind: "attached" };

export type LineRange =
  { readonly from: number; readonly to?: number } | { readonly last: number };

export type TextPattern =
  | { readonly kind: "literal"; readonly text: string }
  | {
      readonly kind: "regex";
      readonly source: string;
      readonly ignoreCase: boolean;
    };

export type Change =
  /** Every occurrence. */
  | { readonly kind: "replace"; readonly old: string; readonly new: string }
  | { readonly kind: "create"; readonly text: string };
