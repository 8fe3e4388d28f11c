import type { Connection } from "../../src/history/connection.ts";
import { migrations, type Migration } from "../../src/history/schema.ts";

/** A schema two steps further than today's: one that changes a table, one that changes what is in it. */
export const upgraded: readonly Migration[] = [...migrations, widen, refill];

function widen(connection: Connection): void {
  connection.exec("ALTER TABLE message ADD COLUMN later TEXT");
  connection.exec("CREATE INDEX messageLater ON message (later)");
}

function refill(connection: Connection): void {
  connection.run("UPDATE message SET later = kind");
}
