/**
 * Tests the reference and the documents in a browser. They are accessible and usable by keyboard alone. Forms link to
 * the reference.
 */
import type { Page } from 'playwright-core';
import { isLongForm } from '../../support/test-size';
import { NARROW, WATCH_SHIFT, WIDE } from '../support/browser';
import { load, suiteDashboard, visitorOfEach } from '../support/dashboard';
import { eventually } from '../support/eventually';
import { expectReadable } from '../support/looks';

const SHIFT_MAX = 0.05;
/**
 * The maximum height of the header in pixels. A link that breaks after each letter would make the header far higher.
 */
const HEADER_MAX = 160;
const LONGEST = '/docs#createMonitor';
const SHORT = ['/docs/fields#monitor.timeoutMs', '/docs/operations.md#mail-server'];
const PATHS = isLongForm ? [LONGEST, ...SHORT] : SHORT;

const dashboard = suiteDashboard();
const visitor = visitorOfEach(dashboard, { isApart: true });

const backgroundOf = (page: Page) => () =>
  page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
const heightOf = async (page: Page): Promise<number> =>
  (await page.locator('header').boundingBox())?.height ?? Number.POSITIVE_INFINITY;

test.each(PATHS)('%s is accessible and does not move while it loads', async (path) => {
  const { page } = visitor;
  await page.addInitScript(WATCH_SHIFT);
  await page.goto(dashboard.url + path);
  const target = page.locator(`[id="${path.split('#')[1]}"]`);
  await target.waitFor();
  const topOf = async () => (await target.boundingBox())?.y ?? Number.POSITIVE_INFINITY;
  await eventually(async () => (await topOf()) < WIDE.height).toBe(true);
  expect(await page.evaluate('window.shifted')).toBeLessThanOrEqual(SHIFT_MAX);
  expect(await page.evaluate('document.fonts.size')).toBe(1);
  await expectReadable(visitor, { inBothSchemes: true });
  expect(await heightOf(page)).toBeLessThan(HEADER_MAX);
});

if (isLongForm)
  test('the reference and the dashboard share one theme', async () => {
    const { page } = visitor;
    const background = backgroundOf(page);
    await page.goto(`${dashboard.url}/docs`);
    const light = await background();
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('Dark');
    await eventually(async () => (await background()) === light).toBe(false);
    await page.goto(`${dashboard.url}/settings/about`);
    await page.getByRole('button', { name: /^Theme: dark/ }).click();
    await eventually(background).toBe(light);
    await page.goto(`${dashboard.url}/docs/fields`);
    await eventually(() => page.getByRole('combobox', { name: 'Theme' }).inputValue()).toBe('auto');
    await eventually(background).toBe(light);
  });

test('an operation can be found and read by keyboard, and the sample language is remembered', async () => {
  const { page } = visitor;
  await page.goto(`${dashboard.url}/docs`);
  await page.keyboard.press('/');
  await page.keyboard.type('post /v1/monitors create');
  await page.getByRole('status').filter({ hasText: '1 found' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('#createMonitor[open]').waitFor();
  await page.keyboard.press('Tab');
  await eventually(() => page.evaluate('document.activeElement?.textContent')).toBe('curl');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('#createMonitor').getByText('import urllib.request').waitFor();
  await page.goto(`${dashboard.url}/docs#listMonitors`);
  const other = page.locator('#listMonitors');
  await other.getByText('import urllib.request').waitFor();
  await other.getByRole('button', { name: 'Python', pressed: true }).waitFor();
  await eventually(() => other.locator('[data-sample]:visible').count()).toBe(1);
});

test('the list of sections marks the section that is being read, and is folded on narrow screens', async () => {
  const { page } = visitor;
  await page.goto(`${dashboard.url}/docs#tag-people`);
  const list = page.getByRole('navigation', { name: 'Sections' });
  const marked = () => list.locator('[aria-current]').allInnerTexts();
  await eventually(marked).toEqual(['People']);
  await page.goto(`${dashboard.url}/docs#tag-account`);
  await eventually(marked).toEqual(['Account']);
  await page.setViewportSize(NARROW);
  await list.waitFor({ state: 'hidden' });
  await page.getByText('Sections', { exact: true }).click();
  await list.waitFor();
  await page.setViewportSize(WIDE);
});

test('an operation lists the fields of its body, of every type of monitor', async () => {
  const { page } = visitor;
  await page.goto(`${dashboard.url}/docs#createMonitor`);
  const operation = page.locator('#createMonitor');
  await operation.getByText(/required; of http, websocket$/).waitFor();
  const timeout = operation.getByText('timeoutMs', { exact: true });
  await timeout.waitFor({ state: 'hidden' });
  await operation.getByText(/^\d+ optional fields$/).click();
  await timeout.waitFor();
});

if (isLongForm)
  test('a sample is copied, or selected if the page has no clipboard', async () => {
    const { page } = visitor;
    await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.goto(`${dashboard.url}/docs#listMonitors`);
    await page.locator('#listMonitors').getByRole('button', { name: 'Copy' }).click();
    await page.waitForFunction("getSelection().toString().startsWith('curl ')");
  });

test('a heading and a text of a document can be found by keyboard', async () => {
  const { page } = visitor;
  await page.goto(`${dashboard.url}/docs/README.md`);
  await page.keyboard.press('/');
  await page.keyboard.type('pause grows restart');
  await page.locator('#doc-results mark').filter({ hasText: 'pause' }).first().waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type('How do I get fewer alerts?');
  await page
    .locator('#doc-results li')
    .first()
    .filter({ hasText: /^Which check alerts whom/ })
    .waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.type('rotate secret key');
  await page
    .locator('#doc-results li')
    .filter({ hasText: /^Rotate the secret key/ })
    .waitFor();
  await expectReadable(visitor, { inBothSchemes: true });
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/operations\.md#rotate-the-secret-key$/);
});

test('a block of code of a document is copied, or selected if the page has no clipboard', async () => {
  const { page } = visitor;
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.goto(`${dashboard.url}/docs/getting-started.md`);
  const copy = page.getByRole('button', { name: 'Copy' }).first();
  const block = await page.locator('article pre').first().innerText();
  await copy.click();
  await eventually(() => page.evaluate<string>('getSelection().toString().trim()')).toBe(
    block.trim(),
  );
});

test('a form links to the descriptions of its fields, and keeps its input', async () => {
  const page = await load(dashboard, visitor, '/monitors/new');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Half a monitor');
  const opened = visitor.context.waitForEvent('page');
  await page.getByRole('link', { name: 'Learn more about alerts' }).click();
  const reference = await opened;
  await reference.waitForURL(/\/docs\/fields#monitor\.alerts$/);
  await reference.getByText('Which alerts are sent, and to whom').first().waitFor();
  await eventually(() => name.inputValue()).toBe('Half a monitor');
});
