import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { OpenElicitation } from "../../../src/protocol/elicitation.ts";
import type { ToHost } from "../../../src/protocol/toHost.ts";
import { Button } from "../controls.ts";
import { visible } from "../format.ts";
import { checked } from "../formValues.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import { Field } from "./Field.tsx";
import { Icon } from "./Icon.tsx";
import { Waited } from "./Waited.tsx";

type Answer = Extract<ToHost, { type: "answerElicitation" }>["answer"];
type Form = Extract<OpenElicitation, { mode: "form" }>;
type Page = Extract<OpenElicitation, { mode: "url" }>;

/** A form or a page the agent waits for. Like a permission, only this card answers it. */
export function Elicitation({
  asked,
}: {
  readonly asked: OpenElicitation;
}): JSX.Element {
  const app = useApp();
  const answered = useRef(false);
  const card = useRef<HTMLElement>(null);
  const answer = (given: Answer): void => {
    if (answered.current) return;
    answered.current = true;
    const hadFocus = card.current?.contains(document.activeElement) === true;
    void app
      .asked({
        type: "answerElicitation",
        thread: app.thread,
        elicitation: asked.id,
        answer: given,
      })
      .then((done) => {
        answered.current = done;
        if (!done) return;
        app.keeper.forgetForm(formKey(asked));
        // The card is about to go, or gone: focus must not go with it.
        if (hadFocus) app.reveal.part.value = { kind: "composer" };
      });
  };
  const message = visible(asked.message);
  return (
    <section
      class="ask"
      role="group"
      tabIndex={-1}
      data-testid="elicitation"
      data-mode={asked.mode}
      ref={card}
      aria-label={words.elicitation.label(message)}
    >
      <div class="ask-head">
        <Icon
          name={asked.mode === "url" ? "globe" : "question"}
          class="needs"
        />
        <b class="grow">
          {asked.mode === "url"
            ? words.elicitation.visit
            : visible(asked.title ?? words.elicitation.asks)}
        </b>
        <Waited since={asked.askedAt} />
      </div>
      {message !== "" && <p class="ask-text">{message}</p>}
      {asked.mode === "url" ? (
        <PageBody asked={asked} answer={answer} />
      ) : (
        <FormBody asked={asked} answer={answer} />
      )}
      <p class="small">{words.permission.note}</p>
    </section>
  );
}

interface BodyProps<Asked> {
  readonly asked: Asked;
  readonly answer: (given: Answer) => void;
}

function PageBody({ asked, answer }: BodyProps<Page>): JSX.Element {
  const { host, url } = asked;
  return (
    <>
      <div class="ask-cmd" data-testid="elicitation-url">
        {host !== "" && <b>{host}</b>}
        <div>{visible(url)}</div>
      </div>
      {host === "" && <p class="bad">{words.elicitation.noPage}</p>}
      <div class="btns">
        {host !== "" && (
          <Button
            primary
            testid="elicitation-accept"
            onClick={() => answer({ action: "accept", values: {} })}
          >
            {words.elicitation.open}
          </Button>
        )}
        <Others answer={answer} />
      </div>
    </>
  );
}

function FormBody({ asked, answer }: BodyProps<Form>): JSX.Element {
  const app = useApp();
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const key = formKey(asked);
  const filled = app.keeper.filled(key);
  const { values, problems } = checked(asked.fields, filled);
  const submit = (): void => {
    if (problems.size === 0) {
      answer({ action: "accept", values });
      return;
    }
    setTried(true);
    const [first] = problems.keys();
    const at = asked.fields.findIndex(({ id }) => id === first);
    form.current
      ?.querySelector<HTMLElement>(`[data-field="${at}"] :is(input, select)`)
      ?.focus();
  };
  return (
    <form
      class="form"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.isComposing) return;
        if (!(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        submit();
      }}
    >
      {asked.description !== undefined && (
        <p class="ask-text">{visible(asked.description)}</p>
      )}
      {asked.fields.map((field, i) => (
        <Field
          key={field.id}
          at={i}
          name={`${key} ${i}`}
          field={field}
          filled={filled}
          problem={tried ? problems.get(field.id) : undefined}
          change={(value) =>
            field.secret === true
              ? app.keeper.keepSecret(key, field.id, value)
              : app.keeper.keepForm(key, field.id, value)
          }
        />
      ))}
      <div class="btns">
        <Button primary testid="elicitation-accept" onClick={submit}>
          {words.elicitation.submit}
        </Button>
        <Others answer={answer} />
      </div>
    </form>
  );
}

function Others({
  answer,
}: {
  readonly answer: (given: Answer) => void;
}): JSX.Element {
  return (
    <>
      <Button
        testid="elicitation-decline"
        title={words.elicitation.declineWhy}
        onClick={() => answer({ action: "decline" })}
      >
        {words.elicitation.decline}
      </Button>
      <Button
        testid="elicitation-cancel"
        title={words.elicitation.cancelWhy}
        onClick={() => answer({ action: "cancel" })}
      >
        {words.elicitation.cancel}
      </Button>
    </>
  );
}

/** Ids begin anew with each process: the time tells two of them apart. */
function formKey({ id, askedAt }: OpenElicitation): string {
  return `${id} ${askedAt}`;
}
