import { useEffect } from "preact/hooks";

/** What has its own idea of where focus goes next has it within this many frames. */
const patience = 2;

/** Focus never falls to nowhere: when what has it is gone or can't have it any more, the composer gets it. */
export function useFocusKept(): void {
  useEffect(() => {
    let last: Element | undefined;
    const lost = (): boolean =>
      last !== undefined &&
      document.hasFocus() &&
      (!last.isConnected || last.matches(":disabled")) &&
      (document.activeElement === document.body ||
        document.activeElement === last);
    const settle = (frames = patience): void => {
      if (!lost()) return;
      if (frames > 0) requestAnimationFrame(() => settle(frames - 1));
      else
        document
          .querySelector<HTMLElement>("[data-testid=composer]")
          ?.focus({ preventScroll: true });
    };
    const onFocus = ({ target }: FocusEvent): void => {
      last = target instanceof Element ? target : undefined;
    };
    // Who leaves for nowhere on purpose is let go; what is removed is told apart a moment later.
    const onBlur = ({ target }: FocusEvent): void => {
      setTimeout(() => {
        const left = target === last && document.activeElement !== last;
        if (left && last?.isConnected === true && document.hasFocus())
          last = undefined;
      });
    };
    const watch = new MutationObserver(() => settle());
    watch.observe(document.body, {
      ...{ subtree: true, childList: true },
      attributeFilter: ["disabled"],
    });
    const onWindow = (): void => settle();
    document.addEventListener("focusin", onFocus);
    document.addEventListener("focusout", onBlur);
    window.addEventListener("focus", onWindow);
    return () => {
      watch.disconnect();
      document.removeEventListener("focusin", onFocus);
      document.removeEventListener("focusout", onBlur);
      window.removeEventListener("focus", onWindow);
    };
  }, []);
}
