import type { Page } from "playwright-core";

/** Drags the edge of the side bar the chat is in, as a user does. */
export async function widen(page: Page, width: number): Promise<void> {
  const bar = page.locator(".part.auxiliarybar");
  const box = await bar.boundingBox();
  if (box === null) throw new Error("The side bar is not there.");
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x - 1, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - width, y, { steps: 5 });
  await page.mouse.up();
}
