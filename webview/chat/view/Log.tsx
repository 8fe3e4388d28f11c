import type { JSX, RefObject } from "preact";
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "preact/hooks";
import { Button } from "../controls.ts";
import type { Group } from "../groups.ts";
import { Stick } from "../stick.ts";
import { words } from "../strings.ts";
import { unfold } from "../spot.ts";
import { transition } from "../windowing.ts";
import { Batch } from "./Batch.tsx";
import { bring } from "./bring.ts";
import { useApp } from "./context.ts";
import { Icon } from "./Icon.tsx";
import { onLogKey } from "./logKeys.ts";
import { Virtual } from "./virtual.ts";
import type { VirtualHandle } from "./virtual.ts";

/** How near to an end of the window the next page is asked for. */
const ahead = 800;

/** The transcript: a window on a long thread, following its end only while the user is there. */
export function Log(): JSX.Element {
  const app = useApp();
  const target = app.store.groups.value;
  const more = app.store.is.more.value;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useRef<VirtualHandle>(null);
  const [stick] = useState(() => new Stick());
  const [away, setAway] = useState(false);
  const [focused, setFocused] = useState<string | undefined>(undefined);
  const inside = useInside(scroller);
  const asking = useRef(false);
  const { shown, shift } = useShown(target);

  const toEnd = useCallback(() => {
    const box = scroller.current;
    if (box !== null) box.scrollTop = box.scrollHeight;
  }, []);

  const onScroll = (): void => {
    const box = scroller.current;
    if (box === null) return;
    const mine = stick.scrolled(box, performance.now());
    setAway(!stick.stuck);
    const left = box.scrollHeight - box.clientHeight - box.scrollTop;
    if (box.scrollTop < ahead && more.before) page("before");
    else if (left < ahead && more.after) page("after");
    const handle = virtual.current;
    // While sizes are still being found out the view moves by itself; that is no place to come back to.
    if (handle === null || !mine) return;
    keepPlace();
  };

  const keepPlace = (): void => {
    const [box, handle] = [scroller.current, virtual.current];
    if (box === null || handle === null) return;
    const at = handle.findItemIndex(box.scrollTop);
    const key = shown[at]?.key;
    app.keeper.keepPlace(
      stick.stuck || key === undefined
        ? undefined
        : {
            thread: app.thread,
            key,
            offset: box.scrollTop - handle.getItemOffset(at),
          },
    );
  };

  const page = (to: "before" | "after" | "latest"): void => {
    if (asking.current) return;
    asking.current = true;
    void app.page(to).then(() => {
      asking.current = false;
    });
  };

  // Whatever grows, the end stays in sight for who is there.
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return undefined;
    const touched = (): void => stick.touched(performance.now());
    const gestures = ["wheel", "touchmove", "pointerdown", "keydown"] as const;
    for (const name of gestures)
      box.addEventListener(name, touched, { passive: true });
    return () => {
      for (const name of gestures) box.removeEventListener(name, touched);
    };
  }, []);

  useLayoutEffect(() => {
    if (stick.stuck) toEnd();
    const box = scroller.current;
    // A window too short to scroll would never ask for more.
    if (box !== null && more.before && box.scrollHeight <= box.clientHeight)
      page("before");
  }, [shown]);

  useLayoutEffect(() => {
    const { place } = app;
    const at = shown.findIndex(({ key }) => key === place?.key);
    stick.stuck = place === undefined || at < 0;
    if (stick.stuck) toEnd();
    else
      virtual.current?.scrollToIndex(at, {
        align: "start",
        offset: place?.offset ?? 0,
      });
    setAway(!stick.stuck);
  }, []);

  const latest = (): void => {
    stick.follow();
    setAway(false);
    app.keeper.keepPlace(undefined);
    if (app.store.state.more.after) page("latest");
    toEnd();
  };
  /** The button goes with the click; focus stays where it led. */
  const jump = (): void => {
    latest();
    scroller.current?.focus({ preventScroll: true });
  };

  const sent = useRef(app.drafts.sent.value);
  useEffect(() => {
    if (app.drafts.sent.value === sent.current) return;
    sent.current = app.drafts.sent.value;
    latest();
  }, [app.drafts.sent.value]);

  useEffect(() => {
    app.top = () => {
      const [box, handle] = [scroller.current, virtual.current];
      if (box === null || handle === null) return undefined;
      return shown[handle.findItemIndex(box.scrollTop)]?.key;
    };
  }, [shown]);

  const spot = app.reveal.spot.value;
  useLayoutEffect(() => {
    // Before anything is drawn: what comes next must not be pulled to the end.
    if (spot !== undefined) stick.stuck = false;
  }, [spot]);
  useEffect(() => {
    const [box, handle] = [scroller.current, virtual.current];
    const index = shown.findIndex(({ key }) => key === spot?.key);
    const group = shown[index];
    if (spot === undefined || box === null || handle === null) return undefined;
    if (group === undefined) return undefined;
    const marking = app.reveal.marking.peek();
    if (spot.message !== undefined)
      unfold(group, spot.message, marking?.wanted, app);
    setAway(true);
    return bring({
      ...{ box, virtual: handle, index, spot, marking },
      done: (found) => {
        if (app.reveal.spot.peek() === spot) app.reveal.spot.value = undefined;
        keepPlace();
        if (!spot.focus) return;
        (found ?? box).focus({ preventScroll: true });
      },
    });
  }, [spot, shown]);

  const { permissions, elicitations } = app.store.is;
  const questions = new Set(
    [...permissions.value, ...elicitations.value].map(({ batch }) => batch),
  );
  const kept = [
    shown.length - 1,
    ...shown.flatMap(({ key, batch }, i) =>
      key === focused || (batch !== null && questions.has(batch)) ? [i] : [],
    ),
  ].filter((index) => index >= 0);

  return (
    <div class="log-frame">
      <div
        class="log"
        role="log"
        aria-live="off"
        aria-label={words.transcript.label}
        data-region="log"
        tabIndex={inside ? -1 : 0}
        ref={scroller}
        onScroll={onScroll}
        onKeyDown={onLogKey}
        onFocusIn={(event) => {
          const element = event.target as Element;
          setFocused(
            element.closest<HTMLElement>("[data-key]")?.dataset["key"],
          );
        }}
      >
        <Virtual
          data={shown}
          scrollRef={scroller}
          ref={virtual}
          shift={shift}
          keepMounted={kept}
          bufferSize={1200}
          onResize={() => {
            if (stick.stuck) toEnd();
          }}
        >
          {(group) => (
            <div class="slot" key={group.key}>
              <Batch group={group} />
            </div>
          )}
        </Virtual>
      </div>
      {(away || more.after) && (
        <Button class="jump" testid="jump" onClick={jump}>
          <Icon name="arrow-down" small />
          {words.transcript.latest}
        </Button>
      )}
    </div>
  );
}

/** Whether something in the transcript has the focus: then that is its one stop for Tab, not the whole. */
function useInside(scroller: RefObject<HTMLElement | null>): boolean {
  const [inside, setInside] = useState(false);
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      const box = scroller.current;
      setInside(
        target instanceof Element &&
          target !== box &&
          box?.contains(target) === true &&
          target.closest(".ask") === null,
      );
    };
    document.addEventListener("focusin", onFocus);
    return () => document.removeEventListener("focusin", onFocus);
  }, []);
  return inside;
}

/** What is shown of the groups: a change at both ends takes two steps, so that the place can be kept. */
function useShown(target: readonly Group[]): {
  readonly shown: readonly Group[];
  readonly shift: boolean;
} {
  const last = useRef<readonly Group[]>([]);
  const [, again] = useState(0);
  const { shown, shift, done } = transition(last.current, target);
  useLayoutEffect(() => {
    last.current = shown;
    if (!done) again((n) => n + 1);
  });
  return { shown, shift };
}
