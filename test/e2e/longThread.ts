import { writeFileSync } from "node:fs";
import type { Body, Message } from "../../src/core/message.ts";
import { snowflake } from "../../src/core/snowflake.ts";
import { body, threadOf, user, agent } from "../fakes/recordBuilder.ts";
import { answerFileDialog } from "./fileDialog.ts";
import type { Lab } from "./lab.ts";

export interface Turn {
  readonly said: string;
  readonly thought?: string;
  readonly answer: string;
}

/** Brings a thread of many turns into the record, as a user would bring one from elsewhere. */
export async function importThread(
  lab: Lab,
  title: string,
  turns: readonly Turn[],
): Promise<void> {
  const file = `${lab.folder}/${title}.jsonl`;
  const thread = `long-${title}`;
  const start = Date.now() - 86_400_000;
  let n = 0;
  const messages = turns.flatMap(({ said, thought, answer }, turn) => {
    const first = snowflake(start + (n + 1) * 1_000, 0);
    const bodies: readonly Body[] = [
      { kind: "user", blocks: [{ type: "text", text: said }] },
      body.start([first]),
      ...(thought === undefined
        ? []
        : [{ kind: "thought", text: thought } as const]),
      body.agent(answer),
      body.end(),
    ];
    return bodies.map((one, sequence): Message => {
      const position = snowflake(start + ++n * 1_000, 0);
      return {
        id: `${thread}-${turn}-${sequence}`,
        ...{ thread, position, sequence, body: one, marks: {} },
        ...{ rank: null, parentBatch: null, retryOf: null },
        arrived: position,
        batch: first,
        batchType: "user_request",
        sender: sequence === 0 ? user : agent,
        state: sequence === 0 ? "delivered" : null,
      };
    });
  });
  const lines = [
    {
      kind: "thread",
      turnline: 1,
      thread: threadOf(thread, {
        title,
        folder: lab.folder,
        agent: "scripted",
        createdAt: start,
        updatedAt: start,
      }),
    },
    ...messages.map((message) => ({ kind: "message", message })),
    { kind: "end", messages: messages.length },
  ];
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  await lab.command("Turnline: Import Thread...");
  await answerFileDialog(lab.page, file);
}
