import type { CDPSession, Frame } from "playwright-core";

/** What is in use once everything that can go has gone. */
export async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send("HeapProfiler.enable");
  for (let n = 0; n < 3; n++) await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize } = await cdp.send("Runtime.getHeapUsage");
  return usedSize;
}

/** From a thread's end to its start and back; answers the most elements the page ever had. */
export function scrollThrough(frame: Frame): Promise<number> {
  return frame.evaluate(async () => {
    const box = document.querySelector<HTMLElement>(".log");
    if (box === null) throw new Error("There is no transcript.");
    const frames = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++)
        await new Promise((resolve) => requestAnimationFrame(resolve));
    };
    let most = 0;
    const first = (): string | undefined =>
      document.querySelector<HTMLElement>('[data-testid="batch"]')?.dataset[
        "batch"
      ];
    // Nothing new for this many frames: the start is there.
    for (let still = 0, seen = first(); still < 60;) {
      box.dispatchEvent(new WheelEvent("wheel", { deltaY: -1 }));
      box.scrollTop = Math.max(0, box.scrollTop - 4_000);
      await frames(1);
      most = Math.max(most, document.querySelectorAll("*").length);
      const now = first();
      still = now === seen ? still + 1 : 0;
      seen = now;
    }
    document.querySelector<HTMLElement>(".jump")?.click();
    await frames(30);
    return Math.max(most, document.querySelectorAll("*").length);
  });
}
