import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Attachment } from "../../../src/protocol/transcript.ts";
import { bytes, visible } from "../format.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import { Icon } from "./Icon.tsx";

interface Props {
  readonly items: readonly Attachment[];
  /** The record they hang on, and the place of the first: what is in no record can't be opened. */
  readonly message?: string | undefined;
  readonly first?: number;
}

export function Attachments(props: Props): JSX.Element | null {
  const { items, message, first = 0 } = props;
  if (items.length === 0) return null;
  return (
    <div class="chips">
      {items.map((item, i) =>
        item.kind === "image" ? (
          <Picture key={i} item={item} />
        ) : (
          <FileChip key={i} item={item} message={message} index={first + i} />
        ),
      )}
    </div>
  );
}

interface ChipProps {
  readonly item: Extract<Attachment, { kind: "file" }>;
  readonly message: string | undefined;
  readonly index: number;
}

function FileChip({ item, message, index }: ChipProps): JSX.Element {
  const app = useApp();
  return (
    <button
      type="button"
      class="chip"
      tabIndex={-1}
      data-nav
      data-testid="attachment"
      disabled={message === undefined}
      title={words.tool.openFile(visible(readable(item.uri)))}
      onClick={() => {
        if (message !== undefined)
          void app.asked({
            type: "openAttachment",
            thread: app.thread,
            message,
            index,
          });
      }}
    >
      <Icon name="file-code" small />
      <span class="cut">
        {visible(item.name)}
        {item.detail !== undefined && (
          <span class="opt">:{visible(item.detail)}</span>
        )}
      </span>
    </button>
  );
}

/** A URI as people write it: the path of a file, else what it says. */
function readable(uri: string): string {
  const path = uri.replace(/^(?:file|attachment):\/\/\/?(?=\/|[^/])/u, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Shown from bytes the host gives; nothing is loaded from anywhere. */
function Picture({
  item,
}: {
  readonly item: Extract<Attachment, { kind: "image" }>;
}): JSX.Element {
  const app = useApp();
  const [source, setSource] = useState<string | undefined>(undefined);
  useEffect(() => {
    let gone = false;
    if (/^image\/(?:png|jpeg|gif|webp)$/u.test(item.mimeType))
      void app.blob(item.blob).then((data) => {
        if (!gone) setSource(data);
      });
    return () => {
      gone = true;
    };
  }, [item.blob]);
  const title = `${visible(item.name)}, ${bytes(item.bytes)}`;
  if (source !== undefined)
    return <img class="thumb" src={source} alt={item.name} title={title} />;
  return (
    <span class="chip" title={title}>
      <Icon name="file-media" small />
      <span class="cut">{visible(item.name)}</span>
    </span>
  );
}
