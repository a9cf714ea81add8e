// Counts the bytes that a page has loaded.
import type { Page } from 'playwright-core';

/**
 * The bytes of all response bodies so far whose URL counts. The event stream never ends, so it is
 * never counted.
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
