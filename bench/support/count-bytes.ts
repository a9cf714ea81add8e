// Counts the bytes that a page has loaded.
import type { Page } from 'playwright-core';

/**
 * Returns a function that returns how many bytes the response bodies had so far. A body is included if `counts` returns
 * true for its URL. The event stream never ends, so its bytes are not included.
 */
export function countBytes(page: Page, counts: (url: string) => boolean): () => number {
  let bytes = 0;
  page.on('response', (response) => {
    const url = response.url();
    if (url.includes('/v1/events') || !counts(url)) return;
    void response
      .request()
      .sizes()
      .then(({ responseBodySize }) => {
        bytes += responseBodySize;
      })
      .catch(() => undefined);
  });
  return () => bytes;
}
