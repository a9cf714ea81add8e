/**
 * Status pages in a real browser: made without code beside a preview, and read by a visitor who has no
 * account and no script, light and dark, wide and narrow.
 */
import type { Browser } from 'playwright-core';
import { createApiClient } from '../../support/api-client';
import { type RecordingTarget, startRecordingTarget } from '../../support/recording-target';
import { startService, type TestService } from '../../support/service';
import { waitUntil } from '../../support/wait-until';
import {
  axeViolations,
  launchBrowser,
  NARROW,
  openPage,
  type Watched,
  WIDE,
} from '../support/browser';
import { holdFiles } from '../support/hold-files';

const ATTACHED = { state: 'attached' } as const;
const HOSTILE = '<img src=x onerror=alert(1)>';
let service: TestService;
let browser: Browser;
let target: RecordingTarget;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ regions: ['eu-west'] }), launchBrowser()]);
  target = await startRecordingTarget((_, response) => response.end('ok'));
  const api = createApiClient(service.url, (await service.setup()).apiKey);
  for (const name of ['inner-name-7', 'inner-name-8'])
    await api.createMonitor({ name, url: `${target.origin}/` });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await target?.close();
});

async function signedIn(): Promise<Watched> {
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${service.url}/login`);
  await page.getByLabel('Email').fill('owner@example.com');
  await page.getByLabel(/^Password/).fill('a-long-password-for-tests');
  await page.getByRole('button').click();
  await page.getByRole('link', { name: 'Settings' }).waitFor();
  return watched;
}

test('an owner makes a page with a live preview, sees its draft, makes it public, and anybody reads it', async () => {
  const { page, faults } = await signedIn();

  await page.getByRole('link', { name: 'Status pages' }).click();
  await page.getByRole('link', { name: 'Add status page' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill(HOSTILE);
  await page.getByRole('textbox', { name: 'URL slug' }).fill('Shop!');
  await page.getByRole('textbox', { name: 'Group name' }).fill('Customers');
  await page.getByRole('combobox', { name: 'Monitor or scenario' }).click();
  await page.getByRole('option', { name: 'inner-name-7' }).click();
  await page.getByRole('textbox', { name: 'Name on the page' }).fill('Front page');
  const preview = page.locator('[data-preview]');
  await preview.getByText('Front page').first().waitFor();
  await page.getByRole('textbox', { name: 'Accent colour' }).fill('#aa00bb');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('must be 3 to 60 lower-case letters').first().waitFor();
  await page.getByRole('textbox', { name: 'URL slug' }).fill('shop');
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();

  const draftLink = page.getByRole('link', { name: 'Open draft' });
  const [draft] = await Promise.all([page.waitForEvent('popup'), draftLink.click()]);
  await draft.getByText('only members of your account can see this page').waitFor();
  await draft.close();
  const stranger = await browser.newContext();
  expect((await stranger.request.get(`${service.url}/status/shop`)).status()).toBe(404);
  await stranger.close();

  await page.getByRole('switch', { name: 'Offer badges' }).click();
  await page.getByRole('switch', { name: 'Public' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('<iframe src=').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  expect(faults).toEqual([]);

  const visitor = await browser.newContext({ javaScriptEnabled: false });
  const shown = await visitor.newPage();
  await shown.goto(`${service.url}/status/shop`);
  expect(await shown.getByRole('heading', { level: 1 }).innerText()).toBe(HOSTILE);
  await shown.getByRole('heading', { name: 'Front page' }).waitFor();
  expect(await shown.content()).not.toContain('inner-name-7');
  await visitor.close();
}, 90_000);

test('what is typed while a logo is read stays', async () => {
  const { page, faults } = await signedIn();
  await page.goto(`${service.url}/status-pages/new`);
  await page.getByRole('textbox', { name: 'Title' }).fill('Logo');
  const release = await holdFiles(page);
  await page.setInputFiles('input[type=file]', {
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  });
  const accent = page.getByRole('textbox', { name: 'Accent colour' });
  await accent.fill('#0b6374');
  await release();
  await page.getByRole('button', { name: 'Remove logo' }).waitFor();
  expect(await accent.inputValue()).toBe('#0b6374');
  expect(faults).toEqual([]);
});

test('groups and items change their order and group by keyboard, mouse and touch, and the preview follows before anything is saved', async () => {
  const { page, faults } = await signedIn();
  await page.goto(`${service.url}/status-pages/new`);
  for (const name of ['First', 'Second']) {
    if (name === 'Second') await page.getByRole('button', { name: 'Add group' }).click();
    await page.getByRole('textbox', { name: 'Group name' }).last().fill(name);
    await page.getByRole('combobox', { name: 'Monitor or scenario' }).last().click();
    const monitor = name === 'First' ? 'inner-name-7' : 'inner-name-8';
    await page.getByRole('option', { name: monitor }).last().click();
  }
  const preview = page.locator('[data-preview]');
  await preview.getByRole('heading', { name: 'Second', includeHidden: true }).waitFor();
  const shown = () =>
    preview
      .getByRole('heading', { level: 2, name: /First|Second/, includeHidden: true })
      .allInnerTexts();
  await waitUntil('the order', async () => (await shown()).join() === 'First,Second');
  await page.getByRole('button', { name: 'Move Second up' }).press('Enter');
  await waitUntil('the other order', async () => (await shown()).join() === 'Second,First');
  /** Where a row may go is measured in the moment after it was picked up; a key before that moves nothing. */
  const moveBy = async (key: 'ArrowUp' | 'ArrowDown', said: string) => {
    const heard = page.getByText(said);
    await waitUntil(said, async () => {
      if ((await heard.count()) > 0) return true;
      await page.keyboard.press(key);
      await heard.waitFor({ state: 'attached', timeout: 1_000 });
      return true;
    });
  };
  await page.getByRole('button', { name: 'Drag Second' }).press('Space');
  await page.getByText(/^Second (picked up from|is at) position 1/).waitFor({ state: 'attached' });
  await moveBy('ArrowDown', 'Second is at position 2 of 2');
  await page.keyboard.press('Space');
  await waitUntil('the first order', async () => (await shown()).join() === 'First,Second');

  const itemsOf = (group: string) =>
    page.getByRole('group', { name: group }).getByRole('button', { name: /^Drag / });
  await page.getByRole('button', { name: 'Move inner-name-7 down' }).press('Enter');
  await waitUntil('both in one group', async () => (await itemsOf('Second').count()) === 2);
  expect(await page.evaluate('document.activeElement?.ariaLabel')).toBe('Move inner-name-7 down');
  const [row, target] = [
    page.getByRole('button', { name: 'Drag inner-name-8' }),
    page.getByRole('group', { name: 'First' }),
  ];
  const [grip, goal] = [await row.boundingBox(), await target.boundingBox()];
  if (grip === null || goal === null) throw new Error('both are shown');
  await page.mouse.move(grip.x + 8, grip.y + 8);
  await page.mouse.down();
  await page.mouse.move(grip.x + 8, grip.y - 20, { steps: 4 });
  await page.mouse.move(grip.x + 8, goal.y + goal.height / 2, { steps: 8 });
  await page.getByText(/^inner-name-8 is at position 1/).waitFor({ state: 'attached' });
  await page.mouse.up();
  await waitUntil('one in each', async () => (await itemsOf('First').count()) === 1);
  await preview.getByRole('heading', { name: 'First', includeHidden: true }).waitFor();

  await page.getByRole('button', { name: 'Drag inner-name-8' }).press('Space');
  await page.getByText(/^inner-name-8 (picked up from|is at) position 1/).waitFor(ATTACHED);
  await moveBy('ArrowDown', 'inner-name-8 is at position 1 of 1 in Second');
  await page.keyboard.press('Space');
  await waitUntil('both below', async () => (await itemsOf('Second').count()) === 2);
  await page.getByRole('button', { name: 'Drag inner-name-8' }).press('Space');
  await page.getByText(/^inner-name-8 (picked up from|is at) .*Second/).waitFor(ATTACHED);
  await moveBy('ArrowUp', 'inner-name-8 is at position 1 of 1 in First');
  await page.keyboard.press('Space');
  await waitUntil('one in each again', async () => (await itemsOf('First').count()) === 1);

  const finger = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y = 0) =>
    finger.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: grip.x + 8, y }],
    });
  const [held, below] = [
    await page.getByRole('button', { name: 'Drag inner-name-8' }).boundingBox(),
    await page.getByRole('button', { name: 'Drag inner-name-7' }).boundingBox(),
  ];
  if (held === null || below === null) throw new Error('both are shown');
  await touch('touchStart', held.y + 8);
  for (const part of [0.1, 0.4, 0.7, 1])
    await touch('touchMove', held.y + 8 + (below.y - held.y) * part);
  await page.getByText(/^inner-name-8 is at position 1 of 1 in Second/).waitFor(ATTACHED);
  await touch('touchEnd');
  await waitUntil('both below by touch', async () => (await itemsOf('Second').count()) === 2);

  // A click in the moment after a drag belongs to the drag.
  const leave = page.getByRole('dialog').getByRole('button', { name: 'Leave' });
  await waitUntil('the question whether to leave', async () => {
    if (await leave.isVisible()) return true;
    await page.getByRole('button', { name: 'Cancel' }).click({ timeout: 1_000 });
    await leave.waitFor({ timeout: 1_000 });
    return true;
  });
  await leave.click();
  await page.getByRole('link', { name: '/status/shop' }).waitFor();
  expect(faults).toEqual([]);
});

test('a day of the public page is told by keyboard, without a script', async () => {
  const visitor = await browser.newContext({ javaScriptEnabled: false });
  const page = await visitor.newPage();
  await page.goto(`${service.url}/status/shop`);
  await page.keyboard.press('Tab');
  const focused = page.locator('input:focus');
  expect(await focused.getAttribute('aria-label')).toMatch(/^\d+ \w{3} \d{4}: /);
  await page.keyboard.press('ArrowLeft');
  expect(await page.locator('input:checked').count()).toBe(1);
  await visitor.close();
});

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
