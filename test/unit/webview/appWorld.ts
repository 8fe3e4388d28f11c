import assert from "node:assert/strict";
import { Channel } from "../../../src/protocol/channel.ts";
import type { ToHost } from "../../../src/protocol/toHost.ts";
import { toView } from "../../../src/protocol/toView.ts";
import type { ToView } from "../../../src/protocol/toView.ts";
import type { ViewState } from "../../../src/protocol/viewState.ts";
import { App } from "../../../webview/chat/app.ts";
import { fresh } from "../../../webview/chat/saved.ts";
import type { Saved } from "../../../webview/chat/saved.ts";
import { FakeHost } from "../../fixtures/webviewDev/fakeHost.ts";

export interface World {
  readonly app: App;
  readonly host: FakeHost;
  /** What the view would find in its next life. */
  readonly saved: () => Saved;
  readonly heard: (type: ToHost["type"]) => readonly ToHost[];
}

/** A view on a fake host; frames come at once, timers when the view is about to go. */
export function open(state: ViewState, kept: Saved = fresh): World {
  let saved = kept;
  let ids = 0;
  const host: FakeHost = new FakeHost(
    state,
    () => 0,
    (data) => channel.receive(structuredClone(data)),
  );
  const channel: Channel<ToView, ToHost> = new Channel<ToView, ToHost>({
    inbound: toView,
    send: (data) => host.receive(structuredClone(data)),
    handle: (one) => {
      app.take(one);
      return undefined;
    },
    report: ({ message: text }) => assert.fail(text),
  });
  const app: App = new App(
    {
      host: {
        post: (one) => channel.post(one),
        request: (one) => channel.request(one),
      },
      save: (next) => (saved = next),
      frames: {
        next: (run) => run(),
        free: (run) => run(),
        typing: false,
      },
      later: () => undefined,
      clock: () => 0,
      newId: () => `new${++ids}`,
    },
    kept,
  );
  app.ask();
  const heard = (type: ToHost["type"]): readonly ToHost[] =>
    host.heard.filter((one) => one.type === type);
  return {
    app,
    host,
    saved: () => {
      app.flush();
      return saved;
    },
    heard,
  };
}

/** What waits, as the view shows it. */
export const texts = ({ app }: World): readonly string[] =>
  app.store.is.queue.value.map(({ text }) => text);
