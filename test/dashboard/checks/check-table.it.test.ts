/** Tests the table of checks by mouse, keyboard and touch: headers, order, selection and the peek panel. */

import type { Page } from 'playwright-core';
import { z } from 'zod';
import { startLoopbackServer, urlOfNobody } from '../../support/loopback-server';
import { isLongForm } from '../../support/test-size';
import { NARROW, WIDE } from '../support/browser';
import { follow, load, suiteDashboard, visitorOfSuite } from '../support/dashboard';
import { eventually } from '../support/eventually';
import { holdRequest } from '../support/hold-request';

const ROWS = 12;
const LOW = { width: 1280, height: 480 };

const dashboard = suiteDashboard(async ({ api }) => {
  for (let at = 1; at <= ROWS; at++)
    await api.createMonitor({ name: `Check ${at}`, url: 'http://example.com/', enabled: false });
});
const visitor = visitorOfSuite(dashboard);

/** A pause in typing in milliseconds. It is longer than the debounce of a filter. */
const TYPING_PAUSED_MS = 1_000;

const focusedRow = (page: Page) => () =>
  page.evaluate<string>('document.activeElement.closest("[data-row]")?.innerText ?? ""');

/**
 * Returns the text of the table header that is visible at the middle of the header `Name`. It is empty if another
 * element covers the header.
 */
async function seenAtHeader(page: Page): Promise<string> {
  const box = await page.getByRole('columnheader', { name: 'Name' }).boundingBox();
  const { x = 0, y = 0, width = 0, height = 0 } = box ?? {};
  const point = `${x + width / 2}, ${y + height / 2}`;
  return page.evaluate<string>(
    `document.elementFromPoint(${point})?.closest('th')?.innerText ?? ''`,
  );
}

test('the headers of the table of checks stay visible while its rows scroll, even with a selection', async () => {
  const { page, close } = await dashboard.visit({ viewport: LOW });
  await load(dashboard, { page }, '/checks');
  await page.getByRole('link', { name: `Check ${ROWS}`, exact: true }).scrollIntoViewIfNeeded();
  await eventually(async () => Number(await page.evaluate('scrollY')) > 0).toBe(true);
  await eventually(() => seenAtHeader(page)).toMatch(/Name/);
  await page.getByRole('checkbox', { name: `Select Check ${ROWS}` }).check();
  await page.getByRole('region', { name: 'Selection' }).waitFor();
  await eventually(() => seenAtHeader(page)).toMatch(/Name/);
  await close();
});

test('the reason for a failure is shown in full in the table on a phone', async () => {
  const { page, close } = await dashboard.visit({ viewport: NARROW });
  const url = await urlOfNobody();
  await dashboard.probe.check(await dashboard.api.createMonitor({ name: 'Zebra', url }));
  await load(dashboard, { page }, '/checks');
  await page.getByText(`Connection refused on port ${new URL(url).port}.`).waitFor();
  const [shown, needed] = await page.evaluate<readonly [number, number]>(`(() => {
    const reason = document.querySelector('[data-status=down][title]');
    return [reason.clientWidth, reason.scrollWidth];
  })()`);
  expect(shown).toBeGreaterThanOrEqual(needed);
  const row = page.locator('[data-row]').filter({ hasText: 'Zebra' });
  await row.getByRole('img', { name: 'The last check: 1 down' }).waitFor();
  await row.getByRole('cell', { name: /^24 h\s*0%$/ }).waitFor();
  await row.getByRole('link', { name: 'Zebra', exact: true }).focus();
  await page.keyboard.press('Space');
  const peek = page.getByRole('dialog', { name: 'Peek' });
  const results = peek.getByRole('table', { name: 'Last results' });
  await eventually(() => results.getByRole('row').count()).toBe(1);
  await results.getByRole('cell', { name: 'Down' }).waitFor();
  await close();
});

test('a long reason wraps to two lines in a wide table, and a row without a reason keeps its height', async () => {
  const { page, close } = await dashboard.visit({ viewport: WIDE });
  const { url, close: stop } = await startLoopbackServer((_request, response) => response.end());
  const expectedText = 'all parts of the shop are in order '.repeat(12);
  await dashboard.probe.check(
    await dashboard.api.createMonitor({ name: 'Wordy', url, expectedText }),
  );
  await stop();
  await load(dashboard, { page }, '/checks');
  const countLines = (name: string): Promise<number> =>
    page.evaluate<number>(`(() => {
      const rows = [...document.querySelectorAll('[data-row]')];
      const row = rows.find((each) => each.querySelector('a').innerText === '${name}');
      const about = row.querySelector('div[title]');
      return about.clientHeight / parseFloat(getComputedStyle(about).lineHeight);
    })()`);
  await page
    .getByText(/^Down for .*: /)
    .first()
    .waitFor();
  expect(await countLines('Wordy')).toBeCloseTo(2, 0);
  expect(await countLines('Check 1')).toBeCloseTo(1, 0);
  await close();
});

test('monitors and scenarios can be paused together in one action, and Undo resumes both', async () => {
  const { api } = dashboard;
  const url = 'http://example.com/';
  const monitor = await api.createMonitor({ name: 'Front page', url, interval: 3_600 });
  const body = { name: 'Order', interval: 3_600, steps: [{ name: 'Open', url }] };
  const shape = z.object({ id: z.string() });
  const create = { method: 'POST', path: '/v1/scenarios', body };
  const scenario = (await api.call(create, { status: 201, shape })).id;
  const state = z.looseObject({ state: z.string() });
  const readStates = (): Promise<readonly string[]> =>
    Promise.all(
      [`/v1/monitors/${monitor}`, `/v1/scenarios/${scenario}`].map(
        async (path) =>
          (await api.call({ method: 'GET', path }, { status: 200, shape: state })).state,
      ),
    );
  const page = await follow(dashboard, visitor, '/checks');
  await page.getByRole('checkbox', { name: 'Select Front page' }).check();
  await page.getByRole('link', { name: 'Order', exact: true }).focus();
  await page.keyboard.press('x');
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByText('2 selected').waitFor();
  await bar.getByRole('button', { name: 'Pause' }).click();
  await bar.getByRole('menuitem', { name: 'Until I resume' }).click();
  await page.getByText('2 checks paused.').waitFor();
  expect(await readStates()).toEqual(['paused', 'paused']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('2 checks resumed.').waitFor();
  expect(await readStates()).toEqual(['active', 'active']);
});

if (isLongForm)
  test('j and k move between checks while the peek panel is open', async () => {
    const page = await load(dashboard, visitor, '/checks?q=Check 1');
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    const peek = page.getByRole('dialog', { name: 'Peek' });
    await peek.getByText('Check 1', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await peek.getByText('Check 10', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await peek.getByText('Check 11', { exact: true }).waitFor();
    await page.keyboard.press('k');
    await peek.getByText('Check 10', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await peek.waitFor({ state: 'detached' });
    await eventually(focusedRow(page)).toMatch(/Check 10/);
  });

test('on a phone, the first row of checks is visible without scrolling, and filters and order are in a sheet', async () => {
  const { page, close } = await dashboard.visit({ viewport: NARROW });
  await load(dashboard, { page }, '/checks?by=none');
  const filters = page.getByRole('button', { name: 'Filters' });
  const { y = 0 } = (await page.locator('[data-row]').first().boundingBox()) ?? {};
  expect(y).toBeLessThan(220);
  const statuses = page.getByRole('group', { name: 'Filter by status' });
  const tops = new Set<number>();
  for (const status of await statuses.getByRole('button').all())
    if (await status.isVisible()) tops.add((await status.boundingBox())?.y ?? 0);
  expect(tops.size).toBe(1);
  await filters.click();
  await page.getByRole('dialog').getByRole('radiogroup', { name: 'Show' }).waitFor();
  const order = page.getByRole('combobox', { name: 'Sort by' });
  await order.selectOption('By name');
  await page.waitForURL(/[?&]sort=name/);
  const names = page.locator('[data-row-link]');
  const first = async () => (await names.allInnerTexts()).slice(0, 3);
  await eventually(first).toEqual(['Check 1', 'Check 2', 'Check 3']);
  await load(dashboard, { page }, '/checks?sort=-interval');
  await filters.click();
  await eventually(() => order.inputValue()).toBe('-interval');
  await close();
});

if (isLongForm)
  test('the table keeps its filters and groups when it switches to monitors only and back', async () => {
    const page = await load(dashboard, visitor, '/checks?q=check&by=none');
    const types = page.getByRole('radiogroup', { name: 'Show' });
    await types.getByText('Monitors', { exact: true }).click();
    await page.waitForURL(/\/monitors\?q=check&by=none$/);
    await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor();
    await types.getByText('All', { exact: true }).click();
    await page.waitForURL(/\/checks\?q=check&by=none$/);
  });

if (isLongForm)
  test('two quick clicks on a column header both take effect and keep the grouping', async () => {
    const page = await load(dashboard, visitor, '/checks?by=none');
    await page.getByRole('button', { name: 'Name' }).waitFor();
    // Clicks in one task, so that the page does not render between the clicks.
    await page.evaluate(`(() => {
    const heads = [...document.querySelectorAll('th button')];
    const head = heads.find(({ textContent }) => textContent === 'Name');
    head.click();
    head.click();
  })()`);
    await page.waitForURL(/by=none&sort=-name/);
    await page.locator('th[aria-sort=descending]').filter({ hasText: 'Name' }).waitFor();
  });

test('a filter typed just before navigation does not affect the next page', async () => {
  const { page, close } = await dashboard.visit({ isApart: true });
  await page.clock.install();
  await load(dashboard, { page }, '/monitors');
  await page.clock.pauseAt(Date.now() + 60_000);
  const release = await holdRequest(page, '**/assets/new-monitor-page*');
  await page.getByLabel('Search by name').fill('zebra');
  await page.getByRole('link', { name: 'New monitor' }).click();
  await page.waitForURL(/\/monitors\/new/);
  await page.clock.runFor(TYPING_PAUSED_MS);
  release();
  await page.clock.resume();
  await page.getByRole('heading', { name: 'New monitor', level: 1 }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  await close();
});

if (isLongForm)
  test('a tag that is removed right after it was chosen stays removed', async () => {
    await dashboard.api.createMonitor({ name: 'Odd', url: 'http://example.com/', tags: ['odd'] });
    const { page, close } = await dashboard.visit({ isApart: true });
    await page.clock.install();
    await load(dashboard, { page }, '/checks');
    await page.getByRole('combobox', { name: 'Tag' }).fill('od');
    await page.waitForURL(/tag=od$/);
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole('option', { name: 'odd' }).click();
    await page.waitForURL(/tag=odd/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL(/\/checks$/);
    await page.clock.runFor(TYPING_PAUSED_MS);
    await eventually(() => page.getByRole('combobox', { name: 'Tag' }).inputValue()).toBe('');
    expect(new URL(page.url()).search).toBe('');
    await close();
  });
