import type { JSX } from "preact";
import { running } from "../format.ts";
import { useApp } from "./context.ts";

/** For how long something has waited for the user. */
export function Waited({ since }: { readonly since: number }): JSX.Element {
  const app = useApp();
  return <span class="small">{running(app.now.value - since)}</span>;
}
