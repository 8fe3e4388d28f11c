import "./language.ts";
import { render } from "preact";
import { App } from "./app.ts";
import { registerControls } from "./controls.ts";
import { Frames } from "./frames.ts";
import { connect } from "./host.ts";
import type { WebviewApi } from "./host.ts";
import { revived } from "./saved.ts";
import { Root } from "./view/Root.tsx";
import "./css/tokens.css";
import "./css/buttons.css";
import "./css/motion.css";
import "./css/panel.css";
import "./css/transcript.css";
import "./css/tools.css";
import "./css/forms.css";
import "./css/markdown.css";
import "./css/queue.css";
import "./css/composer.css";
import "./css/lists.css";
import "./css/find.css";
import "./css/narrow.css";

declare function acquireVsCodeApi(): WebviewApi;

const api = acquireVsCodeApi();
const host = connect(api, window, (message) => app.take(message));
const app = new App(
  {
    host,
    save: (saved) => api.setState(saved),
    frames: new Frames(window),
    later: (run, ms) => void setTimeout(run, ms),
    clock: () => Date.now(),
    newId: () => crypto.randomUUID(),
  },
  revived(api.getState()),
);

const problem = (what: unknown): void => {
  // The browser's word for sizes that settle over two frames.
  if (String(what).startsWith("ResizeObserver loop")) return;
  const text =
    what instanceof Error ? (what.stack ?? what.message) : String(what);
  app.post({ type: "problem", text: text.slice(0, 10_000) });
};
window.addEventListener("error", (event) =>
  problem(event.error ?? event.message),
);
window.addEventListener("unhandledrejection", (event) => problem(event.reason));
const focus = (on: boolean): void => app.post({ type: "focus", on });
window.addEventListener("focus", () => focus(true));
window.addEventListener("blur", () => focus(false));
window.addEventListener("pagehide", () => app.flush());
document.addEventListener("visibilitychange", () => app.flush());
setInterval(() => {
  if (!document.hidden) app.tick();
}, 1_000);

registerControls();
const root = document.getElementById("root");
if (root !== null) render(<Root app={app} />, root);
app.ask();
// The keyboard may have come before there was anyone to tell.
if (document.hasFocus()) focus(true);
