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
  readonly #listeners = new Map<string, () => void>();

  addEventListener = ((name: string, listener: () => void) => {
    this.#listeners.set(name, listener);
  }) as Page["addEventListener"];

  requestAnimationFrame(run: FrameRequestCallback): number {
    return this.#frames.push(run);
  }

  setTimeout = ((run: () => void) =>
    this.timeouts.push(run)) as unknown as Page["setTimeout"];

  key(event = "keydown"): void {
    this.#listeners.get(event)?.();
  }

  /** Draws a frame; what was to come after it comes. A key may come while it is drawn. */
  frame({ ms = 16, keyed = false } = {}): void {
    this.#now += ms;
    for (const run of this.#frames.splice(0)) run(this.#now);
    if (keyed) this.key();
    for (const run of this.timeouts.splice(0)) run();
  }
}

/** In which of some frames a text that always grows did: `k` is one with a key before it, `b` one in which another comes. */
function course(story: string): readonly number[] {
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
  for (const sign of story.split("")) {
    if (sign !== ".") page.key();
    page.frame({ keyed: sign === "b" });
    n++;
  }
  return ran;
}

describe("frames for a text that grows", () => {
  it("are all there are while nobody types", () => {
    assert.deepEqual(course("...."), [0, 1, 2, 3]);
  });

  it("are those right after a key was drawn, until there is a pause", () => {
    // 400 ms after the last key, and at most 300 ms after it was asked for.
    assert.deepEqual(course(`..k...k.${".".repeat(24)}`), [
      ...[0, 1, 3, 7, 26, 30, 31],
    ]);
  });

  it("are not those that a key needs which came while the one before was drawn", () => {
    assert.deepEqual(course("b..."), [2]);
  });

  it("come all the same after a while where keys come with every frame", () => {
    const ran = course("k".repeat(60));
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
    for (const event of ["keydown", "input"]) {
      page.key(event);
      assert.equal(own.typing, true);
      page.frame({ ms: 500 });
      assert.equal(own.typing, false);
    }
  });
});
