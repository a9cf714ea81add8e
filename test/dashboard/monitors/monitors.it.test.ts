/**
 * Tests the list of monitors and the page of a monitor, in a real browser: filters in the URL, pages, bulk actions,
 * pauses, maintenance, and a result with all measurements.
 */
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { startLoopbackServer } from '../../support/loopback-server';
import { isLongForm } from '../../support/test-size';
import { axeViolations, NARROW, WIDE } from '../support/browser';
import { follow, load, settled, suiteDashboard, visitorOfSuite } from '../support/dashboard';
import { eventually } from '../support/eventually';

/** Number of monitors. They do not fit on one page of the list. */
const COUNT = 52;
const HOSTILE = '<img src=x onerror=alert(1)>"\'';

let brokenId = '';

const dashboard = suiteDashboard(async ({ api, probe }) => {
  const target = await startLoopbackServer((_request, response) => {
    response.writeHead(500);
    response.end('out of order');
  });
  const url = 'http://example.com/';
  for (let number = 1; number <= COUNT; number += 1)
    await api.createMonitor({ name: `Page ${number}`, url, group: 'Site' });
  await api.createMonitor({ name: HOSTILE, url, tags: ['odd'] });
  brokenId = await api.createMonitor({
    name: 'Search',
    url: `${target.url}/broken`,
    group: 'Shop',
    retries: 1,
    assertions: [
      { type: 'status', operator: 'equals', value: 200 },
      { type: 'body', operator: 'contains', value: 'order' },
    ],
  });
  const steps = [{ name: 'Buy', url }];
  await api.call(
    {
      method: 'POST',
      path: '/v1/scenarios',
      body: { name: 'Buy a cup', group: 'Shop', steps, enabled: false },
    },
    { status: 201, shape: z.looseObject({}) },
  );
  await probe.check(brokenId);
  await target.close();
});
const visitor = visitorOfSuite(dashboard);
const open = (path: string) => follow(dashboard, visitor, path);
const rows = (page: Page) => () => page.locator('[data-row]').count();

describe('the list of monitors', () => {
  it('the list of monitors keeps every filter in its URL across a reload', async () => {
    const page = await open('/monitors');
    await page.getByRole('link', { name: 'Page 1', exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('search');
    await page.waitForURL(/q=search/);
    await page.getByRole('link', { name: 'Page 1', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^\d+ Down/ }).click();
    await page.waitForURL(/status=down/);
    await page.reload();
    await page.getByRole('link', { name: 'Search', exact: true }).waitFor();
    await eventually(() => page.getByLabel('Search by name').inputValue()).toBe('search');
    await page.getByRole('button', { name: /^\d+ Down/, pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('link', { name: 'Page 1', exact: true }).waitFor();
  });

  it('the list of monitors summarizes and folds a group, and shows recent checks as bars', async () => {
    const page = await open('/monitors?group=Shop');
    const folder = page.getByRole('button', { name: /^Down Shop 0 of 1 up/ });
    await page.getByText('0 of 1 up').waitFor();
    await page.getByRole('img', { name: /^The last check: 1 down/ }).waitFor();
    await folder.click();
    await eventually(() => folder.getAttribute('aria-expanded')).toBe('false');
    await page.getByRole('link', { name: 'Search', exact: true }).waitFor({ state: 'hidden' });
  });

  if (isLongForm)
    it('the list of monitors shows 50 at a time, with a next and a previous page', async () => {
      const page = await open('/monitors');
      await page.getByRole('link', { name: 'Page 1', exact: true }).waitFor();
      await eventually(rows(page)).toBe(50);
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByRole('link', { name: 'Page 52', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Previous page' }).click();
      await page.getByRole('link', { name: 'Page 1', exact: true }).waitFor();
    });

  it('the list of monitors tags and pauses selected checks, and deletes them after a confirmation', async () => {
    const page = await open('/monitors?q=Page 51');
    const row = page.locator('[data-row]').filter({ hasText: 'Page 51' });
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Tags' }).click();
    await page.getByRole('combobox', { name: 'Add' }).fill('night');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText('night').waitFor();
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('menuitem', { name: 'For 30 min' }).click();
    const paused = row.getByRole('img', { name: 'Paused' });
    await paused.waitFor();
    await page.getByText('1 selected').waitFor({ state: 'detached' });
    const notice = page.getByRole('alert').filter({ hasText: '1 check paused.' });
    await notice.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 check resumed.').waitFor();
    await paused.waitFor({ state: 'detached' });
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const question = page.getByRole('dialog');
    await question.getByText('Delete 1 check?').waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('the list of monitors has an accessible menu for each monitor', async () => {
    const page = await open('/monitors?tag=odd');
    await page.getByRole('link', { name: HOSTILE, exact: true }).waitFor();
    await page.getByRole('button', { name: `Actions: ${HOSTILE}`, exact: true }).click();
    const duplicate = page.getByRole('menuitem', { name: 'Duplicate' });
    await duplicate.waitFor();
    await eventually(async () => String(await duplicate.getAttribute('href'))).toMatch(
      /^\/monitors\/new\?from=mon_/,
    );
    expect(await axeViolations(page, '[role=menu]')).toEqual([]);
    await page.getByRole('menuitem', { name: 'Maintenance for 30 min' }).click();
    await page.locator('[data-row]').getByRole('img', { name: 'Maintenance' }).waitFor();
    await open('/monitors');
    await page.getByRole('button', { name: /^1 Maintenance/ }).click();
    await page.waitForURL(/status=maintenance/);
    await page.getByRole('link', { name: 'Page 1', exact: true }).waitFor({ state: 'detached' });
    await eventually(rows(page)).toBe(1);
    await page.getByRole('link', { name: HOSTILE, exact: true }).waitFor();
  });

  if (isLongForm)
    it('the list of monitors suggests existing tags', async () => {
      const page = await open('/monitors');
      await page.getByRole('combobox', { name: 'Tag' }).fill('od');
      await page.getByRole('option', { name: 'odd' }).click();
      await page.waitForURL(/tag=odd/);
      await page.getByRole('link', { name: 'Page 1', exact: true }).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: HOSTILE, exact: true }).waitFor();
    });

  it('the list of monitors sorts by a column, announces the order, and keeps the order in its URL', async () => {
    const page = await open('/checks?by=none');
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByRole('columnheader', { name: 'Name', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Name' }).click();
    await page.waitForURL(/sort=-name/);
    await page.locator('th[aria-sort=descending]').filter({ hasText: 'Name' }).waitFor();
    const names = page.locator('[data-row-link]');
    await eventually(() => names.first().innerText()).toBe('Search');
    await page.reload();
    await settled(visitor);
    await eventually(() => names.first().innerText()).toBe('Search');
  });

  it('the list of monitors can include scenarios, be grouped by a chosen property, and be compact', async () => {
    const page = await open('/checks');
    await page.getByRole('button', { name: /^Down Shop 0 of 2 up/ }).waitFor();
    await page.getByRole('link', { name: 'Search', exact: true }).waitFor();
    const buy = page.locator('[data-row]').filter({ hasText: 'Buy a cup' });
    await buy.getByText('1 step', { exact: true }).waitFor();
    // Filters the list, because paused checks come after the pending checks, which fill more than a page.
    await page.getByRole('combobox', { name: 'Group', exact: true }).selectOption('Shop');
    await page.waitForURL(/group=Shop/);
    await page.getByRole('combobox', { name: 'Group by' }).selectOption('Status');
    await page.waitForURL(/by=status/);
    await page.getByRole('button', { name: /^Paused Paused 0 of 1 up/ }).waitFor();
    const tall = (await buy.boundingBox())?.height ?? 0;
    await page.getByRole('switch', { name: 'Compact' }).check();
    await page.waitForURL(/rows=compact/);
    await eventually(async () => ((await buy.boundingBox())?.height ?? 0) < tall).toBe(true);
    if (isLongForm) expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Needs attention' }).click();
    await page.waitForURL(/status=down%2Cdegraded/);
    await page.getByRole('link', { name: 'Search', exact: true }).waitFor();
    await eventually(rows(page)).toBe(1);
  });

  it('the list of monitors moves with j and k, selects with x, and opens with Space or a click', async () => {
    const page = await open('/monitors?q=page&by=none');
    const focused = () => page.evaluate('document.activeElement?.textContent');
    for (const [key, name] of [
      ['j', 'Page 1'],
      ['j', 'Page 2'],
      ['j', 'Page 3'],
      ['k', 'Page 2'],
    ] as const) {
      await page.keyboard.press(key);
      await eventually(focused).toBe(name);
    }
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor({ state: 'detached' });
    await page.keyboard.press('Space');
    const peek = page.getByRole('dialog', { name: 'Peek' });
    await peek.getByText('Page 2').waitFor();
    await peek.getByRole('img', { name: 'Last hour' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await peek.waitFor({ state: 'detached' });
    await page.locator('[data-row]').first().locator('td').nth(3).click();
    await page.getByRole('heading', { name: 'Page 1', level: 1 }).waitFor();
  });
});

describe('the page of a monitor', () => {
  it('the page of a monitor opens a result with its phases, assertions, attempts and body', async () => {
    await visitor.page.setViewportSize(NARROW);
    const page = await open(`/monitors/${brokenId}?tab=results`);
    await page.getByRole('button', { name: /^Open the result/ }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('Expected status 200, got 500.').first().waitFor();
    await drawer.getByText(/^Waiting/).waitFor();
    await drawer.getByRole('cell', { name: 'status equals' }).waitFor();
    await drawer.getByRole('tab', { name: 'Attempt 2, failed' }).waitFor();
    await drawer.getByRole('tab', { name: 'Attempt 1, failed' }).click();
    await drawer.getByText('Headers, timing and body are kept for the last attempt.').waitFor();
    await eventually(() => drawer.getByText('out of order').count()).toBe(0);
    await page.keyboard.press('ArrowRight');
    await drawer.getByText('out of order').first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.waitForURL(/result=mon_/);
    await page.reload();
    await drawer.getByText('out of order').first().waitFor();
    await drawer.getByRole('button', { name: 'Copy link' }).waitFor();
    await page.setViewportSize(WIDE);
  });

  it('the page of a monitor shows response times of a window as a chart and as a table', async () => {
    const page = await open(`/monitors/${brokenId}`);
    const strip = page.getByRole('alert').filter({ hasText: /^Down for / });
    await strip.getByText('Expected status 200, got 500.').waitFor();
    await strip.getByRole('link', { name: 'Failed results' }).waitFor();
    const windows = page.getByRole('radiogroup', { name: 'Window' });
    const whole = windows.getByRole('radio', { name: /^Uptime since \d\d:\d\d$/ });
    await eventually(() => whole.isChecked()).toBe(true);
    await windows.getByText(/^\d+ checks?, \d+ failed$/).waitFor();
    // Two hours are possible, because a new hour may have begun since the first failure.
    await page
      .getByRole('img', { name: /^Last 7 days by hour: downtime in [12] hours?/ })
      .waitFor();
    await page
      .getByRole('figure', { name: /^Chart of p50, p95 and p99/ })
      .locator('svg.recharts-surface')
      .first()
      .waitFor();
    await page.getByText('Events in the chart: 1 outage').click();
    await page.getByRole('link', { name: 'Expected status 200, got 500.' }).last().waitFor();
    const codes = page.getByRole('region', { name: 'Status codes' });
    await codes.getByText('500').waitFor();
    await codes.getByText('100%').waitFor();
    await page.getByText('By region', { exact: true }).click();
    await page.getByText('p99', { exact: true }).last().click();
    await page.waitForURL(/stat=p99/);
    await page.getByText('Table', { exact: true }).click();
    await page
      .getByText('No check passed in this window, so there are no times to show.')
      .waitFor();
    await page.getByText('Phases', { exact: true }).click();
    await page.getByRole('img', { name: /^Stacked bars of the last \d+ checks?/ }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.waitForURL(/from=.*to=/);
    const zoomed = windows.getByRole('radio', { name: /^Uptime, \d+ \w+/ });
    await eventually(() => zoomed.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Reset zoom' }).click();
    await page.waitForURL((url) => !url.search.includes('from='));
    await eventually(() => zoomed.count()).toBe(0);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await eventually(() => zoomed.isChecked()).toBe(true);
    await zoomed.press('ArrowLeft');
    await page.waitForURL((url) => /window=/.test(url.search) && !url.search.includes('from='));
    await eventually(() => whole.isChecked()).toBe(true);
    // Two days are possible, because a new day may have begun since the first failure.
    await page.getByText(/^Last 90 days: downtime on [12] days?/).waitFor();
  });

  if (isLongForm)
    it('the page of a monitor keeps its scroll position while charts are switched', async () => {
      await visitor.page.setViewportSize({ width: 1360, height: 500 });
      const page = await load(dashboard, visitor, `/monitors/${brokenId}`);
      const regions = page.getByText('By region', { exact: true });
      await regions.scrollIntoViewIfNeeded();
      const scroll = () => page.evaluate<number>('scrollY');
      await eventually(async () => (await scroll()) > 0).toBe(true);
      const scrolled = await scroll();
      await regions.click();
      await page.getByRole('radiogroup', { name: 'Percentile' }).waitFor();
      await eventually(scroll).toBe(scrolled);
      await page.setViewportSize(WIDE);
    });

  if (isLongForm)
    it('the page of a monitor pauses for a time and resumes', async () => {
      const page = await open(`/monitors/${brokenId}`);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('menuitem', { name: 'For 8 h' }).click();
      await page.getByText(/^Paused .*, resumes in/).waitFor();
      await eventually(() => page.getByRole('button', { name: 'Check now' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Resume' }).click();
      await page.getByRole('button', { name: 'Check now' }).waitFor();
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('menuitem', { name: 'Custom' }).click();
      const question = page.getByRole('dialog');
      await question.getByRole('textbox', { name: 'Minutes' }).fill('7');
      expect(await axeViolations(page)).toEqual([]);
      await question.getByRole('button', { name: 'Pause' }).click();
      await page.getByText(/^Paused .*, resumes in/).waitFor();
      const read = { method: 'GET', path: `/v1/monitors/${brokenId}` };
      const shape = z.object({ pausedAt: z.iso.datetime(), pausedUntil: z.iso.datetime() });
      const minutes = async () => {
        const pause = await dashboard.api.call(read, { status: 200, shape });
        return Math.round((Date.parse(pause.pausedUntil) - Date.parse(pause.pausedAt)) / 60_000);
      };
      await eventually(minutes).toBe(7);
    });
});
