import * as z from "zod/mini";
import { count, id } from "./words.ts";

const bytesThere = {
  name: z.string(),
  mimeType: z.string(),
  blob: id,
  bytes: count,
};

/** What the composer can hang on a message: bytes the store has, or a file by name. It stays small, whatever it stands for. */
export const newAttachment = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("image"), ...bytesThere }),
  z.strictObject({ kind: z.literal("text"), ...bytesThere }),
  z.strictObject({
    kind: z.literal("file"),
    uri: z.string().check(z.maxLength(8_192)),
    name: z.string(),
    detail: z.optional(z.string()),
  }),
]);
export type NewAttachment = z.infer<typeof newAttachment>;

export const newAttachments = z.readonly(
  z.array(newAttachment).check(z.maxLength(200)),
);

/** What someone kept, if it still is what it was. */
export function revivedAttachments(
  value: unknown,
): readonly NewAttachment[] | undefined {
  const parsed = z.safeParse(newAttachments, value);
  return parsed.success ? parsed.data : undefined;
}
