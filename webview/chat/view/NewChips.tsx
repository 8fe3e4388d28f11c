import type { JSX } from "preact";
import { visible } from "../format.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import { Icon, IconButton } from "./Icon.tsx";

/** What will go with the message. */
export function NewChips(): JSX.Element | null {
  const app = useApp();
  const items = app.drafts.attachments.value;
  if (items.length === 0) return null;
  return (
    <div class="chips">
      {items.map((item, i) => {
        const name = visible(item.name);
        return (
          <span class="chip" key={i} title={name}>
            <Icon
              name={item.kind === "image" ? "file-media" : "file-code"}
              small
            />
            <span class="cut">{name}</span>
            <IconButton
              name="close"
              small
              label={words.composer.attachment(name)}
              onClick={() => {
                app.hung.remove(item);
                app.reveal.part.value = { kind: "composer" };
              }}
            />
          </span>
        );
      })}
    </div>
  );
}
