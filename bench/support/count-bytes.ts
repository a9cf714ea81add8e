// How much a page has loaded of what counts.
import type { Page } from 'playwright-core';

/** The bytes of all bodies so far, of the responses whose address counts; events never end and count nowhere. */
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
