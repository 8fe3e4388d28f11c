import type { History, SearchHit, SearchQuery } from "../core/recordPort.ts";

/** What a search has come to. */
export interface Searched {
  /** All so far, newest first. */
  readonly hits: readonly SearchHit[];
  /** It goes on; who does not ask for more stops it. */
  readonly goesOn: boolean;
}

/** A long history is looked through in parts: told after each, until there are enough or no more. */
export async function* searchPages(
  store: Pick<History, "search">,
  query: SearchQuery,
): AsyncGenerator<Searched, void> {
  const hits: SearchHit[] = [];
  let { from } = query;
  for (;;) {
    const page = await store.search({
      ...query,
      limit: query.limit - hits.length,
      ...(from === undefined ? {} : { from }),
    });
    hits.push(...page.hits);
    const goesOn = page.next !== null && hits.length < query.limit;
    yield { hits: [...hits], goesOn };
    if (page.next === null || !goesOn) return;
    from = page.next;
  }
}
