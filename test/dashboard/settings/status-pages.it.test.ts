/**
 * Status pages in a real browser: made in the settings without code, and read by a visitor who has no
 * account and no script, light and dark, wide and narrow.
 */
import type { Browser } from 'playwright-core';
import { type RecordingTarget, startRecordingTarget } from '../../support/recording-target';
import { startService, type TestService } from '../../support/service';
import { axeViolations, launchBrowser, NARROW, openPage, WIDE } from '../support/browser';

const HOSTILE = '<img src=x onerror=alert(1)>';
let service: TestService;
let browser: Browser;
let apiKey: string;
let target: RecordingTarget;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ regions: ['eu-west'] }), launchBrowser()]);
  ({ apiKey } = await service.setup());
  target = await startRecordingTarget((_, response) => response.end('ok'));
  await fetch(`${service.url}/v1/monitors`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'inner-name-7', url: `${target.origin}/` }),
  });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await target?.close();
});

test('an owner makes a page public in the settings, and anybody reads it', async () => {
  const { page, faults } = await openPage(browser);
  await page.goto(`${service.url}/login`);
  await page.getByLabel('Email').fill('owner@example.com');
  await page.getByLabel(/^Password/).fill('a-long-password-for-tests');
  await page.getByRole('button').click();
  await page.getByRole('link', { name: 'Settings' }).waitFor();

  await page.goto(`${service.url}/settings/status-pages`);
  await page.getByRole('button', { name: 'Add status page' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill(HOSTILE);
  await page.getByRole('textbox', { name: 'URL slug' }).fill('Shop!');
  await page.getByRole('button', { name: 'Add group' }).click();
  await page.getByRole('textbox', { name: 'Group name' }).fill('Customers');
  await page.getByRole('combobox', { name: 'Monitor or scenario' }).click();
  await page.getByRole('option', { name: 'inner-name-7' }).click();
  await page.getByRole('textbox', { name: 'Name on the page' }).fill('Front page');
  await page.getByRole('switch', { name: 'Public' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('must be 3 to 60 lower-case letters').first().waitFor();
  await page.getByRole('textbox', { name: 'URL slug' }).fill('shop');
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: '/status/shop' }).waitFor();
  expect(faults).toEqual([]);

  const visitor = await browser.newContext({ javaScriptEnabled: false });
  const shown = await visitor.newPage();
  await shown.goto(`${service.url}/status/shop`);
  expect(await shown.getByRole('heading', { level: 1 }).innerText()).toBe(HOSTILE);
  await shown.getByRole('heading', { name: 'Front page' }).waitFor();
  expect(await shown.content()).not.toContain('inner-name-7');
  await visitor.close();
}, 90_000);

test.each([
  ['light', WIDE],
  ['dark', WIDE],
  ['light', NARROW],
  ['dark', NARROW],
] as const)('the public page has no faults for axe, %s, %j', async (colorScheme, viewport) => {
  const { page, faults, context } = await openPage(browser, { colorScheme, viewport });
  await page.goto(`${service.url}/status/shop`);
  expect(await axeViolations(page)).toEqual([]);
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  expect(isTooWide).toBe(false);
  expect(faults).toEqual([]);
  await context.close();
});
