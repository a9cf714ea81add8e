// Counts the bytes that a page has loaded.
import type { Page } from 'playwright-core';

/**
 * Returns a function that returns the number of bytes of all response bodies so far. Counts only URLs for which
 * `counts` returns true. Does not count the event stream, because it never ends.
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
