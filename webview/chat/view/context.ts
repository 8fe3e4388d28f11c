import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { App } from "../app.ts";

export const AppContext = createContext<App | undefined>(undefined);

/** Where Tab stops: nowhere within the transcript, for arrows go around there; everywhere in a question. */
export const TabStops = createContext<0 | -1>(-1);

export const useTabStop = (): 0 | -1 => useContext(TabStops);

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error("There is no app around this.");
  return app;
}
