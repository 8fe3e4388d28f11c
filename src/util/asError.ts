/** Anything can be thrown; from here on it is an error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
