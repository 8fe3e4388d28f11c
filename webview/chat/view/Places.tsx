import type { JSX } from "preact";
import type { OpenPermission } from "../../../src/protocol/viewState.ts";
import { visible } from "../format.ts";
import { words } from "../strings.ts";
import { useApp, useTabStop } from "./context.ts";
import { fileOpener } from "./toolOpens.ts";

/** The files a tool is about, each to be opened. */
export function Places({
  places,
}: {
  readonly places: OpenPermission["locations"];
}): JSX.Element | null {
  const app = useApp();
  const stop = useTabStop();
  if (places.length === 0) return null;
  return (
    <div class="places small">
      {places.map(({ path, line }) => (
        <button
          type="button"
          class="link cut"
          tabIndex={stop}
          data-nav
          key={`${path}:${line ?? ""}`}
          title={words.tool.openFile(visible(path))}
          data-testid="location"
          onClick={fileOpener(app, path, line)}
        >
          {visible(path)}
          {line !== undefined && `:${line}`}
        </button>
      ))}
    </div>
  );
}
