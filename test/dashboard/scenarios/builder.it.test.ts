/**
 * Tests the main path through the scenario builder, by keyboard where the keyboard matters: the example, a reorder that
 * breaks a reference, a test, a picked value, saving, and the first run. newcomer-tools.it.test.ts tests live runs.
 */
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { fromHook } from '../../support/from-hook';
import { isLongForm, testSize } from '../../support/test-size';
import { isTooWide, NARROW, type Watched, WIDE } from '../support/browser';
import { follow, suiteDashboard, visitorOfSuite } from '../support/dashboard';
import { eventually } from '../support/eventually';
import { expectReadable, type LookOptions } from '../support/looks';
import { startShop } from '../support/shop-target';

const ANY = z.looseObject({ id: z.string() });

const shop = fromHook(beforeAll, startShop);
afterAll(() => shop.close());
const dashboard = suiteDashboard();
const visitor = visitorOfSuite(dashboard);

/**
 * Waits until all notifications are gone, because text has too little contrast while a notification fades out. Then
 * expects a readable page.
 */
async function expectInOrder(watched: Watched, looks?: LookOptions): Promise<void> {
  const notices = watched.page.locator('.mantine-Notification-root');
  await eventually(() => notices.count()).toBe(0);
  await expectReadable(watched, looks);
}

const HOSTILE = [
  '<script>window.wasHit = true</script>',
  '"><img src=x onerror="window.wasHit = true">',
  "javascript:window.wasHit=true//'",
  '{{constructor.constructor("window.wasHit = true")()}}',
  '\u202Eesrever \u200B\u2066mixed\u2069 \uFEFF',
  'Z\u0351\u0310a\u0300l\u0301g\u0302o\u0303'.repeat(8),
  '👩‍👩‍👧‍👦'.repeat(20),
  'w'.repeat(190),
  '__proto__',
  '$& $1 \\ %s %00 ${1} `x`',
];

/** Characters that the API refuses in names. */
const INVISIBLE = /[\u200B\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/** A scenario in which every text is the hostile text. */
async function createHostile(text: string): Promise<string> {
  // Names must not contain invisible characters; values of variables may.
  const name = text.replaceAll(INVISIBLE, '').trim();
  const body = {
    name,
    interval: 3_600,
    tags: [name.slice(0, 90)],
    group: name.slice(0, 90),
    variables: { value: text },
    steps: [
      {
        name,
        method: 'POST',
        url: `${shop.url}/nothing?x={{value}}`,
        headers: { 'x-encoded': encodeURIComponent(text.replaceAll(/[{}]/g, '')) },
        body: { text: '{{value}}' },
      },
    ],
  };
  const create = { method: 'POST', path: '/v1/scenarios', body };
  return (await dashboard.api.call(create, { status: 201, shape: ANY })).id;
}

/** Returns the titles of the steps from their buttons, such as `2. create order`. */
async function stepTitles(page: Page): Promise<string[]> {
  const texts = await page.locator('ol > li h3 button').allTextContents();
  return texts.map((text) => /^\d+\. \w+ \w+(?= )/.exec(text)?.[0] ?? text);
}

/**
 * Moves the element by keys. Presses each key only after the previous move was announced, because a list that is still
 * scrolling reports wrong positions.
 */
async function dragByKeys(page: Page, name: string, said: readonly [string, string][]) {
  const handle = page.getByRole('button', { name: `Drag ${name}`, exact: true });
  await handle.scrollIntoViewIfNeeded();
  await handle.focus();
  for (const [key, words] of said) {
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    );
    await page.keyboard.press(key);
    await page.locator('[id^=DndLiveRegion]').getByText(words).waitFor();
  }
}

test('the steps of the example scenario can be reordered, tested, changed and saved', async () => {
  const page = await follow(dashboard, visitor, '/scenarios');
  await page.getByRole('link', { name: 'Create your first scenario' }).click();
  await page.getByRole('button', { name: 'Use the example' }).click();
  await page.getByLabel('Value of variable 1').fill(shop.url);
  await expectInOrder(visitor, { inBothSchemes: true });

  // Moves a step by keyboard. The builder names the references that the move would break, and asks before it applies
  // the move.
  await dragByKeys(page, 'read order', [
    ['Space', 'read order is at position 3 of 4.'],
    ['ArrowUp', 'at position 2 of 4. That would break: “read order” needs {{orderId}}.'],
  ]);
  await page.keyboard.press('Space');
  await page.getByRole('dialog').getByText('“read order” needs {{orderId}}').waitFor();
  await page.getByRole('button', { name: 'Move anyway' }).press('Enter');
  await page.getByText('uses {{orderId}}, which is not defined').waitFor();
  await eventually(async () => (await stepTitles(page))[1]).toBe('2. read order');
  await page.getByRole('button', { name: 'Move read order down' }).press('Enter');
  await page.getByText('which is not defined').waitFor({ state: 'detached' });
  await eventually(() => stepTitles(page)).toEqual([
    '1. log in',
    '2. create order',
    '3. read order',
    '4. delete order',
  ]);

  await page.getByRole('button', { name: 'Test now' }).press('Enter');
  // The response of the selected step is open.
  await page.getByRole('button', { name: 'Passed 1. log in', expanded: true }).waitFor();
  await page.getByRole('button', { name: "Pick $.user['first-name']" }).press('Enter');
  await page.getByText('Extracts Demo').waitFor();
  if (isLongForm) await expectInOrder(visitor);
  await page.getByRole('button', { name: 'Extract', exact: true }).press('Enter');

  // The second step offers the values that the first step extracts, but not the values of later steps.
  await page.getByRole('button', { name: /^2\. create order/ }).press('Enter');
  await page.getByRole('button', { name: 'Passed 2. create order', expanded: true }).waitFor();
  await page.getByRole('button', { name: 'Passed 1. log in', expanded: false }).waitFor();
  await page.getByRole('button', { name: 'Add header' }).press('Enter');
  await page.getByLabel('Name of header 2').fill('x-buyer');
  const value = page.getByLabel('Value of header 2');
  await value.pressSequentially('{{');
  await page.getByRole('option', { name: /^firstName/ }).waitFor();
  await eventually(() => page.getByRole('option', { name: /^orderId/ }).count()).toBe(0);
  await value.pressSequentially('first');
  await page.locator('[data-combobox-selected]').getByText('firstName').waitFor();
  await value.press('Enter');
  await eventually(() => value.inputValue()).toBe('{{firstName}}');

  await page.getByRole('button', { name: 'Create scenario' }).press('Enter');
  await page.getByRole('heading', { name: 'Order journey', level: 1 }).waitFor();
  await dashboard.probe.run(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page
    .getByRole('link', { name: /^Run .*: Passed/ })
    .first()
    .waitFor();
});

test('the form and the YAML show the same scenario, and a saved change is a new version', async () => {
  const { page } = visitor;
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByText('YAML', { exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Scenario as YAML' });
  await editor.waitFor();
  await eventually(async () => String(await editor.textContent())).toMatch(/x-buyer/);
  await expectInOrder(visitor, { inBothSchemes: true });
  await page.getByText('Form', { exact: true }).click();
  // The name, schedule and variables of a saved scenario are folded, so that its steps come first.
  await page
    .getByRole('button', { name: /^Variables \d variables: baseUrl, /, expanded: false })
    .waitFor();
  await page.getByRole('button', { name: /^Name and schedule Every .+ from / }).click();
  await page.getByRole('textbox', { name: 'Name' }).first().fill('Order journey, renamed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Order journey, renamed', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Scenarios' }).first().click();
  await page.getByRole('link', { name: 'Order journey, renamed', exact: true }).waitFor();
});

test('on a phone, the footer of the builder also tests the scenario and replaces the bottom navigation', async () => {
  const { page } = visitor;
  await page.setViewportSize(NARROW);
  const navigation = page.getByRole('navigation', { name: 'Most used' });
  await navigation.waitFor();
  await page.getByRole('link', { name: 'Order journey, renamed', exact: true }).click();
  await page.getByRole('link', { name: 'Edit' }).click();
  const test = page.locator('[data-form-foot]').getByRole('button', { name: 'Test now' });
  await test.waitFor();
  await navigation.waitFor({ state: 'hidden' });
  await eventually(() => test.count()).toBe(1);
  await test.click();
  await page.getByRole('button', { name: 'Passed 1. log in', expanded: true }).waitFor();
  await page.getByRole('button', { name: /^2\. / }).click();
  await page.locator('section:focus[aria-label="Step 2: create order"]').waitFor();
  await page.getByRole('button', { name: 'Back to steps' }).click();
  await page.locator('button:focus', { hasText: '2. create order' }).waitFor();
  await page.setViewportSize(WIDE);
});

test('a step of another type can be chosen, tested and saved, and has its own labels', async () => {
  const { hostname, port } = new URL(shop.url);
  const page = await follow(dashboard, visitor, '/scenarios/new?start=empty');
  await page.getByRole('textbox', { name: 'Name' }).first().fill('A port');
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'TCP port' }).click();
  await page.getByRole('textbox', { name: 'Host' }).fill(hostname);
  await page.getByRole('textbox', { name: 'Port' }).fill(port);
  await page
    .getByRole('textbox', { name: 'Send', exact: true })
    .fill(String.raw`GET / HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n`);
  await page.getByRole('textbox', { name: 'Expect' }).fill('unknown token');
  await page.getByRole('button', { name: 'Add extraction' }).click();
  await page.getByRole('textbox', { name: 'Variable of extraction 1' }).fill('code');
  await page.getByRole('combobox', { name: 'Source of extraction 1' }).click();
  await page.getByRole('option', { name: 'Body pattern' }).click();
  await page.getByRole('textbox', { name: 'Body pattern of extraction 1' }).fill('HTTP/1.1 (...)');
  await page
    .getByRole('button', { name: new RegExp(`1\\. Step 1 .*TCP ${hostname}:${port}`) })
    .waitFor();
  if (isLongForm) await expectInOrder(visitor);

  await page.getByRole('button', { name: 'Test now' }).click();
  await page.getByRole('button', { name: 'Passed 1. Step 1', expanded: true }).waitFor();
  await page.getByText(`tcp://${hostname}:${port}`).first().waitFor();
  await page.getByText('401').first().waitFor();
  await page.getByRole('button', { name: 'Create scenario' }).click();
  await page.getByRole('heading', { name: 'A port', level: 1 }).waitFor();
  await page.getByRole('tab', { name: 'Definition' }).click();
  await page.getByText(`TCP ${hostname}:${port}`, { exact: true }).waitFor();
});

if (isLongForm)
  test('hostile names, URLs and responses run no script and break no page', async () => {
    const { page } = visitor;
    for (const text of HOSTILE.slice(
      0,
      testSize('hostile_names', { ci: 2, long: HOSTILE.length }),
    )) {
      const id = await createHostile(text);
      const run = await dashboard.probe.run(id);
      await follow(dashboard, visitor, `/scenarios/${id}/runs/${run}`);
      await page.getByText('The run').or(page.getByText('Assertion failed')).first().waitFor();
      await page.setViewportSize(NARROW);
      await eventually(() => isTooWide(page)).toBe(false);
      await follow(dashboard, visitor, `/scenarios/${id}/edit`);
      await page.getByRole('textbox', { name: 'URL' }).waitFor();
      await eventually(() => isTooWide(page)).toBe(false);
      await page.setViewportSize(WIDE);
    }
    await follow(dashboard, visitor, '/scenarios');
    await page.getByRole('link', { name: 'Order journey, renamed', exact: true }).waitFor();
    await page.setViewportSize(NARROW);
    await eventually(() => isTooWide(page)).toBe(false);
    expect(await page.evaluate('window.wasHit')).toBeUndefined();
  });
