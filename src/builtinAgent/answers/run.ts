import type { ChildProcess } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { code, fence } from "../markdown.ts";
import { Output } from "../output.ts";
import type { ToolPart } from "../part.ts";
import { permitted } from "../permission.ts";
import { failed, started } from "../tool.ts";
import type { Parts, World } from "../world.ts";

export async function* runAnswer(world: World, command: string): Parts {
  const call = started("execute", `Run ${command}`, {
    status: "pending",
    input: { command, cwd: world.scope.roots[0] },
  });
  yield call;
  const refusal = await permitted(world, call, {
    key: `run ${command}`,
    name: "Allow this command for the session",
  });
  if (refusal !== undefined) {
    yield failed(call, refusal);
    yield { kind: "text", text: `I did not run ${code(command)}. ${refusal}` };
    return;
  }
  yield { kind: "tool", id: call.id, status: "in_progress" };
  const output = new Output();
  const began = performance.now();
  const running = new Running(
    world.children.start(command, world.scope.roots[0]),
    output,
  );
  while (!running.isOver() && !world.signal.aborted) {
    await running.news();
    if (!running.isOver()) {
      yield progress(call, output);
      // A command can print faster than anyone reads.
      await Promise.race([setTimeout(between), running.ended]);
    }
  }
  const end = await running.ended;
  const left = world.children.leftBehind(running.child);
  await world.children.end();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  yield {
    ...progress(call, output),
    status: end.ok ? "completed" : "failed",
    output: end.raw,
  };
  const sentences = [
    `${code(command)} ${end.told} after ${seconds} s.`,
    ...(left ? ["It had left processes running; I ended them."] : []),
  ];
  const tail = lastLines(output.text);
  const body = tail === "" ? "It printed nothing." : fence(tail);
  yield { kind: "text", text: `${sentences.join(" ")}\n\n${body}` };
}

const between = 100;
const shownLines = 20;
/** A process left in the background can hold the pipes open for ever. */
const drainMs = 200;

interface End {
  readonly ok: boolean;
  readonly told: string;
  readonly raw: Readonly<Record<string, unknown>>;
}

class Running {
  readonly child: ChildProcess;
  readonly ended: Promise<End>;
  #over = false;
  #wake: () => void = () => undefined;

  constructor(child: ChildProcess, output: Output) {
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        output.add(chunk);
        this.#wake();
      });
    this.ended = ending(child).then((end) => {
      this.#over = true;
      this.#wake();
      return end;
    });
  }

  isOver(): boolean {
    return this.#over;
  }

  /** Settles with the next output, or the end. */
  async news(): Promise<void> {
    if (this.#over) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}

async function ending(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.once("error", (error) => {
      resolve({
        ok: false,
        told: `could not be started (${error.message})`,
        raw: { error: error.message },
      });
    });
    child.once("exit", (exitCode, signal) => {
      const closed = new Promise((close) => child.once("close", close));
      void Promise.race([closed, setTimeout(drainMs)]).then(() =>
        resolve({
          ok: exitCode === 0,
          told:
            signal === null
              ? `ended with exit code ${String(exitCode)}`
              : `was ended by ${signal}`,
          raw: { exitCode, signal },
        }),
      );
    });
  });
}

function progress({ id }: ToolPart, output: Output): ToolPart {
  const text = output.text;
  return {
    kind: "tool",
    id,
    content: text === "" ? [] : [{ type: "text", text: fence(text) }],
  };
}

function lastLines(text: string): string {
  const lines = text.split("\n");
  return lines.length > shownLines
    ? ["…", ...lines.slice(-shownLines)].join("\n")
    : text;
}
