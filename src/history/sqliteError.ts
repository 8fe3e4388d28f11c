import * as z from "zod";

/** What went wrong inside SQLite, as far as anyone can do something about it. */
export type Trouble =
  "full" | "readOnly" | "locked" | "corrupt" | "newer" | "failed";

const sqliteError = z.object({
  code: z.literal("ERR_SQLITE_ERROR"),
  errcode: z.number(),
});

/** An exception that is not SQLite's is a bug, and none of ours to explain. */
export function troubleOf(error: unknown): Trouble | undefined {
  const parsed = sqliteError.safeParse(error);
  if (!parsed.success) return systemTrouble(error);
  switch (parsed.data.errcode & 0xff) {
    case 5:
    case 6:
      return "locked";
    case 8:
    case 14:
      return "readOnly";
    case 11:
    case 26:
      return "corrupt";
    case 13:
      return "full";
    default:
      return "failed";
  }
}

/** The disk is full or fails: what is there may still be readable by another way. */
export function isDiskFault(error: unknown): boolean {
  const code = sqliteError.safeParse(error).data?.errcode ?? 0;
  return (code & 0xff) === 10 || troubleOf(error) === "full";
}

function systemTrouble(error: unknown): Trouble | undefined {
  const code = z.object({ code: z.string() }).safeParse(error).data?.code;
  switch (code) {
    case undefined:
      return undefined;
    case "ENOSPC":
    case "EDQUOT":
      return "full";
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return "readOnly";
    default:
      return /^E[A-Z0-9]+$/.test(code) ? "failed" : undefined;
  }
}
