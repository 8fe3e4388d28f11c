import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { App } from "../app.ts";
import { Composer } from "./Composer.tsx";
import { AppContext, useApp } from "./context.ts";
import { Find } from "./Find.tsx";
import { GoneThread } from "./GoneThread.tsx";
import { Head } from "./Head.tsx";
import { Hello } from "./Hello.tsx";
import { Log } from "./Log.tsx";
import { Notices } from "./Notices.tsx";
import { LooseQuestions } from "./Questions.tsx";
import { Queue } from "./Queue.tsx";
import { useDrop } from "./drop.ts";
import { onRegionKey, revealed } from "./regions.ts";
import { words } from "../strings.ts";
import { Threads } from "./Threads.tsx";
import { useFocusKept } from "./useFocusKept.ts";
import { useMarks } from "./useMarks.ts";

export function Root({ app }: { readonly app: App }): JSX.Element {
  return (
    <AppContext.Provider value={app}>
      <Panel />
      <LiveRegions />
    </AppContext.Provider>
  );
}

function Panel(): JSX.Element {
  const app = useApp();
  const { store } = app;
  const over = useDrop();
  useEffect(() => {
    document.addEventListener("keydown", onRegionKey);
    return () => document.removeEventListener("keydown", onRegionKey);
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const command = event.ctrlKey || event.metaKey;
      if (!command || event.altKey || event.shiftKey || event.code !== "KeyF")
        return;
      event.preventDefault();
      app.find.open(selectedText());
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => {
    const what = app.reveal.part.value;
    if (what === undefined) return;
    // Once is enough: what is drawn anew later must not take the focus again.
    app.reveal.part.value = undefined;
    if (what.kind !== "region") app.showThreads.value = what.kind === "threads";
    requestAnimationFrame(() => revealed(what));
  }, [app.reveal.part.value]);
  useEffect(() => {
    const spot = app.reveal.spot.value;
    if (spot?.key !== null) return;
    app.reveal.spot.value = undefined;
    document
      .querySelector(`.queue [data-id="${CSS.escape(spot.message ?? "")}"]`)
      ?.scrollIntoView({ block: "nearest" });
  }, [app.reveal.spot.value]);
  useMarks();
  useFocusKept();
  if (!store.ready.value) return <main class="panel" aria-busy="true" />;
  const empty = store.groups.value.length === 0;
  return (
    <main class="panel">
      <Head />
      <Find />
      {app.showThreads.value ? (
        <Threads />
      ) : (
        <>
          {empty && store.is.queue.value.length === 0 ? (
            <Hello />
          ) : (
            <Log key={store.is.thread.value?.id} />
          )}
          <div class="below">
            {app.threads.gone.value !== undefined && (
              <GoneThread gone={app.threads.gone.value} />
            )}
            <LooseQuestions />
            <Notices />
            <Queue />
          </div>
          <Composer />
        </>
      )}
      {over && (
        <div class="drop" data-testid="drop" aria-hidden="true">
          {words.composer.drop}
        </div>
      )}
    </main>
  );
}

/** What is selected on one line is most likely what is looked for. */
function selectedText(): string {
  const text = getSelection()?.toString() ?? "";
  return text.includes("\n") ? "" : text;
}

function LiveRegions(): JSX.Element {
  const { live } = useApp();
  return (
    <>
      <div class="sr" aria-live="polite" data-testid="live-polite">
        {live.polite.value}
      </div>
      <div class="sr" aria-live="assertive" data-testid="live-assertive">
        {live.assertive.value}
      </div>
    </>
  );
}
