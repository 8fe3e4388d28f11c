/** Readers for what an agent says: each takes anything and answers what fits, or undefined. */
export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined;
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value)
    ? value
    : undefined;
}

export function boolean(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** The items that fit; undefined when it is no list at all, so that absent and empty stay apart. */
export function list<T>(
  value: unknown,
  read: (item: unknown) => T | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map(read).filter((item): item is T & {} => item !== undefined);
}

export function oneOf<T extends string>(
  values: readonly T[],
  value: unknown,
): T | undefined {
  return values.find((known) => known === value);
}

/** An object without its undefined members, as optional properties want it. */
export function defined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Defined<T>;
}

type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<
    T[K],
    undefined
  >;
};
