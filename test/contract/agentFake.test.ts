import type { AgentUpdate } from "../../src/core/agentPort.ts";
import { FakeAgents, type PromptedTurn } from "../fakes/agent.ts";
import { agentContract } from "./agentContract.ts";
import { faultSpec, type AgentWorld } from "./agentHarness.ts";

/** The fault agent's words on the double: the same cases, no process. */
function world(): AgentWorld {
  const port = new FakeAgents({ script: (turn) => void perform(turn) });
  return {
    port,
    spec: (...flags) => {
      const refused = flags.includes("--resume=transient");
      const signIn = flags.includes("--resume=signin");
      port.options.capabilities = {
        resume: !flags.includes("--resume=no"),
        load: !flags.includes("--load=no"),
      };
      if (flags.includes("--initialize=never"))
        port.startGate = () => new Promise(() => undefined);
      if (refused || signIn)
        port.options.resumeFailures = [refused ? "refused" : "signIn"];
      return faultSpec(...flags);
    },
    left: () => Promise.resolve(port.alive.map(({ identity }) => identity.pid)),
  };
}

agentContract("the double in memory", world);

async function perform(turn: PromptedTurn): Promise<void> {
  // A real agent never answers within the call that asks it.
  await Promise.resolve();
  const words = [...turn.text.matchAll(/do:([a-z]+)(?:=(\S*))?/gu)];
  if (words.length === 0)
    for (const piece of `echo: ${turn.text}`.match(/\S+\s*/gu) ?? [])
      turn.say(piece);
  for (const [, name = "", value = ""] of words)
    if (await performed(turn, name, value.replaceAll("+", " "))) return;
  turn.end();
}

/** True when the turn is not to be ended here. */
async function performed(
  turn: PromptedTurn,
  name: string,
  value: string,
): Promise<boolean> {
  const { process } = turn;
  switch (name) {
    case "say":
      turn.say(value);
      return false;
    case "chunks":
      for (let i = 0; i < Number(value); i++) turn.say(`chunk ${i} `);
      return false;
    case "after":
      setTimeout(() => turn.say("after the end"), Number(value));
      return false;
    case "permission": {
      const id = turn.ask("tool-1");
      const chosen = await answerTo(turn, id);
      if (chosen !== undefined) turn.say(`chose ${chosen}`);
      return turn.settled;
    }
    case "stopreason":
      turn.end(value);
      return true;
    case "silent":
      return true;
    case "die":
    case "exit":
      process.die();
      return true;
    default:
      for (const update of told(name, value)) turn.tell(update);
      return false;
  }
}

/** The option chosen, once it is; undefined when the turn was over first. */
async function answerTo(
  turn: PromptedTurn,
  id: string,
): Promise<string | undefined> {
  while (!turn.settled) {
    const answer = turn.process.answers.find((one) => one.id === id);
    if (answer !== undefined) return answer.option ?? undefined;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return undefined;
}

function told(name: string, value: string): readonly AgentUpdate[] {
  const [first = "", second = ""] = value.split(",");
  switch (name) {
    case "thought":
      return [{ kind: "thought", text: value }];
    case "plan":
      return [
        {
          kind: "plan",
          entries: [
            { content: "Look", priority: "high", status: "completed" },
            { content: "Leap", priority: "low", status: "pending" },
          ],
        },
      ];
    case "usage": {
      const cost = { amount: 0.25, currency: "USD" };
      const usage = { used: Number(first), size: Number(second), cost };
      return [{ kind: "usage", usage }];
    }
    case "title":
      return [{ kind: "title", title: value }];
    case "mode":
      return [{ kind: "mode", modeId: value }];
    case "commands":
      return [
        {
          kind: "commands",
          commands: [
            { name: value, description: `Does ${value}`, hint: "what" },
          ],
        },
      ];
    case "unknown":
      return [
        { kind: "unknown", name: "weather_report" },
        { kind: "unknown", name: "content hologram" },
      ];
    default:
      return [];
  }
}
