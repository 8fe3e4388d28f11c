import { Channel } from "../../src/protocol/channel.ts";
import type { Reply } from "../../src/protocol/reply.ts";
import type { ToHost } from "../../src/protocol/toHost.ts";
import { toView } from "../../src/protocol/toView.ts";
import type { ToView } from "../../src/protocol/toView.ts";

/** What VS Code gives a webview, once. */
export interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

export interface Host {
  readonly post: (message: ToHost) => void;
  readonly request: (message: ToHost) => Promise<Reply>;
}

/** The view's end of the line. */
export function connect(
  api: WebviewApi,
  window: Window,
  handle: (message: ToView) => void,
): Host {
  const channel = new Channel<ToView, ToHost>({
    inbound: toView,
    send: (data) => api.postMessage(data),
    handle: (message) => {
      handle(message);
      return undefined;
    },
    report: ({ kind, message }) => {
      const text = `${kind}: ${message}`.slice(0, 10_000);
      channel.post({ type: "problem", text });
    },
  });
  window.addEventListener("message", (event) => channel.receive(event.data));
  return {
    post: (message) => channel.post(message),
    request: (message) => channel.request(message),
  };
}
