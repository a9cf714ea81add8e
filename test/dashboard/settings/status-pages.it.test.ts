/**
 * Tests status pages in a real browser. They are created with a live preview, and read by visitors without an account
 * or scripts.
 */
import type { Page } from 'playwright-core';
import { isLongForm } from '../../support/test-size';
import { expectNoFaults, NARROW, WIDE } from '../support/browser';
import { load, suiteDashboard, visitorOfEach } from '../support/dashboard';
import { eventually } from '../support/eventually';
import { holdFiles } from '../support/hold-files';
import { expectReadable } from '../support/looks';

const ATTACHED = { state: 'attached' } as const;
const HOSTILE = '<img src=x onerror=alert(1)>';

const dashboard = suiteDashboard(async ({ api }) => {
  for (const name of ['inner-name-7', 'inner-name-8'])
    await api.createMonitor({ name, url: 'http://example.com/' });
});
const visitor = visitorOfEach(dashboard);

test('an owner creates a status page with a live preview, opens its draft and publishes it', async () => {
  const page = await load(dashboard, visitor, '/');
  await page.getByRole('link', { name: 'Status pages' }).click();
  await page.getByRole('link', { name: 'Add status page' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill(HOSTILE);
  await page.getByRole('textbox', { name: 'URL slug' }).fill('Shop!');
  await page.getByRole('textbox', { name: 'Group name' }).fill('Customers');
  await page.getByRole('combobox', { name: 'Monitor or scenario' }).click();
  await page.getByRole('option', { name: 'inner-name-7' }).click();
  await page.getByRole('button', { name: 'Actions: inner-name-7' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.locator(':focus[aria-label="Name on the page"]').fill('Front page');
  const preview = page.locator('[data-preview]');
  await preview.getByText('Front page').first().waitFor();
  await page.getByRole('textbox', { name: 'Accent colour' }).fill('#aa00bb');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('must be 3 to 60 lower-case letters').first().waitFor();
  await page.getByRole('textbox', { name: 'URL slug' }).fill('shop');
  if (isLongForm) await expectReadable(visitor);
  await page.getByRole('button', { name: 'Save' }).click();

  const draftLink = page.getByRole('link', { name: 'Open draft' });
  const [draft] = await Promise.all([page.waitForEvent('popup'), draftLink.click()]);
  await draft.getByText('only members of your account can see this page').waitFor();
  await draft.close();
  expect((await fetch(`${dashboard.url}/status/shop`)).status).toBe(404);

  await page.getByRole('switch', { name: 'Enable badges' }).click();
  await page.getByRole('switch', { name: 'Public' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('<iframe src=').waitFor();
  await expectReadable(visitor);
  await page.setViewportSize(NARROW);
  await preview.waitFor({ state: 'hidden' });
  await page.getByText('Preview', { exact: true }).first().click();
  await preview.getByText('Front page').first().waitFor();
  await page.getByRole('textbox', { name: 'Title' }).waitFor({ state: 'hidden' });
  await page.setViewportSize(WIDE);

  await page.getByRole('link', { name: 'Subscribers' }).click();
  await page.getByRole('link', { name: 'Allow subscriptions' }).click();
  await page.getByRole('switch', { name: 'Subscribe by webhook' }).click();
  await page.getByRole('switch', { name: 'Subscribe in Slack' }).click();
  await page.getByRole('button', { name: 'Save' }).click();

  const reader = await dashboard.visitWithoutScripts();
  await reader.page.goto(`${dashboard.url}/status/shop`);
  const title = reader.page.getByRole('heading', { level: 1 });
  await eventually(() => title.innerText()).toBe(HOSTILE);
  await reader.page.getByRole('heading', { name: 'Front page' }).waitFor();
  expect(await reader.page.content()).not.toContain('inner-name-7');
  await eventually(async () => {
    await reader.page.goto(`${dashboard.url}/status/shop`);
    return reader.page.locator('.subscribe').textContent();
  }).toMatch(/In Slack/);
  await reader.page.getByText('Subscribe', { exact: true }).click();
  await reader.page.getByRole('link', { name: 'In Slack' }).click();
  const address = (name: string) => reader.page.getByRole('textbox', { name, exact: true });
  await address('Incoming webhook URL of Slack').waitFor();
  await reader.page.getByRole('radio', { name: 'By webhook' }).check();
  await address('Webhook URL, with https').waitFor();
  await expectNoFaults(reader);
  await reader.close();
});

test('a post with a live preview can be published and updated, and visitors read it', async () => {
  const page = await load(dashboard, visitor, '/status-pages');
  await page.getByRole('link', { name: `Posts of ${HOSTILE}` }).click();
  await page.getByRole('link', { name: 'Write a post' }).click();
  await page.getByRole('combobox', { name: 'Affected items' }).click();
  await page.getByRole('option', { name: 'Front page' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('textbox', { name: 'Title' }).fill('Cards fail');
  await page.getByRole('textbox', { name: 'Text' }).fill('We are **looking** <b>into</b> it.');
  await page.locator('[data-preview] strong', { hasText: 'looking' }).waitFor(ATTACHED);
  await expectReadable(visitor);
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('heading', { name: 'Cards fail', level: 1 }).waitFor();

  await page.getByRole('combobox', { name: 'State' }).selectOption('resolved');
  await page.getByRole('textbox', { name: 'Text' }).fill('Cards work again.');
  await page.getByRole('button', { name: 'Publish update' }).click();
  await page.getByText('Resolved · Affects Front page').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Post-mortem' }).fill('A certificate had expired.');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('A certificate had expired.').waitFor();

  const reader = await dashboard.visitWithoutScripts();
  await eventually(async () => {
    await reader.page.goto(`${dashboard.url}/status/shop`);
    return reader.page.locator('main').innerText();
  }).toMatch(/Past announcements.*Cards fail.*A certificate had expired\..*<b>into<\/b>/s);
  await expectNoFaults(reader);
  await reader.close();
});

if (isLongForm)
  test('the form of a status page keeps text that is typed while a logo loads', async () => {
    const page = await load(dashboard, visitor, '/status-pages/new');
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
    await eventually(() => accent.inputValue()).toBe('#0b6374');
  });

const itemsIn = (page: Page, group: string) => () =>
  page
    .getByRole('group', { name: group })
    .getByRole('button', { name: /^Drag / })
    .count();

/**
 * Moves an item by keys. Waits for the announcement of each step, because the list accepts a key only after it has
 * measured the positions.
 */
async function dragByKeys(
  page: Page,
  name: string,
  [key, words]: readonly ['ArrowUp' | 'ArrowDown', string | RegExp],
): Promise<void> {
  const said = page.locator('[id^=DndLiveRegion]');
  await page.getByRole('button', { name: `Drag ${name}` }).press('Space');
  await said.getByText(new RegExp(`^${name} is at `)).waitFor(ATTACHED);
  await page.keyboard.press(key);
  await said.getByText(words).waitFor(ATTACHED);
  await page.keyboard.press('Space');
}

if (isLongForm)
  test('groups and items of a status page can be reordered and moved by keyboard', async () => {
    const page = await load(dashboard, visitor, '/status-pages/new');
    for (const [name, monitor] of [
      ['First', 'inner-name-7'],
      ['Second', 'inner-name-8'],
    ] as const) {
      if (name === 'Second') await page.getByRole('button', { name: 'Add group' }).click();
      await page.getByRole('textbox', { name: 'Group name' }).last().fill(name);
      await page.getByRole('combobox', { name: 'Monitor or scenario' }).last().click();
      await page.getByRole('option', { name: monitor }).last().click();
    }
    const groups = page
      .locator('[data-preview]')
      .getByRole('heading', { level: 2, name: /First|Second/, includeHidden: true });
    const order = () => groups.allInnerTexts();
    await eventually(order).toEqual(['First', 'Second']);
    await page.getByRole('button', { name: 'Move Second up' }).press('Enter');
    await eventually(order).toEqual(['Second', 'First']);
    await dragByKeys(page, 'Second', ['ArrowDown', 'Second is at position 2 of 2']);
    await eventually(order).toEqual(['First', 'Second']);

    await page.getByRole('button', { name: 'Actions: inner-name-7' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Move down' }).press('Enter');
    await eventually(itemsIn(page, 'Second')).toBe(2);
    await page.locator(':focus[aria-label="Actions: inner-name-7"]').waitFor();
    // The group `Second` was added at the top, so one key press moves the item into the group above it.
    await dragByKeys(page, 'inner-name-7', ['ArrowUp', /^inner-name-7 is at .* in First/]);
    await eventually(itemsIn(page, 'First')).toBe(1);
    await dragByKeys(page, 'inner-name-7', ['ArrowDown', /^inner-name-7 is at .* in Second/]);
    await eventually(itemsIn(page, 'Second')).toBe(2);

    await page.getByRole('button', { name: 'Actions: inner-name-7' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Remove' }).press('Enter');
    await eventually(itemsIn(page, 'Second')).toBe(1);
    await page.locator(':focus[aria-label="Actions: inner-name-8"]').waitFor();

    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('link', { name: '/status/shop' }).waitFor();
  });

test('visitors see times in their own time zone and in their own way, with the name of the zone', async () => {
  const { page, close } = await dashboard.visitAsStranger({
    timezoneId: 'Asia/Tokyo',
    locale: 'en-US',
  });
  await page.goto(`${dashboard.url}/status/shop`);
  await page.getByText('All times are in your time zone (Asia/Tokyo)').waitFor();
  const time = page.locator('.reading time');
  const local = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Asia/Tokyo',
  });
  const expected = local.format(new Date((await time.getAttribute('datetime')) ?? ''));
  const withBlanks = (text: string) => text.replaceAll(/\s/g, ' ');
  expect(withBlanks(await time.innerText())).toBe(`${withBlanks(expected)} GMT+9`);
  await close();
});

test('a day of the public page can be read by keyboard without scripts', async () => {
  const { page, close } = await dashboard.visitWithoutScripts();
  await page.goto(`${dashboard.url}/status/shop`);
  // The first Tab reaches the skip link, the second one the ways to subscribe, the third one the group.
  await page.keyboard.press('Tab');
  await page.locator('.skip:focus').waitFor();
  await page.keyboard.press('Tab');
  await page.locator('.subscribe summary:focus').waitFor();
  await page.keyboard.press('Tab');
  await page.locator('section summary:focus').waitFor();
  await page.keyboard.press('Tab');
  const label = () => page.locator('input:focus').getAttribute('aria-label');
  await eventually(async () => String(await label())).toMatch(/^\d+ \w{3,4} \d{4}: /);
  await page.keyboard.press('ArrowLeft');
  await eventually(() => page.locator('input:checked').count()).toBe(1);
  await close();
});
