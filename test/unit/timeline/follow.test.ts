import assert from "node:assert/strict";
import type { TimelineBatch } from "../../../src/protocol/timeline.ts";
import type { SavedView } from "../../../src/protocol/timelineSaved.ts";
import { Timeline } from "../../../webview/timeline/app.ts";
import type { Post } from "../../../webview/timeline/host.ts";
import { act, type KeyPlace } from "../../../webview/timeline/keys.ts";
import { standsFree } from "../../../webview/timeline/picture.ts";
import { isSideways } from "../../../webview/timeline/view/pointer.ts";

const minute = 60_000;
const start = 100 * minute;

/** A timeline with turns of a minute each, told to its page; null for one that runs. */
class Page {
  now = start;
  readonly app: Timeline;

  constructor(saved?: SavedView, post: Post = () => undefined) {
    this.app = new Timeline(post, () => this.now, saved);
    const thread = { id: "t", title: "T", agent: "A", mark: "none" } as const;
    const threads = [{ ...thread, held: false, queued: [] }];
    this.app.take({ type: "threads", now: this.now, threads });
    this.turn(start - 90 * minute);
    this.turn(start - 2 * minute);
    this.app.take({ type: "complete", older: false, before: {} });
  }

  turn(from: number, to: number | null = from + minute): void {
    const batch: TimelineBatch = {
      ...{ id: String(from).padStart(16, "0"), thread: "t" },
      ...{ type: "user_request", parent: null, retry: false },
      ...{ status: to === null ? "processing" : "completed", typed: [from] },
      ...{ parts: [{ kind: "think", from, to }], claimed: from, turns: [] },
      ...{ agent: "A", sent: null, stop: null, tools: 0 },
    };
    this.app.take({ type: "batches", batches: [batch] });
  }

  /** An hour later something begins. */
  later(): void {
    this.now += 60 * minute;
    this.turn(this.now - 5_000, null);
  }

  get sees(): { now: boolean; first: boolean; span: number } {
    const { from, to } = this.app.range.value;
    return {
      now: from < this.now && this.now <= to,
      first: from <= start - 90 * minute,
      span: Math.round((to - from) / minute),
    };
  }
}

describe("what the timeline looks at", () => {
  it("goes along with what happens until it is taken elsewhere", () => {
    const page = new Page();
    page.later();
    assert.deepEqual(page.sees, { now: true, first: true, span: 159 });
  });

  it("goes on to show all after all was asked for, also after a reload", () => {
    const page = new Page();
    page.app.zoom(0.1);
    page.app.fit();
    page.later();
    assert.deepEqual(page.sees, { now: true, first: true, span: 159 });
    const again = new Page(page.app.saved.value);
    again.later();
    again.later();
    assert.deepEqual(again.sees, { now: true, first: true, span: 223 });
  });

  it("goes along at the end of all, with the same span, also after a reload", () => {
    const page = new Page();
    page.app.zoom(0.1, start);
    page.later();
    assert.deepEqual(page.sees, { now: true, first: false, span: 9 });
    const again = new Page(page.app.saved.value);
    again.later();
    again.later();
    assert.deepEqual(again.sees, { now: true, first: false, span: 9 });
  });

  it("stays in the past once taken there, and goes along again from its end", () => {
    const page = new Page();
    page.app.zoom(0.1, start);
    page.app.pan(-30 * minute);
    const before = page.app.range.value;
    page.later();
    assert.deepEqual(page.app.range.value, before);
    page.app.pan(999 * minute);
    page.later();
    assert.deepEqual(page.sees, { now: true, first: false, span: 9 });
  });

  it("stays at an old turn that the keys went to", () => {
    const page = new Page();
    page.app.zoom(0.1, start);
    const [oldest] = page.app.bars.value.values();
    assert.ok(oldest);
    page.app.go(oldest);
    page.later();
    assert.deepEqual(page.sees, { now: false, first: true, span: 9 });
  });

  it("means the turn that is told about by its keys: under the pointer, else in focus", () => {
    const posted: string[] = [];
    const page = new Page(undefined, ({ type, ...rest }) =>
      posted.push(
        `${type} ${"batch" in rest ? Number(rest.batch) / minute : ""}`,
      ),
    );
    const [old, young] = [...page.app.bars.value.keys()];
    const press = (key: string, on: KeyPlace): boolean =>
      act(page.app, { key, ctrlKey: false, metaKey: false, altKey: false }, on);
    assert.equal(press("i", "page"), false);
    page.app.focus.value = old;
    press("Enter", "turn");
    page.app.hover.value = young;
    press("i", "turn");
    press("Enter", "page");
    // A button keeps its Enter, a field all its keys; the table has no card.
    assert.equal(press("Enter", "button"), false);
    assert.equal(press("i", "field"), false);
    page.app.table.value = true;
    assert.equal(press("i", "page"), false);
    assert.deepEqual(posted, ["open 10", "inspect 98", "open 98"]);
  });

  it("writes a time on the axis only where it touches neither the edge nor now", () => {
    const free = (at: number, now?: number): boolean =>
      standsFree(
        { at, width: 50 },
        500,
        now === undefined ? undefined : { at: now, width: 20 },
      );
    assert.deepEqual(
      [free(20), free(250), free(480), free(250, 290), free(250, 300)],
      [false, true, false, false, true],
    );
  });

  it("takes a wheel's larger part for what was meant", () => {
    const wheel = (deltaX: number, deltaY: number, shiftKey = false): boolean =>
      isSideways({ deltaX, deltaY, shiftKey });
    assert.deepEqual(
      [wheel(1, 40), wheel(-40, 3), wheel(0, 40), wheel(0, 40, true)],
      [false, true, false, true],
    );
  });
});
