import { useEffect, useState } from "preact/hooks";
import { urisOf } from "../attach.ts";
import { useApp } from "./context.ts";

/** Files and editors can be dropped anywhere on the panel; true while something hangs over it. */
export function useDrop(): boolean {
  const app = useApp();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const takes = (event: DragEvent): boolean =>
      app.store.state.thread !== null &&
      app.store.state.readOnly === null &&
      carries(event.dataTransfer);
    const onOver = (event: DragEvent): void => {
      if (!takes(event)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "copy";
      setOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      // Null: it left the page, not one element for another.
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      const { dataTransfer: data } = event;
      if (!takes(event) || data === null) return;
      event.preventDefault();
      const files = [...data.files];
      const uris = urisOf(data);
      if (uris.length > 0) void app.hung.addUris(uris);
      else if (files.length > 0) void app.hung.addFiles(files);
      app.showThreads.value = false;
      app.reveal.part.value = { kind: "composer" };
    };
    const on = {
      dragenter: onOver,
      dragover: onOver,
      dragleave: onLeave,
      drop: onDrop,
    } as const;
    const names = ["dragenter", "dragover", "dragleave", "drop"] as const;
    for (const name of names) document.addEventListener(name, on[name]);
    return () => {
      for (const name of names) document.removeEventListener(name, on[name]);
    };
  }, []);
  return over;
}

const kinds: ReadonlySet<string> = new Set([
  "Files",
  "text/uri-list",
  "application/vnd.code.uri-list",
]);

function carries(data: DataTransfer | null): boolean {
  return data?.types.some((type) => kinds.has(type)) === true;
}
