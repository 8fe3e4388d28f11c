import { Channel } from "../../src/protocol/channel.ts";
import { toTimeline } from "../../src/protocol/timeline.ts";
import type { FromTimeline, ToTimeline } from "../../src/protocol/timeline.ts";
import type { WebviewApi } from "../chat/host.ts";

export type Post = (message: FromTimeline) => void;

/** The timeline's end of the line. */
export function connect(
  api: WebviewApi,
  window: Window,
  handle: (message: ToTimeline) => void,
): Post {
  const channel = new Channel<ToTimeline, FromTimeline>({
    inbound: toTimeline,
    send: (data) => api.postMessage(data),
    handle: (message) => {
      handle(message);
      return undefined;
    },
    report: ({ kind, message }) =>
      channel.post({
        type: "problem",
        text: `${kind}: ${message}`.slice(0, 10_000),
      }),
  });
  window.addEventListener("message", (event) => channel.receive(event.data));
  return (message) => channel.post(message);
}
