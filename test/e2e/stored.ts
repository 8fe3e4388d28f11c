import type { Page } from "playwright-core";

/** All that VS Code keeps of its windows in the browser, as one text: extensions' own memory is in it. */
export function storedText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const settled = <T>(asked: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => reject(new Error(asked.error?.message));
      });
    const all: unknown[] = [];
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name));
      for (const store of database.objectStoreNames)
        all.push(
          await settled(
            database.transaction(store).objectStore(store).getAll(),
          ),
        );
      database.close();
    }
    // Texts within texts: their quotes are as good as any.
    return JSON.stringify(all).replaceAll("\\", "");
  });
}
