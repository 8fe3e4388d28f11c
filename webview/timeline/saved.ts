import { savedView } from "../../src/protocol/timelineSaved.ts";
import type { SavedView } from "../../src/protocol/timelineSaved.ts";
import type { WebviewApi } from "../chat/host.ts";

/** Undefined when nothing was kept, or by another version. */
export function readSaved(api: WebviewApi): SavedView | undefined {
  const read = savedView.safeParse(api.getState());
  return read.success ? read.data : undefined;
}
