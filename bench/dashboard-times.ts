// Measures the dashboard with 2,000 checks in a real browser. For the table of checks: the time from the request to
// usable rows, the size of the page on the wire, and the time to sort and to filter. Also measures the page of a single
// check, and the layout shift. `npm run bench -- dashboard-times 50` uses fewer checks. Reports missed goals.
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { launchBenchBrowser, signIn } from './support/bench-browser';
import { countBytes } from './support/count-bytes';
import { percentile } from './support/percentile';
import { runBench } from './support/run-bench';
import type { BenchService } from './support/service';

const CHECKS = Number(process.argv[2] ?? 2_000);
const VISITS = 9;
/** A long interval, so that no checks run while pages are timed. */
const INTERVAL_SECONDS = 3_600;
const CREATED_AT_ONCE = 4;

const GOALS = {
  'table usable, ms': 1_000,
  'table, kB on the wire': 300,
  'sort, ms': 200,
  'filter, ms': 200,
  'check page, ms': 1_000,
  'layout shift': 0.05,
} as const;
type Measure = keyof typeof GOALS;

const ROW = 'main tr a[href^="/monitors/mon_"]';
const FIRST_ROW = `document.querySelector('${ROW}')?.innerText`;
const WATCH_SHIFT = `(() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
})()`;

async function createChecks(service: BenchService, targetUrl: string): Promise<string> {
  let next = 0;
  let id = '';
  const work = async (): Promise<void> => {
    while (next < CHECKS) {
      const index = next;
      next += 1;
      id = await service.createMonitor({
        name: `check ${String(index).padStart(4, '0')}`,
        url: `${targetUrl}/${index}`,
        interval: INTERVAL_SECONDS,
        group: `group-${index % 20}`,
        tags: [`tag-${index % 7}`],
      });
    }
  };
  await Promise.all(Array.from({ length: CREATED_AT_ONCE }, work));
  return id;
}

/** Returns how many milliseconds pass after `change` until the text of the first row has changed. */
async function untilRowsChange(page: Page, change: () => Promise<void>): Promise<number> {
  const before = await page.evaluate(FIRST_ROW);
  const startedAt = performance.now();
  await change();
  // Polls from outside the page, because the page's content policy forbids scripts that would wait inside it.
  while ((await page.evaluate(FIRST_ROW)) === before) await page.waitForTimeout(5);
  return performance.now() - startedAt;
}

/**
 * Waits until the element is visible. Playwright's own wait is too imprecise here: it polls only every half second
 * after a while, and the goal is one second.
 */
async function untilVisible(shown: Locator): Promise<void> {
  while (!(await shown.isVisible())) await shown.page().waitForTimeout(5);
}

async function visitTable(context: BrowserContext, url: string) {
  const page = await context.newPage();
  await page.addInitScript(WATCH_SHIFT);
  const bytes = countBytes(page, (address) => address.includes('/v1/'));
  const startedAt = performance.now();
  await page.goto(`${url}/checks?by=none`, { waitUntil: 'commit' });
  await untilVisible(page.locator(ROW).first());
  const usable = performance.now() - startedAt;
  await page.waitForTimeout(1_000);
  const kilobytes = bytes() / 1_000;
  const nameHead = page.getByRole('columnheader', { name: /^Name/ }).getByRole('button');
  await nameHead.click();
  await page.waitForTimeout(300);
  const sort = await untilRowsChange(page, () => nameHead.click());
  const search = page.locator('[data-search]');
  const filter = await untilRowsChange(page, () => search.fill('check 0007'));
  const shift = Number(await page.evaluate('window.shifted'));
  await page.close();
  return { usable, kilobytes, sort, filter, shift };
}

async function visitCheck(context: BrowserContext, url: string) {
  const page = await context.newPage();
  await page.addInitScript(WATCH_SHIFT);
  const startedAt = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await untilVisible(page.getByRole('figure').locator('svg.recharts-surface').first());
  const took = performance.now() - startedAt;
  await page.waitForTimeout(1_000);
  const shift = Number(await page.evaluate('window.shifted'));
  await page.close();
  return { took, shift };
}

async function measure(service: BenchService, targetUrl: string): Promise<void> {
  const id = await createChecks(service, targetUrl);
  console.log(`${CHECKS} checks`);
  const browser = await launchBenchBrowser();
  const context = await signIn(browser, service);
  const found: Record<Measure, number[]> = {
    'table usable, ms': [],
    'table, kB on the wire': [],
    'sort, ms': [],
    'filter, ms': [],
    'check page, ms': [],
    'layout shift': [],
  };
  for (let visit = 0; visit <= VISITS; visit += 1) {
    const table = await visitTable(context, service.url);
    const check = await visitCheck(context, `${service.url}/monitors/${id}`);
    // The first visit only fills the cache of assets.
    if (visit === 0) continue;
    found['table usable, ms'].push(table.usable);
    found['table, kB on the wire'].push(table.kilobytes);
    found['sort, ms'].push(table.sort);
    found['filter, ms'].push(table.filter);
    found['check page, ms'].push(check.took);
    found['layout shift'].push(table.shift, check.shift);
  }
  await browser.close();
  report(found);
}

/** Prints the median of each measure next to its goal. The goal of the layout shift applies to its worst value. */
function report(found: Readonly<Record<Measure, readonly number[]>>): void {
  const names: readonly Measure[] = [
    'table usable, ms',
    'table, kB on the wire',
    'sort, ms',
    'filter, ms',
    'check page, ms',
    'layout shift',
  ];
  for (const name of names) {
    const all = found[name].toSorted((a, b) => a - b);
    const [middle, worst] = [percentile(all, 0.5), percentile(all, 1)];
    const judged = name === 'layout shift' ? worst : middle;
    const digits = name === 'layout shift' ? 3 : 0;
    console.log(
      `${name.padEnd(24)} p50 ${middle.toFixed(digits)}  max ${worst.toFixed(digits)}  goal ${GOALS[name]}  ${judged <= GOALS[name] ? 'met' : 'MISSED'}`,
    );
  }
}

runBench(measure);
