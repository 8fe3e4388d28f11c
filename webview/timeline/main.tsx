import "../chat/language.ts";
import { effect } from "@preact/signals";
import { render } from "preact";
import type { WebviewApi } from "../chat/host.ts";
import { Timeline } from "./app.ts";
import { connect } from "./host.ts";
import { readSaved } from "./saved.ts";
import { Root } from "./view/Root.tsx";
import "../chat/css/tokens.css";
import "../chat/css/buttons.css";
import "../chat/css/motion.css";
import "./css/timeline.css";
import "./css/chart.css";
import "./css/overview.css";
import "./css/card.css";
import "./css/figures.css";
import "./css/table.css";
import "./css/narrow.css";

declare function acquireVsCodeApi(): WebviewApi;

const api = acquireVsCodeApi();
const post = connect(api, window, (message) => app.take(message));
const app = new Timeline(post, () => Date.now(), readSaved(api));
effect(() => api.setState(app.saved.value));

const problem = (what: unknown): void => {
  // The browser's word for sizes that settle over two frames.
  if (String(what).startsWith("ResizeObserver loop")) return;
  app.problem(
    what instanceof Error ? (what.stack ?? what.message) : String(what),
  );
};
window.addEventListener("error", (event) =>
  problem(event.error ?? event.message),
);
window.addEventListener("unhandledrejection", (event) => problem(event.reason));
setInterval(() => {
  if (!document.hidden && app.live.value) app.tick();
}, 500);

const root = document.getElementById("root");
if (root !== null) render(<Root app={app} />, root);
app.ready();
