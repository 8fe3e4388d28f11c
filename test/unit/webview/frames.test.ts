import assert from "node:assert/strict";
import { Frames } from "../../../webview/chat/frames.ts";
import type { Page } from "../../../webview/chat/frames.ts";

/** A page whose frames and clock go on when it is told. */
class FakePage implements Page {
  readonly document = { hidden: false };
  readonly performance = { now: () => this.#now };
  readonly timeouts: (() => void)[] = [];
  #now = 0;
  #frames: FrameRequestCallback[] = [];
  #listeners: (() => void)[] = [];

  addEventListener = ((_name: string, listener: () => void) => {
    this.#listeners.push(listener);
  }) as Page["addEventListener"];

  requestAnimationFrame(run: FrameRequestCallback): number {
    return this.#frames.push(run);
  }

  setTimeout = ((run: () => void) =>
    this.timeouts.push(run)) as unknown as Page["setTimeout"];

  key(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Draws a frame; what was to come after it comes. */
  frame(ms = 16): void {
    this.#now += ms;
    for (const run of this.#frames.splice(0)) run(this.#now);
    for (const run of this.timeouts.splice(0)) run();
  }
}

/** What happened in each of some frames, with a key before those that are marked. */
function course(keyBefore: readonly boolean[]): readonly number[] {
  const page = new FakePage();
  const frames = new Frames(page);
  const ran: number[] = [];
  let n = 0;
  const again = (): void => {
    frames.free(() => {
      ran.push(n);
      again();
    });
  };
  again();
  for (const keyed of keyBefore) {
    if (keyed) page.key();
    page.frame();
    n++;
  }
  return ran;
}

const frames = (text: string): readonly boolean[] =>
  Array.from(text, (sign) => sign === "k");

describe("frames for a text that grows", () => {
  it("are all there are while nobody types", () => {
    assert.deepEqual(course(frames("....")), [0, 1, 2, 3]);
  });

  it("are those right after a key was drawn, until there is a pause", () => {
    // 200 ms after the last key, which is 13 frames, nobody types any more.
    assert.deepEqual(
      course(frames("..k...k.............")),
      [0, 1, 3, 7, 18, 19],
    );
  });

  it("come all the same after a while where keys come with every frame", () => {
    const ran = course(frames("k".repeat(60)));
    assert.equal(ran.length, 3);
  });

  it("come by the clock in a page that is hidden", () => {
    const page = new FakePage();
    page.document.hidden = true;
    let ran = 0;
    new Frames(page).free(() => ran++);
    assert.equal(page.timeouts.length, 1);
    page.timeouts[0]?.();
    assert.equal(ran, 1);
  });

  it("tell that someone types until there is a pause", () => {
    const page = new FakePage();
    const own = new Frames(page);
    assert.equal(own.typing, false);
    page.key();
    assert.equal(own.typing, true);
    page.frame(250);
    assert.equal(own.typing, false);
  });
});
