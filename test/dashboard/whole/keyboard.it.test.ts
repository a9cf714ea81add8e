/**
 * Tests the most frequent tasks without a mouse: creating a first monitor that is tested before it is saved, and
 * creating a scenario from the example with reordered steps.
 */
import { z } from 'zod';
import { fromHook } from '../../support/from-hook';
import { startLoopbackServer } from '../../support/loopback-server';
import { isLongForm } from '../../support/test-size';
import { load, settled, suiteDashboard, visitorOfSuite } from '../support/dashboard';
import { eventually } from '../support/eventually';
import { choose, fillIn, press, tabTo, untilFocused } from '../support/keyboard';

const idShape = z.object({ id: z.string() });
const stepsShape = z.object({ steps: z.array(z.object({ name: z.string() })) });

const target = fromHook(beforeAll, () =>
  startLoopbackServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: 'ok' }));
  }),
);
afterAll(() => target.close());
const dashboard = suiteDashboard();
const visitor = visitorOfSuite(dashboard);

if (isLongForm)
  test('a first monitor can be created, tested and saved by keyboard', async () => {
    const page = await load(dashboard, visitor, '/');
    await press(page, /^Create your first monitor$/);
    await page.getByRole('heading', { name: 'New monitor' }).waitFor();
    await tabTo(page, /^Name/);
    await page.keyboard.type('By keyboard');
    await tabTo(page, /^URL/);
    await page.keyboard.press('Control+A');
    await page.keyboard.type(`${target.url}/`);
    await choose(page, /^Interval/, 'Every 10 seconds');
    await press(page, /^Test now$/);
    await page.getByRole('button', { name: 'Pick $.status' }).waitFor();
    await press(page, /^Pick \$\.status$/);
    await page.getByRole('textbox', { name: 'JSON path of assertion 2' }).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).focus();
    await press(page, /^Create monitor$/);
    await page.getByRole('heading', { name: 'By keyboard', level: 1 }).waitFor();
  });

if (isLongForm)
  test('adding a row to a form focuses the new row, and removing a row focuses the neighbouring row', async () => {
    const page = await load(dashboard, visitor, '/monitors/new');
    await fillIn(page, /^URL/, 'example.com/shop');
    await press(page, /^Add assertion$/);
    const url = page.getByRole('textbox', { name: 'URL' });
    await eventually(() => url.inputValue()).toBe('https://example.com/shop');
    await untilFocused(page, /^Type of assertion 2$/);
    await press(page, /^Remove assertion 2$/);
    await untilFocused(page, /^Add assertion$/);
    await press(page, /^Skip to content$/);
    await press(page, /^Remove assertion 1$/);
    await untilFocused(page, /^Add assertion$/);
  });

test('the first Tab on a loaded page of a monitor goes to “Skip to content”, and shows one focus ring', async () => {
  const id = await dashboard.api.createMonitor({ name: 'Loaded', url: target.url });
  const page = await load(dashboard, visitor, `/monitors/${id}?tab=configuration`);
  await page.getByRole('tab', { name: 'Configuration', selected: true }).waitFor();
  await page.keyboard.press('Tab');
  await untilFocused(page, /^Skip to content$/);
  const ring = 'getComputedStyle(document.activeElement).outline';
  const own = await page.evaluate(ring);
  expect(own).toMatch(/solid 2px$/);
  await tabTo(page, /^Search and commands$/);
  expect(await page.evaluate(ring)).toBe(own);
});

test('the palette, the help and the search open by their shortcuts, and close by Escape', async () => {
  await dashboard.api.createMonitor({ name: 'Listed', url: 'http://example.com/' });
  const page = await load(dashboard, visitor, '/monitors');
  await page.keyboard.press('Control+K');
  await page.getByRole('textbox', { name: 'Search', exact: true }).waitFor();
  await page.keyboard.type('Incidents');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Shortcuts' });
  await help.waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden' });
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor();
  await settled(visitor);
  await page.keyboard.press('/');
  await page.locator('[data-search]:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.evaluate('document.activeElement?.blur()');
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: 'New monitor' }).waitFor();
});

if (isLongForm)
  test('the steps of a scenario can be reordered by keyboard, and their order is saved', async () => {
    const steps = ['First', 'Second', 'Third'].map((name) => ({
      name,
      url: 'http://example.com/',
    }));
    const { id } = await dashboard.api.call(
      {
        method: 'POST',
        path: '/v1/scenarios',
        body: { name: 'Moved', steps, enabled: false },
      },
      { status: 201, shape: idShape },
    );
    const page = await load(dashboard, visitor, `/scenarios/${id}/edit`);
    await page.getByRole('button', { name: /1. First GET/ }).waitFor();
    await press(page, /down/i);
    await page.getByRole('button', { name: /1. Second GET/ }).waitFor();
    await press(page, /^Save$/);
    await page.getByRole('heading', { name: 'Moved', exact: true, level: 1 }).waitFor();
    const saved = await dashboard.api.call(
      { method: 'GET', path: `/v1/scenarios/${id}` },
      { status: 200, shape: stepsShape },
    );
    expect(saved.steps.map(({ name }) => name)).toEqual(['Second', 'First', 'Third']);
  });
