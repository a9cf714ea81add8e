// How long the list of monitors takes in a real browser: from the request of the page to fifty rows
// with their status, and from a click on a filter to the rows that are left.

import bundled from '@sparticuz/chromium';
import { chromium } from 'playwright-core';

const VISITS = 15;
const ROWS = 50;
const VIEWPORT = { width: 1280, height: 900 };
const HAS_ROWS = (count: number) =>
  `document.querySelectorAll('main a[href^="/monitors/mon_"]').length >= ${count}`;

export interface PageTimes {
  /** Milliseconds, sorted; the assets are in the browser's cache. */
  readonly firstRows: readonly number[];
  readonly filter: readonly number[];
  /** Of one visit, without the assets. */
  readonly kilobytes: number;
}

/** `cookie` is a header value of a session. */
export async function timeListPage(url: string, cookie: string): Promise<PageTimes> {
  const browser = await chromium.launch({
    executablePath: await bundled.executablePath(),
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'],
  });
  const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce' });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  let bytes = 0;
  page.on('response', (response) => {
    if (response.url().includes('/assets/') || response.url().includes('/v1/events')) return;
    void response
      .request()
      .sizes()
      .then(({ responseBodySize }) => {
        bytes += responseBodySize;
      })
      .catch(() => undefined);
  });
  const whenRows = async (count: number): Promise<void> => {
    while (!(await page.evaluate(HAS_ROWS(count)))) await page.waitForTimeout(5);
  };
  const firstRows: number[] = [];
  const filter: number[] = [];
  let kilobytes = 0;
  for (let visit = 0; visit <= VISITS; visit += 1) {
    bytes = 0;
    const startedAt = performance.now();
    await page.goto(`${url}/monitors`, { waitUntil: 'commit' });
    await whenRows(ROWS);
    const took = performance.now() - startedAt;
    await page.waitForTimeout(500);
    kilobytes = bytes / 1000;
    const clickedAt = performance.now();
    await page.getByRole('button', { name: /Paused/ }).click();
    while (await page.evaluate(HAS_ROWS(1))) await page.waitForTimeout(5);
    // The first visit fills the cache.
    if (visit === 0) continue;
    firstRows.push(took);
    filter.push(performance.now() - clickedAt);
  }
  await browser.close();
  const inOrder = (times: number[]) => times.toSorted((a, b) => a - b);
  return { firstRows: inOrder(firstRows), filter: inOrder(filter), kilobytes };
}
