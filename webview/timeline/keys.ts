import type { Timeline } from "./app.ts";

/** What has the keyboard: a field keeps its keys, a button its Enter. */
export type KeyPlace = "field" | "button" | "turn" | "page";

/** Keys for the whole view; answers whether the key was one of them. */
export function act(
  app: Timeline,
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">,
  on: KeyPlace,
): boolean {
  if (on === "field" || event.ctrlKey || event.metaKey || event.altKey)
    return false;
  const told = app.told.value;
  switch (event.key) {
    case "i":
    case "I":
      if (told !== undefined) app.inspect(told);
      return told !== undefined;
    case "Enter":
      if (told === undefined || on === "button") return false;
      app.open(told.batch.thread, told.batch.id);
      return true;
    case "t":
    case "T":
      app.table.value = !app.table.value;
      return true;
    case "+":
    case "=":
      app.zoom(0.7);
      return true;
    case "-":
      app.zoom(1 / 0.7);
      return true;
    case "0":
      app.fit();
      return true;
    default:
      return false;
  }
}
