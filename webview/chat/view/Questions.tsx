import type { JSX } from "preact";
import { useApp } from "./context.ts";
import { Elicitation } from "./Elicitation.tsx";
import { Permission } from "./Permission.tsx";

/** What the agent waits for the user to decide, of the batches that are meant. */
export function Questions({
  of,
}: {
  readonly of: (batch: string | null) => boolean;
}): JSX.Element {
  const { permissions, elicitations } = useApp().store.is;
  return (
    <>
      {permissions.value
        .filter(({ batch }) => of(batch))
        .map((asked) => (
          <Permission key={asked.id} asked={asked} />
        ))}
      {elicitations.value
        .filter(({ batch }) => of(batch))
        .map((asked) => (
          <Elicitation key={`${asked.id} ${asked.askedAt}`} asked={asked} />
        ))}
    </>
  );
}

/** A question must be seen, also when its turn lies outside the window or there is none. */
export function LooseQuestions(): JSX.Element | null {
  const app = useApp();
  const { permissions, elicitations } = app.store.is;
  const shown = new Set(app.store.groups.value.map(({ batch }) => batch));
  const loose = (batch: string | null): boolean =>
    batch === null || !shown.has(batch);
  const any = [...permissions.value, ...elicitations.value].some(({ batch }) =>
    loose(batch),
  );
  return any ? (
    <div class="loose-asks">
      <Questions of={loose} />
    </div>
  ) : null;
}
