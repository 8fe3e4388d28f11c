/** What was thrown, in words: the message of an error, or whatever else it says. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
