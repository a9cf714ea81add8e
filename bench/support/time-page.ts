// Measures how long the list of monitors takes in a real browser: from the request for the page to
// fifty rows with their status, and from a click on a filter to the filtered rows.

import { launchBenchBrowser, signIn } from './bench-browser';
import { countBytes } from './count-bytes';

const VISITS = 15;
const ROWS = 50;
const HAS_ROWS = (count: number) =>
  `document.querySelectorAll('main a[href^="/monitors/mon_"]').length >= ${count}`;

export interface PageTimes {
  /**
   * The time of each visit until the first rows are shown, in milliseconds, sorted. The assets are already in the
   * browser's cache.
   */
  readonly firstRows: readonly number[];
  readonly filter: readonly number[];
  /** Size of one visit, without the assets. */
  readonly kilobytes: number;
}

/** Measures the list page. `cookie` is the header value of a session. */
export async function timeListPage(url: string, cookie: string): Promise<PageTimes> {
  const browser = await launchBenchBrowser();
  const context = await signIn(browser, { url, cookie });
  const page = await context.newPage();
  const bytes = countBytes(page, (address) => !address.includes('/assets/'));
  const whenRows = async (count: number): Promise<void> => {
    while (!(await page.evaluate(HAS_ROWS(count)))) await page.waitForTimeout(5);
  };
  const firstRows: number[] = [];
  const filter: number[] = [];
  let kilobytes = 0;
  for (let visit = 0; visit <= VISITS; visit += 1) {
    const before = bytes();
    const startedAt = performance.now();
    await page.goto(`${url}/monitors`, { waitUntil: 'commit' });
    await whenRows(ROWS);
    const took = performance.now() - startedAt;
    await page.waitForTimeout(500);
    kilobytes = (bytes() - before) / 1000;
    const clickedAt = performance.now();
    await page.getByRole('button', { name: /Paused/ }).click();
    while (await page.evaluate(HAS_ROWS(1))) await page.waitForTimeout(5);
    // The first visit only fills the cache.
    if (visit === 0) continue;
    firstRows.push(took);
    filter.push(performance.now() - clickedAt);
  }
  await browser.close();
  const inOrder = (times: number[]) => times.toSorted((a, b) => a - b);
  return { firstRows: inOrder(firstRows), filter: inOrder(filter), kilobytes };
}
