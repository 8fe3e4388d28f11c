/**
 * Long work in short pieces: between two of them the worker answers whatever else was asked.
 * Each piece leaves the record whole.
 */
export type Sliced<T> = Generator<undefined, T, undefined>;
