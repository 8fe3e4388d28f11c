import type { AriaAttributes, ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";
import type {
  ElicitationField,
  Problem,
} from "../../../src/protocol/elicitation.ts";
import { visible } from "../format.ts";
import { shownIn, type FieldText, type Filled } from "../formValues.ts";
import { words } from "../strings.ts";
import { fieldProblem } from "../words/formWords.ts";
import { Icon } from "./Icon.tsx";

/** So many choices stand in a list; more make a menu. */
const mostRadios = 8;

interface Props {
  readonly at: number;
  readonly name: string;
  readonly field: ElicitationField;
  readonly filled: Filled;
  readonly problem: Problem | undefined;
  readonly change: (value: FieldText) => void;
}

/** One question of a form, with what is wrong with its answer beside it. */
export function Field(props: Props): JSX.Element {
  const { field, at, problem } = props;
  const id = useId();
  const hint = field.description ?? hintOf(field);
  const about = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(problem === undefined ? [] : [`${id}-problem`]),
  ].join(" ");
  const common = {
    "aria-invalid": problem !== undefined,
    "aria-required": field.required,
    ...(about === "" ? {} : { "aria-describedby": about }),
  };
  const title = (
    <>
      {visible(field.title)}
      {!field.required && (
        <span class="small opt-mark"> {words.elicitation.optional}</span>
      )}
    </>
  );
  const below = (
    <>
      {hint !== undefined && (
        <p class="small" id={`${id}-hint`}>
          {visible(hint)}
        </p>
      )}
      {problem !== undefined && (
        <p
          class="small bad field-problem"
          id={`${id}-problem`}
          data-testid="field-problem"
        >
          <Icon name="error" small />
          {fieldProblem(problem)}
        </p>
      )}
    </>
  );
  if (field.type === "boolean")
    return (
      <Frame at={at} field={field}>
        <label class="pick">
          <input
            type="checkbox"
            checked={shownIn(field, props.filled) === true}
            onChange={(event) => props.change(event.currentTarget.checked)}
            {...common}
          />
          <span>{visible(field.title)}</span>
        </label>
        {below}
      </Frame>
    );
  const listed =
    field.type === "choices" ||
    (field.type === "choice" && field.choices.length <= mostRadios);
  if (listed)
    return (
      <Frame at={at} field={field}>
        <fieldset {...common} aria-required={undefined}>
          <legend>{title}</legend>
          <Choices {...props} field={field} />
        </fieldset>
        {below}
      </Frame>
    );
  return (
    <Frame at={at} field={field}>
      <label for={id}>{title}</label>
      <Line {...props} field={field} id={id} common={common} />
      {below}
    </Frame>
  );
}

function Frame({
  at,
  field,
  children,
}: {
  readonly at: number;
  readonly field: ElicitationField;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div
      class="form-field"
      data-field={at}
      data-testid="elicitation-field"
      data-type={field.type}
    >
      {children}
    </div>
  );
}

type Listed = Extract<ElicitationField, { type: "choice" | "choices" }>;

function Choices({
  field,
  filled,
  name,
  change,
}: Omit<Props, "field"> & { readonly field: Listed }): JSX.Element {
  const shown = shownIn(field, filled);
  const many = field.type === "choices";
  const chosen = new Set(typeof shown === "object" ? shown : [shown]);
  const pick = (value: string): void => {
    // What need not be answered can be taken back: the chosen one, clicked again.
    if (!many) change(chosen.has(value) && !field.required ? "" : value);
    else
      change(
        field.choices
          .map((choice) => choice.value)
          .filter((one) => (one === value) !== chosen.has(one)),
      );
  };
  return (
    <div class="picks">
      {field.choices.map((choice) => (
        <label class="pick" key={choice.value}>
          <input
            type={many ? "checkbox" : "radio"}
            name={name}
            checked={chosen.has(choice.value)}
            onClick={() => pick(choice.value)}
          />
          <span>
            {visible(choice.name)}
            {choice.description !== undefined && (
              <span class="small pick-about">
                {visible(choice.description)}
              </span>
            )}
          </span>
        </label>
      ))}
    </div>
  );
}

type Lined = Exclude<ElicitationField, { type: "boolean" | "choices" }>;

function Line({
  field,
  filled,
  change,
  id,
  common,
}: Omit<Props, "field"> & {
  readonly field: Lined;
  readonly id: string;
  readonly common: AriaAttributes;
}): JSX.Element {
  const value = String(shownIn(field, filled));
  if (field.type === "choice")
    return (
      <select
        id={id}
        class="form-line"
        value={value}
        onChange={(event) => change(event.currentTarget.value)}
        {...common}
      >
        <option value="">{words.elicitation.choose}</option>
        {field.choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {visible(choice.name)}
          </option>
        ))}
      </select>
    );
  const line = {
    ...common,
    id,
    class: "form-line",
    autocomplete: "off",
    spellcheck: false,
    value,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) =>
      change(event.currentTarget.value),
  } as const;
  return field.secret === true ? (
    <input type="password" {...line} />
  ) : (
    <input
      type="text"
      inputMode={field.type === "number" ? "decimal" : "text"}
      {...line}
    />
  );
}

/** What is expected, where the agent does not say it in words. */
function hintOf(field: ElicitationField): string | undefined {
  if (field.type !== "number") return undefined;
  const { minimum, maximum } = field;
  return minimum === undefined || maximum === undefined
    ? undefined
    : words.elicitation.between(minimum, maximum);
}
