/**
 * Checks pages with content: no violation of axe, no horizontal scrolling, no target below 24 px, no layout shift, no
 * error. The long form loads every page, and checks it wide and narrow, light and dark. CI checks fewer pages.
 */
import type { Page } from 'playwright-core';
import { isLongForm } from '../../support/test-size';
import { axeViolations, expectNoFaults, isTooWide, NARROW, WATCH_SHIFT } from '../support/browser';
import { follow, load, settled, visitorOfSuite } from '../support/dashboard';
import { eventually } from '../support/eventually';
import { suiteExampleAccount } from '../support/example-account';
import { holdRequest } from '../support/hold-request';
import { expectReadable } from '../support/looks';

const LARGE = { width: 1920, height: 1080 };

const { dashboard, idOf } = suiteExampleAccount();
const visitor = visitorOfSuite(dashboard);
beforeAll(() => visitor.page.addInitScript(WATCH_SHIFT));
const open = (path: string) => follow(dashboard, visitor, path);

const PATHS: readonly (readonly [string, () => string])[] = [
  ['the overview', () => '/'],
  ['the wallboard', () => '/wallboard'],
  ['the checks', () => '/checks'],
  ['the monitors', () => '/monitors'],
  ['a new monitor', () => '/monitors/new'],
  ['a monitor', () => `/monitors/${idOf('monitor')}`],
  ['results of a monitor', () => `/monitors/${idOf('broken')}?tab=results`],
  ['incidents of a monitor', () => `/monitors/${idOf('broken')}?tab=incidents`],
  ['alerts of a monitor', () => `/monitors/${idOf('broken')}?tab=alerts`],
  ['the configuration of a monitor', () => `/monitors/${idOf('monitor')}?tab=configuration`],
  ['a monitor being edited', () => `/monitors/${idOf('monitor')}/edit`],
  ['the scenarios', () => '/scenarios'],
  ['a new scenario', () => '/scenarios/new'],
  ['a scenario', () => `/scenarios/${idOf('scenario')}`],
  ['runs of a scenario', () => `/scenarios/${idOf('scenario')}?tab=runs`],
  ['the definition of a scenario', () => `/scenarios/${idOf('scenario')}?tab=definition`],
  ['a scenario being edited', () => `/scenarios/${idOf('scenario')}/edit`],
  ['a run', () => `/scenarios/${idOf('scenario')}/runs/${idOf('run')}`],
  ['the incidents', () => '/incidents'],
  ['an incident', () => `/incidents/${idOf('incident')}`],
  ['the maintenance', () => '/maintenance'],
  ['the regions', () => '/regions'],
  ['the status pages', () => '/status-pages'],
  ['a new status page', () => '/status-pages/new'],
  ['a status page being edited', () => `/status-pages/${idOf('page')}`],
  ['a post of a status page', () => `/status-pages/${idOf('page')}/posts/${idOf('post')}`],
  ['subscribers of a status page', () => `/status-pages/${idOf('page')}/subscribers`],
  ['alert channels', () => '/alerting/channels'],
  ['alert policies', () => '/alerting/policies'],
  ['hours', () => '/alerting/hours'],
  ['the account', () => '/settings/account'],
  ['profiles', () => '/settings/profiles'],
  ['secrets', () => '/settings/secrets'],
  ['API keys', () => '/settings/api-keys'],
  ['pipelines', () => '/settings/pipelines'],
  ['members', () => '/settings/members'],
  ['the password', () => '/settings/password'],
  ['the audit trail', () => '/settings/audit'],
  ['rollouts', () => '/settings/rollouts'],
  ['import and export', () => '/settings/transfer'],
  ['about', () => '/settings/about'],
  ['no page', () => '/monitors/nothing/here'],
  ['the login', () => '/login'],
  ['the set-up', () => '/setup'],
  ['the forgotten password', () => '/password-forgotten'],
  ['a public status page', () => '/status/of-all-pages'],
  ['the form for subscribing to a status page', () => '/status/of-all-pages/subscribe'],
  [
    'the posts of a month',
    () => `/status/of-all-pages/history/${new Date().toISOString().slice(0, 7)}`,
  ],
  ['a status page in frames of other sites', () => '/status/of-all-pages/embed'],
  ['a link of no subscription', () => '/status/of-all-pages/subscription?token=none'],
];

/** Pages that only the long form checks. They are built like other pages, or other tests check them. */
const ALIKE = new Set([
  // overview.it.test.ts checks these pages.
  'the overview',
  'the wallboard',
  // monitors.it.test.ts and rollouts.it.test.ts check these pages.
  'results of a monitor',
  'profiles',
  // These pages are built like `the checks`, `the definition of a scenario` and `a new monitor`.
  'the monitors',
  'the scenarios',
  'the configuration of a monitor',
  'a monitor being edited',
  // builder.it.test.ts checks this page.
  'a scenario being edited',
  // incidents.it.test.ts checks this page.
  'an incident',
  // status-pages.it.test.ts checks these pages.
  'a status page being edited',
  'a post of a status page',
  // These pages are built like the channels and the maintenance.
  'hours',
  'members',
  'the status pages',
  'API keys',
  'incidents of a monitor',
  'alerts of a monitor',
  'a new scenario',
  'a new status page',
  'alert policies',
  'secrets',
  'pipelines',
  'the password',
  'the audit trail',
  'import and export',
  'rollouts',
  'about',
  'no page',
  'the set-up',
  'the forgotten password',
  'the posts of a month',
  'a link of no subscription',
]);

/** One page of each kind. CI checks the contrast of these pages in both colour schemes. */
const KINDS = new Set([
  'the checks',
  'a monitor',
  'a new monitor',
  'a scenario',
  'a run',
  'the maintenance',
  'alert channels',
  'the login',
  'a public status page',
]);

/** Matches pages below another page. They have breadcrumbs. */
const NESTED = /^\/(?:(?:monitors|scenarios|incidents)\/[a-z]{3}_|\w+(?:-\w+)?\/(?:new$|stp_))/;
/** Matches pages that are not part of the dashboard. */
const APART = /^\/(?:login|setup|password-forgotten|status\/.*)$/;

/** Upper bound of the layout shift while a page loads, as browsers measure it. */
const SHIFT_MAX = 0.05;
const shiftOf = async (page: Page) => Number(await page.evaluate('window.shifted'));

const looked = PATHS.filter(([name]) => isLongForm || !ALIKE.has(name));

test.each(looked)('%s is accessible', async (name, path) => {
  const { page } = visitor;
  const isLoaded = isLongForm || APART.test(path());
  await (isLoaded ? load : follow)(dashboard, visitor, path());
  // Checks only loaded pages, because browsers do not count movements after a click.
  if (isLoaded) expect(await shiftOf(page)).toBeLessThanOrEqual(SHIFT_MAX);
  const trail = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await eventually(() => trail.count()).toBe(NESTED.test(path()) ? 1 : 0);
  await expectReadable(visitor, { inBothSchemes: KINDS.has(name) });
});

if (isLongForm)
  test('the password form of a status page is accessible', async () => {
    const stranger = await dashboard.visitAsStranger();
    await load(dashboard, stranger, '/status/locked');
    await stranger.page.getByLabel('Password').waitFor();
    await expectReadable(stranger);
    await stranger.close();
  });

if (isLongForm)
  test('the page of a run shows the attempts of a step as tabs, and the last tab shows the evidence of the step', async () => {
    const page = await open(`/scenarios/${idOf('scenario')}/runs/${idOf('run')}`);
    await page.getByRole('tab', { name: 'Attempt 2, failed', selected: true }).waitFor();
    await page.getByRole('heading', { name: 'Timing' }).waitFor();
    await page.getByRole('tab', { name: 'Attempt 1, failed' }).click();
    await page.getByText('Headers, timing and body are kept for the last attempt.').waitFor();
    await eventually(() => page.getByRole('heading', { name: 'Timing' }).count()).toBe(0);
    if (isLongForm) expect(await axeViolations(page)).toEqual([]);
  });

test('the palette, its hits, the account menu and the list of shortcuts are accessible', async () => {
  const page = await open('/');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search' });
  await palette.getByText('New monitor').waitFor();
  await expectReadable(visitor);
  await page.keyboard.type('buy');
  await palette.getByText('Buy a cup').waitFor();
  expect(await axeViolations(page, '[role=dialog]')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  expect(await axeViolations(page, '[role=menu]')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
  await expectReadable(visitor);
  await page.keyboard.press('Escape');
});

/**
 * For each page, its name, its path, and a lower bound for the number of columns in which its placeholders are shown.
 */
const SHAPES: readonly (readonly [string, () => string, number])[] = [
  ['the overview', () => '/', 4],
  ['the checks', () => '/checks', 7],
  ['a monitor', () => `/monitors/${idOf('monitor')}`, 6],
  ['the incidents', () => '/incidents', 3],
  ['a run', () => `/scenarios/${idOf('scenario')}/runs/${idOf('run')}`, 1],
  ['the builder', () => `/scenarios/${idOf('scenario')}/edit`, 3],
  ['the settings', () => '/alerting/channels', 2],
];

test.each(isLongForm ? SHAPES : SHAPES.slice(2, 3))(
  '%s has the same layout before and after its data arrives',
  async (_name, path, across) => {
    const { page } = visitor;
    const letGo = await holdRequest(page, '**/v1/session');
    await page.goto(dashboard.url + path());
    const blocks = page.locator('main [aria-label=Loading] .mantine-Skeleton-root');
    await blocks.last().waitFor();
    const boxes = await Promise.all((await blocks.all()).map((block) => block.boundingBox()));
    expect(new Set(boxes.map((box) => Math.round(box?.x ?? 0))).size).toBeGreaterThanOrEqual(
      across,
    );
    await eventually(() => isTooWide(page)).toBe(false);
    if (isLongForm) {
      // Ignores the missing heading, because the content of the page has not arrived yet.
      const found = await axeViolations(page);
      expect(found.filter((line) => !line.startsWith('page-has-heading-one'))).toEqual([]);
    }
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    letGo();
    await settled(visitor);
    expect(await shiftOf(page)).toBeLessThanOrEqual(SHIFT_MAX);
  },
);

test.each(isLongForm ? ['/login', '/status/of-all-pages'] : ['/login'])(
  '%s has the font of the dashboard with tabular figures, from a file that browsers cache',
  async (path) => {
    const { page, close } = await dashboard.visit({ isApart: true });
    const loaded = page.waitForResponse(/\/assets\/inter-latin-wght-normal-[\w-]+\.woff2$/);
    await page.goto(dashboard.url + path);
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
    await close();
  },
);

test('a large screen is used in full without horizontal scrolling', async () => {
  const large = await dashboard.visit({ viewport: LARGE });
  const main = large.page.getByRole('main');
  const rightEdge = async (): Promise<number> => {
    const { x = 0, width = 0 } = (await main.boundingBox()) ?? {};
    return x + width;
  };
  const paths = ['/', '/checks', `/monitors/${idOf('broken')}`, '/incidents'];
  for (const path of isLongForm ? paths : paths.slice(1, 3)) {
    await follow(dashboard, large, path);
    await eventually(rightEdge).toBe(LARGE.width);
    await eventually(() => isTooWide(large.page)).toBe(false);
  }
  await large.close();
});

test('the tabs of a monitor fit on a phone, and on a narrower screen the selected tab is shown in full', async () => {
  const path = `/monitors/${idOf('monitor')}`;
  for (const [width, url] of [
    [NARROW.width, path],
    [320, `${path}?tab=configuration`],
  ] as const) {
    const phone = await dashboard.visit({ viewport: { ...NARROW, width } });
    const last = phone.page.getByRole('tab', { name: 'Configuration' });
    await load(dashboard, phone, url);
    await eventually(async () => {
      const { x = 0, width: own = 0 } = (await last.boundingBox()) ?? {};
      return own > 0 && x >= 0 && x + own <= width;
    }).toBe(true);
    await phone.close();
  }
});

test("a scenario's figures count runs, and a monitor's figures count checks", async () => {
  for (const [path, counted, other] of [
    [`/scenarios/${idOf('scenario')}`, /\d runs?\b/, /\d checks?\b/],
    [`/monitors/${idOf('monitor')}`, /\d checks?\b/, /\d runs?\b/],
  ] as const) {
    const page = await open(path);
    await page.getByText(counted).first().waitFor();
    await page.getByRole('radiogroup', { name: 'Window' }).waitFor();
    await settled({ page });
    expect(await page.getByRole('main').innerText()).not.toMatch(other);
  }
});

if (isLongForm)
  test('a viewer sees no button for an action that the service would refuse', async () => {
    const viewer = await dashboard.visitAs('viewer');
    const { page } = viewer;
    const names = /^(New |Create|Edit|Delete|Pause|Check now|Run now|Duplicate)/;
    for (const path of [
      '/monitors',
      `/monitors/${idOf('monitor')}`,
      `/scenarios/${idOf('scenario')}`,
    ]) {
      await follow(dashboard, viewer, path);
      await eventually(() => page.getByRole('button', { name: names }).count()).toBe(0);
      await eventually(() => page.getByRole('link', { name: names }).count()).toBe(0);
    }
    await follow(dashboard, viewer, '/settings/secrets');
    await page.getByRole('link', { name: 'Members' }).waitFor();
    await eventually(() => page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    await expectNoFaults(viewer);
    await viewer.close();
  });
