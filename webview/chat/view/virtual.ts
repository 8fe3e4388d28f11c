import type { ComponentChildren, ComponentType, Ref, RefObject } from "preact";
import { Virtualizer } from "virtua";

export interface VirtualHandle {
  readonly scrollOffset: number;
  findItemIndex(offset: number): number;
  getItemOffset(index: number): number;
  scrollToIndex(
    index: number,
    options?: { readonly align?: "start" | "end"; readonly offset?: number },
  ): void;
}

export interface VirtualProps<T> {
  readonly data: readonly T[];
  readonly children: (item: T, index: number) => ComponentChildren;
  readonly scrollRef: RefObject<HTMLElement | null>;
  readonly ref: Ref<VirtualHandle>;
  readonly shift: boolean;
  readonly keepMounted: readonly number[];
  readonly bufferSize?: number;
  readonly onResize: () => void;
}

/** virtua, which is written for React and runs on preact/compat, under the types of what is used here. */
export const Virtual = Virtualizer as unknown as <T>(
  props: VirtualProps<T>,
) => ReturnType<ComponentType & (() => never)>;
