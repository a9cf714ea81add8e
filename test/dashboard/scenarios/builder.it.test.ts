/**
 * The way of the builder, in a real browser against the real service, by keyboard where it matters:
 * example, reorder that breaks a reference, test, a picked value, saving, and the first run live.
 */
import type { Browser, Page } from 'playwright-core';
import type { LoopbackServer } from '../../support/loopback-server';
import { startService, type TestService } from '../../support/service';
import { waitUntil } from '../../support/wait-until';
import {
  axeViolations,
  isTooWide,
  launchBrowser,
  NARROW,
  openPage,
  type Watched,
  WIDE,
} from '../support/browser';
import { startShop } from '../support/shop-target';

const SETUP_TOKEN = 'setup-token-of-a-test';
const RUN_WITHIN_MS = 40_000;

let service: TestService;
let browser: Browser;
let shop: LoopbackServer;
let visitor: Watched;

beforeAll(async () => {
  shop = await startShop();
  [service, browser] = await Promise.all([startService({ regions: ['eu-west'] }), launchBrowser()]);
  visitor = await openPage(browser);
  const { page } = visitor;
  await page.goto(`${service.url}/setup#token=${SETUP_TOKEN}`);
  await page.getByLabel('Account name').fill('Shop');
  await page.getByLabel(/^E-?mail/).fill('me@example.com');
  await page.getByLabel(/^Password/).fill('a-long-password-of-mine');
  await page.getByRole('button').click();
  await page.getByRole('link', { name: 'Open the dashboard' }).click();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await shop?.close();
});

async function expectInOrder(page: Page): Promise<void> {
  // While a notice fades, its words are paler than they are meant to be read.
  const notices = page.locator('.mantine-Notification-root');
  await waitUntil('notices to go', async () => (await notices.count()) === 0);
  for (const viewport of [WIDE, NARROW]) {
    await page.setViewportSize(viewport);
    await waitUntil('the page to fit', async () => !(await isTooWide(page)));
    expect(await axeViolations(page)).toEqual([]);
  }
  await page.setViewportSize(WIDE);
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

/** A scenario whose every text is somebody's attempt; with the session of the page. */
async function createHostile(page: Page, text: string, address: string): Promise<string> {
  const body = {
    name: text,
    interval: 3_600,
    tags: [text.slice(0, 90)],
    group: text.slice(0, 90),
    variables: { value: text },
    steps: [
      {
        name: text,
        method: 'POST',
        url: `${address}/nothing?x={{value}}`,
        headers: { 'x-encoded': encodeURIComponent(text.replaceAll(/[{}]/g, '')) },
        body: { text: '{{value}}' },
      },
    ],
  };
  const sent = JSON.stringify({ body: JSON.stringify(body) });
  const answer: unknown = await page.evaluate(
    `fetch('/v1/scenarios', { method: 'POST', headers: { 'content-type': 'application/json' },
       body: ${sent}.body }).then((response) => response.json())`,
  );
  const { id } = answer as { id?: string };
  if (id === undefined) throw new Error(JSON.stringify(answer));
  return id;
}

/** Steps are named by their buttons, as `2. create order`. */
async function stepTitles(page: Page): Promise<string[]> {
  const texts = await page.locator('ol > li h3 button').allTextContents();
  return texts.map((text) => /^\d+\. \w+ \w+(?= )/.exec(text)?.[0] ?? text);
}

/** Each key waits until what the last one did has been said; a list that still scrolls misleads. */
async function dragByKeys(page: Page, name: string, said: readonly [string, string][]) {
  const handle = page.getByRole('button', { name: `Drag ${name}`, exact: true });
  await handle.evaluate('(node) => node.scrollIntoView({ block: "center" })');
  await handle.focus();
  for (const [key, words] of said) {
    await page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    );
    await page.keyboard.press(key);
    await page.locator('[id^=DndLiveRegion]').getByText(words).waitFor();
  }
}

test('the example becomes a watched scenario: reordered, tested, changed by a pick and saved', async () => {
  const { page, faults } = visitor;
  const { port } = shop;
  await page.getByRole('link', { name: 'Scenarios' }).first().click();
  await page.getByRole('link', { name: 'Create your first scenario' }).click();
  await page.getByRole('button', { name: 'Use the example' }).click();
  await page.getByLabel('Value of variable 1').fill(`http://127.0.0.1:${port}`);
  await expectInOrder(page);

  // By keyboard; what it would break is named while it moves, and asked about before it happens.
  await dragByKeys(page, 'read order', [
    ['Space', 'read order is at position 3 of 4.'],
    ['ArrowUp', 'at position 2 of 4. That would break: “read order” needs {{orderId}}.'],
  ]);
  await page.keyboard.press('Space');
  await page.getByRole('dialog').getByText('“read order” needs {{orderId}}').waitFor();
  await page.getByRole('button', { name: 'Move anyway' }).press('Enter');
  await page.getByText('uses {{orderId}}, which is not defined').waitFor();
  expect((await stepTitles(page))[1]).toBe('2. read order');
  await page.getByRole('button', { name: 'Move read order down' }).press('Enter');
  await page.getByText('which is not defined').waitFor({ state: 'detached' });
  expect(await stepTitles(page)).toEqual([
    '1. log in',
    '2. create order',
    '3. read order',
    '4. delete order',
  ]);

  await page.getByRole('button', { name: 'Test now' }).press('Enter');
  // The response of the last step is there without a click; another one by one.
  await page
    .getByRole('button', { name: 'Passed 4. delete order', expanded: true })
    .waitFor({ timeout: RUN_WITHIN_MS });
  await page.getByRole('button', { name: 'Passed 1. log in' }).click();
  await page.getByRole('button', { name: "Pick $.user['first-name']" }).press('Enter');
  await page.getByText('Extracts Demo').waitFor();
  await expectInOrder(page);
  await page.getByRole('button', { name: 'Extract', exact: true }).press('Enter');

  // What the first step extracts is offered to the second, and what later ones extract is not.
  await page.getByRole('button', { name: /^2\. create order/ }).press('Enter');
  await page.getByRole('button', { name: 'Add header' }).press('Enter');
  await page.getByLabel('Name of header 2').fill('x-buyer');
  const value = page.getByLabel('Value of header 2');
  await value.pressSequentially('{{');
  await page.getByRole('option', { name: /^firstName/ }).waitFor();
  expect(await page.getByRole('option', { name: /^orderId/ }).count()).toBe(0);
  await value.pressSequentially('first');
  await page.locator('[data-combobox-selected]').getByText('firstName').waitFor();
  await value.press('Enter');
  expect(await value.inputValue()).toBe('{{firstName}}');

  // A value of one response, dragged into a field of a later step, is extracted and used.
  await page.getByRole('button', { name: 'Add header' }).press('Enter');
  await page.getByLabel('Name of header 3').fill('x-buyer-id');
  const dropped = page.getByLabel('Value of header 3');
  await page.getByRole('button', { name: 'Pick $.user.id' }).dragTo(dropped);
  await page.getByText('{{id}} will be extracted.').waitFor();
  expect(await dropped.inputValue()).toBe('{{id}}');
  const row = page.getByRole('row', { name: /^id / });
  expect(await row.textContent()).toContain('log in');
  expect(await row.textContent()).toContain('create order');

  await page.getByRole('button', { name: 'Create scenario' }).press('Enter');
  await page.getByRole('heading', { name: 'Order journey', level: 1 }).waitFor();
  await page
    .getByRole('link', { name: /^Run .*: Passed/ })
    .first()
    .waitFor({ timeout: RUN_WITHIN_MS });
  await expectInOrder(page);
  expect(faults).toEqual([]);
}, 240_000);

test('a run that was asked for is watched live to its end, step by step', async () => {
  const { page, faults } = visitor;
  await page.getByRole('button', { name: 'Run now' }).press('Enter');
  await page.waitForURL(/\/runs\/run_/);
  const last = page.getByRole('button', { name: 'Passed 4. delete order' });
  await last.click({ timeout: RUN_WITHIN_MS });
  // Not before: while the page of the run loads, the list of runs says the same.
  await page.getByText('Manual').waitFor();
  await page.getByText('Passed', { exact: true }).first().waitFor();
  await page.getByText(/DELETE http:\/\/127\.0\.0\.1:\d+\/orders\/\d+/).waitFor();
  await page.getByRole('button', { name: 'Compare with last passing' }).press('Enter');
  await page.getByText('Last passing run').waitFor();
  await page.getByRole('button', { name: 'Run again' }).waitFor();
  await expectInOrder(page);
  expect(faults).toEqual([]);
}, 120_000);

test('form and YAML are the same scenario, and a saved change is a new version', async () => {
  const { page, faults } = visitor;
  const trail = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await trail.getByRole('link', { name: 'Order journey' }).click();
  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByText('YAML', { exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Scenario as YAML' });
  await editor.waitFor();
  expect(await editor.textContent()).toContain('x-buyer');
  await expectInOrder(page);
  await page.getByText('Form', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).first().fill('Order journey, renamed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Order journey, renamed', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Scenarios' }).first().click();
  await page.getByRole('link', { name: 'Order journey, renamed', exact: true }).waitFor();
  await expectInOrder(page);
  expect(faults).toEqual([]);
}, 120_000);

test('names, addresses and answers of any kind run no script and break no page', async () => {
  const { page, faults } = visitor;
  const { port } = shop;
  for (const text of HOSTILE) {
    const id = await createHostile(page, text, `http://127.0.0.1:${port}`);
    await page.goto(`${service.url}/scenarios/${id}`);
    const run = page.getByRole('link', { name: /^Run .*: Failed/ }).first();
    await run.click({ timeout: RUN_WITHIN_MS });
    await page.getByText('The run').or(page.getByText('Assertion failed')).first().waitFor();
    await page.setViewportSize(NARROW);
    await waitUntil('the run to fit', async () => !(await isTooWide(page)));
    await page.goto(`${service.url}/scenarios/${id}/edit`);
    await page.getByRole('textbox', { name: 'URL' }).waitFor({ timeout: RUN_WITHIN_MS });
    await waitUntil('the builder to fit', async () => !(await isTooWide(page)));
    await page.setViewportSize(WIDE);
  }
  await page.goto(`${service.url}/scenarios`);
  await page.getByRole('link', { name: 'Order journey, renamed', exact: true }).waitFor();
  await expectInOrder(page);
  expect(await page.evaluate('window.wasHit')).toBeUndefined();
  expect(faults).toEqual([]);
}, 240_000);
