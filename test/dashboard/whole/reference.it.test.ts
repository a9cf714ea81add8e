/**
 * The reference in a browser: readable by everybody in each theme and width, by keyboard alone, and reached from the
 * forms. KEEPWATCH_TEST_PAGES=all shows it on a large screen, too.
 */
import type { Page } from 'playwright-core';
import { axeViolations, isTooWide, NARROW, WATCH_SHIFT } from '../support/browser';
import { type Dashboard, openDashboard, settled } from '../support/dashboard';

const SHIFT_MAX = 0.05;
/** Pixels; links that are broken letter by letter make it far higher. */
const HEADER_MAX = 160;
const PATHS = ['/docs#createMonitor', '/docs/fields#monitor.timeoutMs'] as const;
const LARGE = ['dark', { width: 1920, height: 1080 }] as const;
const LOOKS = [
  ['light', { width: 1360, height: 900 }],
  ['dark', NARROW],
  ...(process.env['KEEPWATCH_TEST_PAGES'] === 'all' ? [LARGE] : []),
] as const;

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard?.close());

const groundOf = (page: Page): Promise<unknown> =>
  page.evaluate('getComputedStyle(document.body).backgroundColor');

describe.each(LOOKS)('%s, at %j', (colorScheme, viewport) => {
  test.each(PATHS)('%s can be read by everybody, and nothing moves', async (path) => {
    const { context, page, faults } = await dashboard.visit({ colorScheme, viewport });
    await page.addInitScript(WATCH_SHIFT);
    await page.goto(dashboard.service.url + path);
    const target = page.locator(`[id="${path.split('#')[1]}"]`);
    await target.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    expect(await page.evaluate('window.shifted')).toBeLessThanOrEqual(SHIFT_MAX);
    const place = await target.boundingBox();
    expect(place?.y).toBeLessThan(viewport.height);
    expect((await page.locator('header').boundingBox())?.height).toBeLessThan(HEADER_MAX);
    expect(await page.evaluate('document.fonts.size')).toBe(1);
    expect(faults).toEqual([]);
    await context.close();
  });
});

test('the theme is that of the dashboard, whichever of them it was chosen in', async () => {
  const { context, page, faults } = await dashboard.visit();
  await page.goto(`${dashboard.service.url}/docs`);
  const light = await groundOf(page);
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('Dark');
  const dark = await groundOf(page);
  expect(dark).not.toBe(light);
  await page.goto(`${dashboard.service.url}/settings/about`);
  await page.getByRole('button', { name: /^Theme: dark/ }).click();
  expect(await groundOf(page)).toBe(light);
  await page.goto(`${dashboard.service.url}/docs/fields`);
  expect(await page.getByRole('combobox', { name: 'Theme' }).inputValue()).toBe('auto');
  expect(await groundOf(page)).toBe(light);
  expect(faults).toEqual([]);
  await context.close();
});

test('an operation is found, opened and read in a language by keyboard, and the language stays', async () => {
  const { context, page, faults } = await dashboard.visit();
  await page.goto(`${dashboard.service.url}/docs`);
  await page.keyboard.press('/');
  await page.keyboard.type('post /v1/monitors create');
  await page.getByRole('status').filter({ hasText: '1 found' }).waitFor();
  await page.keyboard.press('Enter');
  const operation = page.locator('#createMonitor');
  expect(await operation.getAttribute('open')).not.toBeNull();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement?.textContent')).toBe('curl');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await operation.getByText('import urllib.request').waitFor();
  await page.goto(`${dashboard.service.url}/docs#listMonitors`);
  const other = page.locator('#listMonitors');
  await other.getByText('import urllib.request').waitFor();
  expect(await other.locator('[data-sample]:visible').count()).toBe(1);
  expect(await other.getByRole('button', { name: 'Python', pressed: true }).count()).toBe(1);
  expect(faults).toEqual([]);
  await context.close();
});

test('a sample is copied, or selected where a page has no clipboard', async () => {
  const { context, page, faults } = await dashboard.visit();
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.goto(`${dashboard.service.url}/docs#listMonitors`);
  await page.locator('#listMonitors').getByRole('button', { name: 'Copy' }).click();
  await page.waitForFunction("getSelection().toString().startsWith('curl ')");
  expect(faults).toEqual([]);
  await context.close();
});

test('a form leads to what its fields mean, and keeps what was typed', async () => {
  const visitor = await dashboard.visit();
  const { context, page, faults } = visitor;
  await page.goto(`${dashboard.service.url}/monitors/new`);
  await settled(visitor);
  await page.getByRole('textbox', { name: 'Name' }).fill('Half a monitor');
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Learn more about alerts' }).click();
  const reference = await opened;
  await reference.waitForURL(/\/docs\/fields#monitor\.alerts$/);
  await reference.getByText('Who is notified of what').first().waitFor();
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Half a monitor');
  expect(faults).toEqual([]);
  await context.close();
});
