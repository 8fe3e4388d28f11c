import type { JSX } from "preact";
import type { Notice } from "../../../src/protocol/viewState.ts";
import { Button } from "../controls.ts";
import type { IconName } from "../icons.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import { Icon, IconButton } from "./Icon.tsx";

const looks: Readonly<
  Record<Notice["level"], { readonly icon: IconName; readonly class: string }>
> = {
  info: { icon: "history", class: "" },
  warning: { icon: "warning", class: "needs" },
  error: { icon: "error", class: "bad" },
  busy: { icon: "loading", class: "spin live" },
};

export function Notices(): JSX.Element {
  const app = useApp();
  const { notices, readOnly } = app.store.is;
  return (
    <>
      {readOnly.value !== null && (
        <section class="note" role="status" data-testid="notice">
          <Icon name="lock" />
          <div>
            <h2>{words.readOnly}</h2>
            <p>{readOnly.value}</p>
          </div>
        </section>
      )}
      {notices.value.map((notice) => (
        <Note key={notice.id} notice={notice} />
      ))}
    </>
  );
}

function Note({ notice }: { readonly notice: Notice }): JSX.Element {
  const app = useApp();
  const look = looks[notice.level];
  return (
    <section
      class="note"
      role={notice.level === "error" ? "alert" : "status"}
      data-testid="notice"
      data-level={notice.level}
    >
      <Icon name={look.icon} class={look.class} />
      <div>
        <h2>{notice.title}</h2>
        {notice.text !== undefined && <p>{notice.text}</p>}
        {notice.actions.length > 0 && (
          <div class="btns">
            {notice.actions.map((action) => (
              <Button
                key={action.id}
                primary={action.primary}
                data={{ "data-action": action.id }}
                onClick={() =>
                  void app.asked({
                    type: "noticeAction",
                    notice: notice.id,
                    action: action.id,
                  })
                }
              >
                {action.label}
              </Button>
            ))}
          </div>
        )}
      </div>
      {notice.dismissible && (
        <IconButton
          name="close"
          label={words.dismiss}
          onClick={() => app.post({ type: "dismissNotice", notice: notice.id })}
        />
      )}
    </section>
  );
}
