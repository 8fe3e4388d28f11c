import type { Locator } from "playwright-core";

/**
 * The middle of how long keys take from being pressed until what they typed is painted, in the page's own time.
 * To be compared within a run: alone it says as much about the machine as about the page.
 */
export async function keyToPaint(
  area: Locator,
  text = "still here",
): Promise<number> {
  await area.evaluate((box) => {
    const took: number[] = [];
    Object.assign(window, { took });
    const timed = (event: Event): void => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          took.push(performance.now() - event.timeStamp);
        };
        port2.postMessage(null);
      });
    };
    box.addEventListener("keydown", timed);
    Object.assign(window, {
      untimed: () => box.removeEventListener("keydown", timed),
    });
  });
  await area.pressSequentially(text);
  return area.evaluate(async (_, keys) => {
    const { took, untimed } = window as unknown as {
      took: number[];
      untimed: () => void;
    };
    while (took.length < keys)
      await new Promise((next) => requestAnimationFrame(next));
    untimed();
    return took.toSorted((a, b) => a - b)[Math.floor(keys / 2)] ?? Infinity;
  }, text.length);
}
