import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { App } from "../app.ts";

export const AppContext = createContext<App | undefined>(undefined);

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error("There is no app around this.");
  return app;
}
