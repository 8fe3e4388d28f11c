import type { JSX } from "preact";
import { words } from "../strings.ts";
import type { ToolBody } from "../toolLook.ts";
import { useApp } from "./context.ts";
import { Fold } from "./Fold.tsx";
import { IconButton } from "./Icon.tsx";
import { Places } from "./Places.tsx";
import { Content, Output } from "./ToolContent.tsx";
import { diffOpener } from "./toolOpens.ts";

interface DetailProps {
  readonly id: string;
  readonly body: ToolBody;
}

export function ToolDetail({ id, body }: DetailProps): JSX.Element {
  const app = useApp();
  const silent = body.content.length === 0;
  const raw = body.input !== undefined || body.output !== undefined;
  const shown = new Set(
    body.content.map((content) =>
      content.type === "diff" ? content.path : "",
    ),
  );
  const places = body.locations.filter(({ path }) => !shown.has(path));
  return (
    <div class="tool-detail">
      {body.content.map((content, index) => (
        <div class="tool-part" key={index}>
          {content.type === "diff" && (
            <div class="tool-acts">
              <IconButton
                name="go-to-file"
                small
                tabIndex={-1}
                label={words.tool.openDiff}
                testid="open-diff"
                onClick={diffOpener(app, id, index)}
              />
            </div>
          )}
          <Content content={content} message={id} index={index} />
        </div>
      ))}
      {raw && silent && <Raw id={id} body={body} />}
      {raw && !silent && (
        <Fold name={`${id}/raw`} label={words.tool.raw}>
          <Raw id={id} body={body} />
        </Fold>
      )}
      <Places places={places} />
    </div>
  );
}

/** What the agent's tool was called with and gave back, as it is. */
function Raw({ id, body }: DetailProps): JSX.Element {
  const { input, output } = body;
  return (
    <>
      {input !== undefined && (
        <Output
          text={input}
          label={words.tool.input}
          message={id}
          part="input"
        />
      )}
      {output !== undefined && (
        <Output text={output} message={id} part="output" />
      )}
    </>
  );
}
