/**
 * Tests further tasks of a new user without a mouse: a scenario from the example with a failing run, a late heartbeat,
 * maintenance, an alert policy with its route, a public status page, a secret, an API key, export and import.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { fromHook } from '../../support/from-hook';
import { urlOfNobody } from '../../support/loopback-server';
import { axeViolations, expectNoFaults, isTooWide, NARROW } from '../support/browser';
import { follow, visitorOfSuite } from '../support/dashboard';
import { eventually } from '../support/eventually';
import { choose, fillIn, press, search, tabTo, untilFocused } from '../support/keyboard';
import { suiteSharedDashboard } from '../support/shared-dashboard';
import { startShop } from '../support/shop-target';

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="18"/></svg>';

let heartbeat = '';

const shop = fromHook(beforeAll, startShop);
const folder = fromHook(beforeAll, async () => ({
  path: await mkdtemp(join(tmpdir(), 'keepwatch-newcomer-')),
}));
afterAll(async () => {
  await shop.close();
  await rm(folder.path, { recursive: true, force: true });
});
const dashboard = suiteSharedDashboard();
const visitor = visitorOfSuite(dashboard, { viewport: { width: 1360, height: 900 } });
let page: Page;
beforeAll(() => {
  ({ page } = visitor);
});

const open = (path: string) => follow(dashboard, visitor, path);

test('a heartbeat shows its ping URL, and is up after the first ping', async () => {
  await open('/monitors/new');
  await tabTo(page, /^HTTP request$/);
  // Moves from the first type to the last, which is the heartbeat.
  await page.keyboard.press('ArrowLeft');
  await fillIn(page, /^Name/, 'Nightly backup');
  await fillIn(page, /^A ping every/, '10');
  await tabTo(page, /^Unit of a ping every/);
  await page.keyboard.type('s');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  // The message uses the label of its field.
  await page.getByText(/^A ping every must be at least 30$/).waitFor();
  await untilFocused(page, /^A ping every/);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('30');
  await fillIn(page, /^Grace/, '0');
  await page.keyboard.press('Enter');
  await untilFocused(page, /^Nightly backup$/);
  await page.getByText(/ grace · no ping yet/).waitFor();
  heartbeat = page.url();
  const pingUrl = /http\S+\/ping\/\S+/.exec(await page.locator('#content').innerText())?.[0] ?? '';
  expect((await fetch(pingUrl)).status).toBe(200);
  await page.getByText('Up', { exact: true }).first().waitFor();
});

test('a scenario can be created from the example, and its runs can be watched', async () => {
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await untilFocused(page, /^Scenarios$/);
  await press(page, /^Create your first scenario$/);
  await untilFocused(page, /^New scenario$/);
  await press(page, /^Use the example$/);
  await page.getByLabel('Value of variable 1').waitFor();
  await fillIn(page, /^Value of variable 1$/, shop.url);
  await page.keyboard.press('Control+Enter');
  await page.getByText('Passed', { exact: true }).first().waitFor();
  await press(page, /^Create scenario$/);
  await untilFocused(page, /^Order journey$/);
  await watchRun();
  await press(page, /^Actions$/);
  await untilFocused(page, /^Run with values/);
  await page.keyboard.press('Enter');
  await untilFocused(page, /^Label/);
  await fillIn(page, /^baseUrl/, await urlOfNobody());
  await page.keyboard.press('Enter');
  await untilFocused(page, /^Run of Order journey$/);
  await page.getByText('log in: Connection refused').waitFor();
  await press(page, /^Edit step$/);
  await untilFocused(page, /^Edit |^Name/);
});

/** Opens a run from the page of the scenario, follows it live until its end, and returns to the scenario. */
async function watchRun(): Promise<void> {
  await press(page, /^Run now$/);
  await page.waitForURL(/\/runs\/run_/);
  await page.getByRole('button', { name: 'Passed 4. delete order' }).click();
  // Waits for the page of the run. While it loads, the list of runs shows the same text.
  await page.getByText('Manual').waitFor();
  await page.getByText('Passed', { exact: true }).first().waitFor();
  await page.getByText(/DELETE http:\/\/127\.0\.0\.1:\d+\/orders\/\d+/).waitFor();
  await page.getByRole('button', { name: 'Compare with last passing' }).press('Enter');
  await page.getByText('Last passing run').waitFor();
  await page.getByRole('button', { name: 'Run again' }).waitFor();
  const trail = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await trail.getByRole('link', { name: 'Order journey' }).press('Enter');
  await untilFocused(page, /^Order journey$/);
}

test('maintenance of one check can start at once, and a window can repeat every week', async () => {
  await open('/maintenance');
  await press(page, /^Start now$/);
  await untilFocused(page, /^Duration/);
  await tabTo(page, /^Everything$/);
  await press(page, /^Start maintenance$/);
  await page.getByText('Choose what is affected.').waitFor();
  await untilFocused(page, /^Everything$/);
  await page.keyboard.press('ArrowRight');
  // Enter chooses the first match and does not submit the form.
  await search(page, /^Monitors and scenarios/, 'Order');
  await page.getByRole('dialog').getByText('Order journey').waitFor();
  await page.keyboard.press('Escape');
  await press(page, /^Start maintenance$/);
  await untilFocused(page, /^Start now$/);
  // The button must keep the focus after the list is shown, although the button then has another position.
  await page.getByText('In progress').waitFor();
  await untilFocused(page, /^Start now$/);
  await press(page, /^Schedule maintenance$/);
  await untilFocused(page, /^Name/);
  await page.keyboard.type('Weekly deployment');
  await choose(page, /^Repeats$/, 'Every week');
  await tabTo(page, /^Everything$/);
  await page.keyboard.press('Space');
  await press(page, /^Save$/);
  await untilFocused(page, /^Schedule maintenance$/);
  await page.getByText(/Every week, for 1 h/).waitFor();
});

test('a policy of two steps gets its key from its name, is used by a route, and can be simulated', async () => {
  await open('/alerting/channels');
  await press(page, /^Add channel$/);
  await untilFocused(page, /^Name/);
  await search(page, /^Type/, 'webhook');
  await fillIn(page, /^Name/, 'Pager');
  await fillIn(page, /^Webhook URL/, `${shop.url}/hook`);
  await page.keyboard.press('Enter');
  await press(page, /^Done$/);
  await page.getByText('Pager', { exact: true }).waitFor();
  await untilFocused(page, /^Send test to Pager$/);
  await press(page, /^Alert policies$/);
  await untilFocused(page, /^Alert policies$/);
  await press(page, /^Add policy$/);
  await untilFocused(page, /^Name/);
  await page.keyboard.type('On call');
  await eventually(() => page.getByLabel(/^Key/).inputValue()).toBe('on-call');
  await search(page, /^Notify$/, 'Pager');
  await page.keyboard.press('Escape');
  await press(page, /^Add step$/);
  await untilFocused(page, /^After/);
  await search(page, /^Notify$/, dashboard.email.slice(0, 12));
  await page.keyboard.press('Escape');
  await press(page, /^Save$/);
  await press(page, /^Simulate On call$/);
  await page.getByRole('cell', { name: dashboard.email }).waitFor();
  await press(page, /^Edit routes$/);
  // A dialog takes the focus when it opens, even if the focus was already on an element in the dialog.
  await untilFocused(page, /^Close$/);
  await press(page, /^Add route$/);
  await untilFocused(page, /^Checks$/);
  await press(page, /^Save$/);
  await page.getByText('All checks → On call').waitFor();
  await untilFocused(page, /^Edit routes$/);
});

test('a status page can get a logo and a colour, and be read by visitors without a login', async () => {
  const file = join(folder.path, 'logo.svg');
  await writeFile(file, LOGO);
  // Slugs are unique across all accounts of the service, so the slug is derived from the email address of this account.
  const slug = dashboard.email.replace(/@.*/, '');
  const chooser = page.waitForEvent('filechooser');
  await open('/status-pages');
  await press(page, /^Add status page$/);
  await untilFocused(page, /^Add status page$/);
  await fillIn(page, /^Title/, slug);
  await press(page, /^Choose an image$/);
  await (await chooser).setFiles(file);
  await fillIn(page, /^Accent colour/, '#0b6374');
  await fillIn(page, /^Group name/, 'Shop');
  await tabTo(page, /^Monitor or scenario$/);
  await page.keyboard.press('Enter');
  await page.keyboard.type('Order');
  await page.getByRole('option', { name: 'Order journey' }).waitFor();
  await page.keyboard.press('Enter');
  await tabTo(page, /^Actions: Order journey/);
  await press(page, /^Add item$/);
  await untilFocused(page, /^Monitor or scenario$/);
  await press(page, /^Public/, 'Space');
  await press(page, /^Save$/);
  await page.getByRole('link', { name: 'Open page' }).waitFor();
  const outsider = await dashboard.visitAsStranger({ viewport: NARROW, colorScheme: 'dark' });
  await outsider.page.goto(`${dashboard.url}/status/${slug}`);
  await outsider.page.getByRole('heading', { name: slug }).waitFor();
  await outsider.page.getByText('Order journey').first().waitFor();
  expect(await axeViolations(outsider.page)).toEqual([]);
  await eventually(() => isTooWide(outsider.page)).toBe(false);
  await expectNoFaults(outsider);
  await outsider.close();
});

test('a secret and an API key can be created, and importing an export changes nothing', async () => {
  await open('/settings/secrets');
  await press(page, /^Add secret$/);
  await untilFocused(page, /^Name/);
  await page.keyboard.type('SHOP_TOKEN');
  await fillIn(page, /^Value/, 'abcdef');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'New value of SHOP_TOKEN' }).waitFor();
  await untilFocused(page, /^Add secret$/);
  await press(page, /^API keys$/);
  await untilFocused(page, /^API keys$/);
  await press(page, /^Create API key$/);
  await untilFocused(page, /^Name/);
  await page.keyboard.type('CI');
  await page.keyboard.press('Enter');
  await page.getByText(/^kw_[0-9A-Za-z]{38}$/).waitFor();
  await press(page, /^Import and export$/);
  await untilFocused(page, /^Import and export$/);
  const [chooser, downloaded] = [page.waitForEvent('filechooser'), page.waitForEvent('download')];
  await press(page, /^Download the export$/);
  const download = await downloaded;
  const file = join(folder.path, 'keepwatch.json');
  await download.saveAs(file);
  expect(await readFile(file, 'utf8')).toContain('Order journey');
  await untilFocused(page, /^Download the export$/);
  await press(page, /^Choose a file$/);
  await (await chooser).setFiles(file);
  await press(page, /^Show the plan$/);
  await page.getByRole('heading', { name: 'Plan' }).waitFor();
  await untilFocused(page, /^Show the plan$/);
});

test('the heartbeat is down after a missed ping', async () => {
  await page.goto(heartbeat);
  await page.getByText('Down', { exact: true }).first().waitFor();
});
