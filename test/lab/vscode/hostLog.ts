import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** What went wrong in our part of the extension hosts of a VS Code, as they logged it; that they logged nothing is wrong too. */
export function hostComplaints(data: string): readonly string[] {
  const logs = path.join(data, "data", "logs", "*", "exthost*", "*.log");
  const said = globSync(logs).map((file) => readFileSync(file, "utf8"));
  if (said.join("") === "") return [`No extension host has logged: ${logs}`];
  return said.flatMap(ownErrors);
}

/** An entry begins with its time and goes on with the lines of its stack. */
export function ownErrors(log: string): readonly string[] {
  return log
    .split(/^(?=\d{4}-\d{2}-\d{2} )/mu)
    .filter(
      (entry) =>
        /^\S+ \S+ \[error\]/u.test(entry) &&
        /turnline\.turnline-[\d.]+\/dist|turnline\.turnline\b/u.test(entry),
    )
    .map((entry) => entry.trim());
}
