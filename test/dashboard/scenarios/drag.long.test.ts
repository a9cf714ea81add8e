/**
 * Tests dragging of list items and of response values, by mouse and by touch. CI tests the same moves by keyboard:
 * builder.it.test.ts for steps, status-pages.it.test.ts for groups and items.
 */
import type { Locator, Page } from 'playwright-core';
import { fromHook } from '../../support/from-hook';
import { waitUntil } from '../../support/wait-until';
import { load, suiteDashboard, visitorOfEach } from '../support/dashboard';
import { eventually } from '../support/eventually';
import { startShop } from '../support/shop-target';

const ATTACHED = { state: 'attached' } as const;
/** Options with the timeout of one try. A try is repeated until it takes effect. */
const TRY = { timeout: 1_000 };

const shop = fromHook(beforeAll, startShop);
afterAll(() => shop.close());
const dashboard = suiteDashboard(async ({ api }) => {
  for (const name of ['inner-name-7', 'inner-name-8'])
    await api.createMonitor({ name, url: 'http://example.com/' });
});
const visitor = visitorOfEach(dashboard);

/** Returns the numbers and names on the buttons of the steps. */
async function stepTitles(page: Page): Promise<string[]> {
  const texts = await page.locator('ol > li h3 button').allTextContents();
  return texts.map((text) => /^\d+\. \w+ \w+(?= )/.exec(text)?.[0] ?? text);
}

async function centreOf(locator: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('it is not shown');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Drags an element over a position without dropping it. `mouse.up` drops the element. */
async function holdOver(page: Page, held: Locator, place: Locator): Promise<void> {
  await held.scrollIntoViewIfNeeded();
  const from = await centreOf(held);
  const to = await centreOf(place);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x, to.y, { steps: 12 });
}

/**
 * Clicks the button until the dialog closes. A click right after a drag counts as a part of the drag, so one click may
 * have no effect.
 */
async function answerTo(dialog: Locator, name: string): Promise<void> {
  const button = dialog.getByRole('button', { name, exact: true }).last();
  await button.waitFor();
  await waitUntil('the question is answered', async () => {
    if ((await dialog.count()) === 0) return true;
    await button.click(TRY).catch(() => undefined);
    return false;
  });
}

test('dragging a step names the references that it would break and asks for confirmation', async () => {
  const page = await load(dashboard, visitor, '/scenarios/new?start=example');
  const handle = (name: string) => page.getByRole('button', { name: `Drag ${name}` });
  await handle('log in').waitFor();
  await holdOver(page, handle('delete order'), handle('read order'));
  await page.getByText('delete order is at position 3 of 4.').waitFor(ATTACHED);
  await eventually(() => page.getByText('This breaks references').count()).toBe(0);
  await page.mouse.up();
  await eventually(() => stepTitles(page)).toEqual([
    '1. log in',
    '2. create order',
    '3. delete order',
    '4. read order',
  ]);

  await holdOver(page, handle('create order'), handle('delete order'));
  const warning = page.getByRole('alert').filter({ hasText: 'This breaks references' });
  await warning.getByText('“delete order” needs {{orderId}}').waitFor();
  await page.mouse.up();
  const dialog = page.getByRole('dialog', { name: 'This breaks references' });
  await dialog.getByText('“delete order” needs {{orderId}}').waitFor();
  await answerTo(dialog, 'Cancel');
  await eventually(async () => (await stepTitles(page))[1]).toBe('2. create order');

  await holdOver(page, handle('create order'), handle('delete order'));
  await warning.waitFor();
  await page.mouse.up();
  await answerTo(dialog, 'Move anyway');
  await page.getByText('uses {{orderId}}, which is not defined').waitFor();
  await eventually(async () => (await stepTitles(page))[2]).toBe('3. create order');
});

test('dragging a response value into a later field extracts the value and inserts a reference', async () => {
  const page = await load(dashboard, visitor, '/scenarios/new?start=example');
  await page.getByLabel('Value of variable 1').fill(shop.url);
  await page.getByRole('button', { name: 'Test now' }).click();
  await page.getByRole('button', { name: 'Passed 1. log in', expanded: true }).waitFor();
  await page.getByRole('button', { name: /^2\. create order/ }).press('Enter');
  await page.getByRole('button', { name: 'Passed 1. log in', expanded: false }).click();
  await page.getByRole('button', { name: 'Add header' }).press('Enter');
  await page.getByLabel('Name of header 2').fill('x-buyer-id');
  const dropped = page.getByLabel('Value of header 2');
  await page.getByRole('button', { name: 'Pick $.user.id' }).dragTo(dropped);
  await page.getByText('{{id}} will be extracted.').waitFor();
  await eventually(() => dropped.inputValue()).toBe('{{id}}');
  const value = page.locator('dl > div', { has: page.locator('dt', { hasText: /^id$/ }) });
  await value.getByText('Set in log in · used in create order').waitFor();
});

test('items of a status page can be dragged between groups by mouse and by touch', async () => {
  const page = await load(dashboard, visitor, '/status-pages/new');
  await page.getByRole('button', { name: 'Add group' }).click();
  await page.getByRole('textbox', { name: 'Group name' }).first().fill('First');
  await page.getByRole('textbox', { name: 'Group name' }).last().fill('Second');
  for (const name of ['inner-name-7', 'inner-name-8']) {
    if (name === 'inner-name-8')
      await page.getByRole('button', { name: 'Add item' }).last().click();
    await page.getByRole('combobox', { name: 'Monitor or scenario' }).last().click();
    await page.getByRole('option', { name }).last().click();
  }
  const group = (name: string) => page.getByRole('group', { name });
  const itemsIn = (name: string) => () =>
    group(name)
      .getByRole('button', { name: /^Drag inner-name/ })
      .count();
  await eventually(itemsIn('Second')).toBe(2);
  const handle = page.getByRole('button', { name: 'Drag inner-name-8' });
  await holdOver(page, handle, group('First'));
  await page.getByText(/^inner-name-8 is at position \d of \d in First/).waitFor(ATTACHED);
  await page.mouse.up();
  await eventually(itemsIn('Second')).toBe(1);

  const finger = await page.context().newCDPSession(page);
  const [from, to] = [
    await centreOf(handle),
    await centreOf(page.getByRole('button', { name: 'Drag inner-name-7' })),
  ];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', part = 0) =>
    finger.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: from.x, y: from.y + (to.y - from.y) * part }],
    });
  await touch('touchStart');
  for (const part of [0.1, 0.4, 0.7, 1]) await touch('touchMove', part);
  await page.getByText(/^inner-name-8 is at position \d of \d in Second/).waitFor(ATTACHED);
  await touch('touchEnd');
  await eventually(itemsIn('Second')).toBe(2);
});
