import type { JSX } from "preact";
import { Button } from "../controls.ts";
import { words } from "../strings.ts";
import { useApp } from "./context.ts";
import { Icon } from "./Icon.tsx";

/** An empty thread teaches what this is for, and asks who shall answer. */
export function Hello(): JSX.Element {
  return (
    <div class="hello-frame" data-testid="empty" data-region="log">
      <div class="hello">
        <svg class="motif" viewBox="0 0 132 52" aria-hidden="true">
          <path
            class="dash"
            d="M4 8h24c16 0 14 18 30 18M4 26h46M4 44h24c16 0 14-18 30-18"
          />
          <path class="solid" d="M50 26h68" />
          <circle class="solid" cx="121" cy="26" r="4" />
        </svg>
        <h2>{words.hello.title}</h2>
        <p>{words.hello.text}</p>
      </div>
      <Agents />
    </div>
  );
}

function Agents(): JSX.Element | null {
  const app = useApp();
  const { agents, thread } = app.store.is;
  const chosen = thread.value?.agent.id;
  const [first] = agents.value;
  const chosenOne = agents.value.find(({ id }) => id === chosen);
  if (first === undefined) return null;
  const choose = (agent: string): void => {
    if (thread.value === null) void app.asked({ type: "newThread", agent });
    else
      void app.asked({ type: "chooseAgent", thread: thread.value.id, agent });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = agents.value.findIndex(({ id }) => id === chosen);
    const next =
      agents.value[(at + by + agents.value.length) % agents.value.length];
    if (next === undefined) return;
    choose(next.id);
    const rows = (event.currentTarget as HTMLElement).querySelectorAll(
      "button",
    );
    rows[agents.value.indexOf(next)]?.focus();
  };
  return (
    <div class="agents">
      <div class="label" id="choose-agent">
        {words.hello.choose}
      </div>
      <div
        role="radiogroup"
        aria-labelledby="choose-agent"
        onKeyDown={onKeyDown}
      >
        {agents.value.map((agent, i) => {
          const on = agent.id === chosen;
          const stop = on || (chosen === undefined && i === 0);
          return (
            <button
              type="button"
              key={agent.id}
              class={`row two ${on ? "is-on" : ""}`}
              role="radio"
              aria-checked={on}
              tabIndex={stop ? 0 : -1}
              data-agent={agent.id}
              data-availability={agent.availability}
              onClick={() => choose(agent.id)}
            >
              <span class="mk">
                <Icon name={on ? "pass-filled" : "circle-large"} />
              </span>
              <div>
                <div>{agent.label}</div>
                <div class="small">{agent.detail}</div>
              </div>
            </button>
          );
        })}
      </div>
      <div class="btns">
        <Button
          primary
          onClick={() => {
            if (thread.value === null) choose(first.id);
            app.reveal.part.value = { kind: "composer" };
          }}
        >
          {words.hello.start((chosenOne ?? first).label)}
        </Button>
        <Button onClick={() => void app.asked({ type: "checkSetup" })}>
          {words.head.checkSetup}
        </Button>
      </div>
    </div>
  );
}
