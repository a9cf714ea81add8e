/**
 * Every page with something on it, wide and narrow, light and dark: nothing that axe finds, no
 * sideways scrolling, no target below 24 px, no jump while it loads, no error. KEEPWATCH_TEST_PAGES=all shows each page all four ways; otherwise
 * each is seen wide and light, and narrow and dark.
 */
import { waitUntil } from '../../support/wait-until';
import {
  axeViolations,
  isTooWide,
  NARROW,
  smallTargets,
  WATCH_SHIFT,
  type Watched,
  WIDE,
} from '../support/browser';
import { type Dashboard, settled } from '../support/dashboard';
import { type ExampleAccount, openExampleAccount } from '../support/example-account';
import { holdRequest } from '../support/hold-request';

const LARGE = { width: 1920, height: 1080 };
const LOOKS =
  process.env['KEEPWATCH_TEST_PAGES'] === 'all'
    ? ([
        ['light', WIDE],
        ['dark', WIDE],
        ['light', NARROW],
        ['dark', NARROW],
      ] as const)
    : ([
        ['light', WIDE],
        ['dark', NARROW],
      ] as const);

let account: ExampleAccount;
let dashboard: Dashboard;
/** Name of what an address stands for → its id. */
let ids: ExampleAccount['ids'];

beforeAll(async () => {
  account = await openExampleAccount();
  ({ dashboard, ids } = account);
});
afterAll(() => account?.close());

const PATHS: readonly (readonly [string, () => string])[] = [
  ['the overview', () => '/'],
  ['the checks', () => '/checks'],
  ['the monitors', () => '/monitors'],
  ['a new monitor', () => '/monitors/new'],
  ['a monitor', () => `/monitors/${ids['monitor']}`],
  ['results of a monitor', () => `/monitors/${ids['broken']}?tab=results`],
  ['incidents of a monitor', () => `/monitors/${ids['broken']}?tab=incidents`],
  ['alerts of a monitor', () => `/monitors/${ids['broken']}?tab=alerts`],
  ['the configuration of a monitor', () => `/monitors/${ids['monitor']}?tab=configuration`],
  ['a monitor being edited', () => `/monitors/${ids['monitor']}/edit`],
  ['the scenarios', () => '/scenarios'],
  ['a new scenario', () => '/scenarios/new'],
  ['a scenario', () => `/scenarios/${ids['scenario']}`],
  ['a scenario being edited', () => `/scenarios/${ids['scenario']}/edit`],
  ['a run', () => `/scenarios/${ids['scenario']}/runs/${ids['run']}`],
  ['the incidents', () => '/incidents'],
  ['an incident', () => `/incidents/${ids['incident']}`],
  ['the maintenance', () => '/maintenance'],
  ['the regions', () => '/regions'],
  ['the status pages', () => '/status-pages'],
  ['a new status page', () => '/status-pages/new'],
  ['a status page being edited', () => `/status-pages/${ids['page']}`],
  ['alert channels', () => '/settings/channels'],
  ['alert policies', () => '/settings/policies'],
  ['secrets', () => '/settings/secrets'],
  ['API keys', () => '/settings/api-keys'],
  ['probe keys', () => '/settings/probe-keys'],
  ['members', () => '/settings/members'],
  ['the password', () => '/settings/password'],
  ['the audit trail', () => '/settings/audit'],
  ['import and export', () => '/settings/transfer'],
  ['about', () => '/settings/about'],
  ['no page', () => '/monitors/nothing/here'],
  ['the login', () => '/login'],
  ['the set-up', () => '/setup'],
  ['the forgotten password', () => '/password-forgotten'],
  ['a public status page', () => '/status/of-all-pages'],
];

/** Pages below another one. */
const NESTED = /^\/(?:(?:monitors|scenarios|incidents)\/[a-z]{3}_|\w+(?:-\w+)?\/(?:new$|stp_))/;

/** How far what is shown may jump while a page loads, as browsers count it. */
const SHIFT_MAX = 0.05;

describe.each(LOOKS)('%s, at %j', (colorScheme, viewport) => {
  let visitor: Watched;
  beforeAll(async () => {
    visitor = await dashboard.visit({ colorScheme, viewport });
    await visitor.page.addInitScript(WATCH_SHIFT);
  });
  afterAll(() => visitor?.context.close());

  test.each(PATHS)('%s can be read by everybody', async (_name, path) => {
    const before = visitor.faults.length;
    await visitor.page.goto(dashboard.service.url + path());
    await settled(visitor);
    expect(await axeViolations(visitor.page)).toEqual([]);
    expect(await isTooWide(visitor.page)).toBe(false);
    expect(await smallTargets(visitor.page)).toEqual([]);
    expect(await visitor.page.evaluate('window.shifted')).toBeLessThanOrEqual(SHIFT_MAX);
    const trail = visitor.page.getByRole('navigation', { name: 'Breadcrumbs' });
    expect(await trail.count()).toBe(NESTED.test(path()) ? 1 : 0);
    expect(visitor.faults.slice(before)).toEqual([]);
  });

  test('the attempts of a step of a run are tabs, the last one with its evidence', async () => {
    const { page } = visitor;
    await page.goto(`${dashboard.service.url}/scenarios/${ids['scenario']}/runs/${ids['run']}`);
    await settled(visitor);
    await page.getByRole('tab', { name: 'Attempt 2, failed', selected: true }).waitFor();
    await page.getByRole('heading', { name: 'Timing' }).waitFor();
    await page.getByRole('tab', { name: 'Attempt 1, failed' }).click();
    await page.getByText('Headers, timing and body are kept for the last attempt.').waitFor();
    expect(await page.getByRole('heading', { name: 'Timing' }).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
  });

  test('so can the palette, what it finds, the menu of the account and the list of keys', async () => {
    const { page } = visitor;
    await page.goto(`${dashboard.service.url}/`);
    await settled(visitor);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search' });
    await palette.getByText('New monitor').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.type('buy');
    await palette.getByText('Buy a cup').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
});

/** How many blocks stand side by side at the most. */
const SHAPES: readonly (readonly [string, () => string, number])[] = [
  ['the overview', () => '/', 4],
  ['the checks', () => '/checks', 7],
  ['a monitor', () => `/monitors/${ids['monitor']}`, 6],
  ['the incidents', () => '/incidents', 3],
  ['a run', () => `/scenarios/${ids['scenario']}/runs/${ids['run']}`, 1],
  ['the builder', () => `/scenarios/${ids['scenario']}/edit`, 3],
  ['the settings', () => '/settings/channels', 2],
];

test.each(SHAPES)(
  '%s is in its shape before anything is known, and stays where it was',
  async (_name, path, across) => {
    const visitor = await dashboard.visit();
    const { context, page } = visitor;
    await page.addInitScript(WATCH_SHIFT);
    const letGo = await holdRequest(page, '**/v1/session');
    await page.goto(dashboard.service.url + path());
    const blocks = page.locator('main [aria-label=Loading] .mantine-Skeleton-root');
    await blocks.last().waitFor();
    const boxes = await Promise.all((await blocks.all()).map((block) => block.boundingBox()));
    expect(new Set(boxes.map((box) => Math.round(box?.x ?? 0))).size).toBeGreaterThanOrEqual(
      across,
    );
    expect(await isTooWide(page)).toBe(false);
    // The heading comes with the page.
    const found = await axeViolations(page);
    expect(found.filter((line) => !line.startsWith('page-has-heading-one'))).toEqual([]);
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    letGo();
    await settled(visitor);
    expect(await page.evaluate('window.shifted')).toBeLessThanOrEqual(SHIFT_MAX);
    expect(visitor.faults).toEqual([]);
    await context.close();
  },
);

test.each(['/login', '/status/of-all-pages'])(
  '%s bears the dashboard’s font with figures of one width, from a file that browsers keep',
  async (path) => {
    const { context, page, faults } = await dashboard.visit();
    const loaded = page.waitForResponse(/\/assets\/inter-latin-wght-normal-[\w-]+\.woff2$/);
    await page.goto(dashboard.service.url + path);
    const font = await loaded;
    expect([font.status(), font.headers()['cache-control']]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    await page.reload();
    await page.waitForFunction('document.fonts.check(\'16px "Inter Variable"\')');
    const style = 'getComputedStyle(document.querySelector("h1"))';
    expect(await page.evaluate(`${style}.fontFamily`)).toMatch(/^"Inter Variable"/);
    expect(await page.evaluate(`${style}.fontVariantNumeric`)).toBe('tabular-nums');
    expect(faults).toEqual([]);
    await context.close();
  },
);

test('a large screen is used to its edge, and nothing is wider than it', async () => {
  const visitor = await dashboard.visit({ viewport: LARGE });
  for (const path of [
    '/',
    '/checks',
    `/monitors/${ids['broken']}`,
    '/incidents',
    '/settings/about',
  ]) {
    await visitor.page.goto(dashboard.service.url + path);
    await settled(visitor);
    const main = await visitor.page.getByRole('main').boundingBox();
    expect((main?.x ?? 0) + (main?.width ?? 0)).toBe(LARGE.width);
    expect(await isTooWide(visitor.page)).toBe(false);
  }
  await visitor.context.close();
});

test('tabs without room on a phone are seen to go on, and the chosen one is whole', async () => {
  const visitor = await dashboard.visit({ viewport: NARROW });
  const url = `${dashboard.service.url}/monitors/${ids['monitor']}`;
  const last = visitor.page.getByRole('tab', { name: 'Configuration' });
  const edges = async () => {
    const { x = 0, width = 0 } = (await last.boundingBox()) ?? {};
    return { left: x, right: x + width };
  };
  await visitor.page.goto(url);
  await last.waitFor();
  expect((await edges()).left).toBeLessThan(NARROW.width - 40);
  expect((await edges()).right).toBeGreaterThan(NARROW.width);
  await visitor.page.goto(`${url}?tab=configuration`);
  await waitUntil('the tab', async () => (await edges()).right <= NARROW.width);
  await visitor.context.close();
});

test('the figures of a scenario count runs, and those of a monitor checks', async () => {
  const { context, page } = await dashboard.visit();
  for (const [path, counted, other] of [
    [`/scenarios/${ids['scenario']}`, /\d runs?\b/, /\d checks?\b/],
    [`/monitors/${ids['monitor']}`, /\d checks?\b/, /\d runs?\b/],
  ] as const) {
    await page.goto(dashboard.service.url + path);
    await settled({ page });
    const figures = page.getByRole('region', { name: 'Uptime by window' });
    await page.getByText(counted).first().waitFor();
    await figures.waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(other);
  }
  await context.close();
});

test('a viewer sees no button that would be refused', async () => {
  const visitor = await dashboard.visitAs('viewer');
  for (const path of [
    '/monitors',
    `/monitors/${ids['monitor']}`,
    `/scenarios/${ids['scenario']}`,
  ]) {
    await visitor.page.goto(dashboard.service.url + path);
    await settled(visitor);
    const names = /^(New |Create|Edit|Delete|Pause|Check now|Run now|Duplicate)/;
    expect(await visitor.page.getByRole('button', { name: names }).count()).toBe(0);
    expect(await visitor.page.getByRole('link', { name: names }).count()).toBe(0);
  }
  await visitor.page.goto(`${dashboard.service.url}/settings/channels`);
  await settled(visitor);
  expect(await visitor.page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
  expect(visitor.faults).toEqual([]);
});
