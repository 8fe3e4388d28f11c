import { effect, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Timeline } from "../app.ts";
import { onThemeChange, readColours } from "../colours.ts";
import { draw } from "../draw.ts";
import { Icon } from "../icons.tsx";
import { laneHeight } from "../picture.ts";
import { Card } from "./Card.tsx";
import { Lanes } from "./Lanes.tsx";
import { Overview } from "./Overview.tsx";
import { usePointer } from "./pointer.ts";
import { t } from "../../../src/util/l10n.ts";

/** The canvas draws what there is; elements over it are what a user can reach. */
export function Chart({ app }: { readonly app: Timeline }): JSX.Element {
  const size = useMemo(() => signal({ width: 0, height: 0 }), []);
  const top = useMemo(() => signal(0), []);
  const canvas = useRef<HTMLCanvasElement>(null);
  const field = useRef<HTMLDivElement>(null);
  usePointer(app, field, size);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d") ?? null;
    if (element === null || context === null) return undefined;
    const colours = signal(readColours(document));
    onThemeChange(document, () => {
      colours.value = readColours(document);
    });
    const watch = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element;
      size.value = { width, height };
    });
    watch.observe(element);
    let frame = 0;
    const stop = effect(() => {
      const { width, height } = size.value;
      const picture = {
        lanes: app.lanes.value,
        range: app.range.value,
        now: app.now.value,
        top: top.value,
        colours: colours.value,
        width,
        height,
      };
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        const ratio = window.devicePixelRatio;
        const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
        if (element.width !== w) element.width = w;
        if (element.height !== h) element.height = h;
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        draw(context, picture);
      });
    });
    return () => {
      stop();
      watch.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [app, size, top]);
  const lanes = app.lanes.value;
  return (
    <div class="chart">
      <div class="field-of-lanes" ref={field}>
        <canvas class="paper" ref={canvas} aria-hidden />
        <div
          class="lanes"
          role="group"
          aria-label={t("Turns by thread")}
          // A region that scrolls is reached by its turns.
          onScroll={({ currentTarget }) => {
            top.value = currentTarget.scrollTop;
          }}
        >
          <div
            class="lanes-all"
            style={{ height: `${lanes.length * laneHeight}px` }}
          >
            <Lanes app={app} width={size.value.width} />
          </div>
        </div>
        {lanes.length === 0 && (
          <p class="none small">
            {app.complete.value
              ? t("No turns to show. They appear here as you send messages.")
              : ""}
          </p>
        )}
      </div>
      <Overview app={app} />
      <Key />
      <Card app={app} width={size.value.width} top={top.value} />
    </div>
  );
}

function Key(): JSX.Element {
  return (
    <div class="key small" aria-hidden>
      <span>
        <i class="dot" />
        {t("typed")}
      </span>
      <span>
        <i class="dot from" />
        {t("from an agent")}
      </span>
      <span>
        <i class="dot set" />
        {t("from a trigger")}
      </span>
      <span>
        <i class="line" />
        {t("waits in queue")}
      </span>
      <span>
        <i class="comp" />
        {t("compile")}
      </span>
      <span>
        <i class="sg-think" />
        {t("thinking")}
      </span>
      <span>
        <i class="sg-tool" />
        {t("tools")}
      </span>
      <span>
        <i class="sg-perm" />
        {t("waits for you")}
      </span>
      <span>
        <i class="again" />
        {t("retry")}
      </span>
      <span>
        <i class="goes-on" />
        {t("continues")}
      </span>
      <span>
        <Icon name="error" small class="bad" />
        {t("failed")}
      </span>
      <span>
        <Icon name="circle-slash" small />
        {t("stopped")}
      </span>
      <span>
        <Icon name="debug-disconnect" small />
        {t("interrupted")}
      </span>
    </div>
  );
}
