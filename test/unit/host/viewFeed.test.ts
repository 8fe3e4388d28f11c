import assert from "node:assert/strict";
import { mock } from "node:test";
import { ViewFeed } from "../../../src/host/viewFeed.ts";
import type { ViewState } from "../../../src/protocol/viewState.ts";
import {
  agent,
  base,
  message,
  queued,
  user,
} from "../../fixtures/webviewDev/make.ts";

const growing: ViewState = {
  ...base,
  messages: [message(1, 0, user("a")), message(1, 1, agent("", true))],
};

describe("What a view is told, and when", () => {
  let now = 0;
  let length = 0;
  let deltas: string[] = [];
  let feed: ViewFeed;

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout"] });
    [now, length, deltas] = [0, 0, []];
    feed = new ViewFeed(
      (told) => {
        if (told.type === "delta")
          deltas.push(
            `${now}: ${told.ops.map((op) => (op.op === "text" ? op.text.length : op.op)).join(" ")}`,
          );
      },
      () => now,
    );
    feed.snapshot("i", growing);
  });
  afterEach(() => {
    feed.dispose();
    mock.timers.reset();
  });

  const says = (text: string): void => {
    feed.change({ op: "text", id: "m1.1", offset: length, text });
    length += text.length;
  };
  const passes = (ms: number, each: () => void = () => undefined): void => {
    for (let n = 0; n < ms; n++) {
      now++;
      each();
      mock.timers.tick(1);
    }
  };

  it("tells the first words within a frame, and then at a steady pace", () => {
    passes(120, () => says("x"));
    passes(100);
    assert.deepEqual(deltas, ["16: 16", "65: 49", "114: 49", "163: 6"]);
  });

  it("tells a flood less often, the more of it there is", () => {
    passes(800, () => says("x".repeat(50)));
    passes(800);
    assert.deepEqual(deltas, [
      "16: 800",
      "82: 3300",
      "356: 13700",
      "1155: 22200",
    ]);
  });

  it("lets nothing else wait for text, and keeps the order", () => {
    says("first");
    passes(20);
    says("second");
    feed.become({ ...(feed.state ?? growing), queue: [queued("q", "next")] });
    passes(100);
    assert.equal(deltas.length, 2);
    assert.match(deltas[1] ?? "", /^36: 6 \w+/);
  });
});
