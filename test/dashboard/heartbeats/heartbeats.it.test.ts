/**
 * Tests a heartbeat on the whole service. It is created, its ping URL is copied, and pings are sent over HTTP. Its page
 * is read before and after a failure.
 */
import { z } from 'zod';
import { isLongForm } from '../../support/test-size';
import { axeViolations } from '../support/browser';
import { follow, settled, visitorOfSuite } from '../support/dashboard';
import { eventually } from '../support/eventually';
import { expectReadable } from '../support/looks';
import { suiteSharedDashboard } from '../support/shared-dashboard';

const FAULT = 'disk is full: /backup <b>98 %</b>';

const dashboard = suiteSharedDashboard();
const visitor = visitorOfSuite(dashboard, { isApart: true });
/** The path of the heartbeat's page. */
let path = '';
let pingUrl = '';

beforeAll(() =>
  visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'], {
    origin: dashboard.url,
  }),
);
const open = (to: string) => follow(dashboard, visitor, to);

async function ping(signal: string, text?: string): Promise<void> {
  const body = text === undefined ? {} : { body: text };
  const answer = await fetch(`${pingUrl}${signal}`, { method: 'POST', ...body });
  expect(answer.status).toBe(200);
}

/** The width in which the text of the unit is visible, in pixels. */
const ROOM_OF_UNIT = `(() => {
  const unit = document.querySelector('select[aria-label="Unit of a ping every"]');
  const { paddingLeft, paddingRight } = getComputedStyle(unit);
  return unit.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
})()`;

test('the form of a new monitor creates a heartbeat, and one click copies its ping URL', async () => {
  const page = await open('/monitors/new');
  await page.getByText('Heartbeat (cron job)', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Nightly backup');
  await page.getByRole('textbox', { name: 'A ping every' }).fill('2');
  await page.getByRole('combobox', { name: 'Unit of a ping every' }).selectOption('hours');
  expect(await page.evaluate(ROOM_OF_UNIT)).toBeGreaterThan(40);
  await expectReadable(visitor);
  await page.getByRole('button', { name: 'Create heartbeat' }).click();
  await page.getByRole('heading', { name: 'Nightly backup', level: 1 }).waitFor();
  await page.getByText('Every 2 hours, 5 min grace · no ping yet').waitFor();
  await page.getByRole('heading', { name: 'Send the first ping' }).waitFor();
  await page.getByRole('button', { name: 'Copy Ping URL' }).click();
  await page.getByRole('button', { name: 'Ping URL copied' }).waitFor();
  pingUrl = String(await page.evaluate('navigator.clipboard.readText()'));
  path = new URL(page.url()).pathname;
  expect(new URL(pingUrl).pathname).toMatch(/^\/ping\/[\w-]{24}$/);
  await eventually(() => page.getByText(pingUrl).count()).toBe(2);
  if (isLongForm) await expectReadable(visitor);
});

if (isLongForm)
  test('before the first ping, the results tab explains what a result is', async () => {
    const page = await open(`${path}?tab=results`);
    await page.getByText('No results yet').waitFor();
    await page.getByText('Each ping that ends a run of the job is a result.').waitFor();
    await eventually(() => page.getByRole('button', { name: 'Check now' }).count()).toBe(0);
    await eventually(() => page.getByRole('combobox', { name: 'Region' }).count()).toBe(0);
  });

test('a ping appears on the open page of its heartbeat with its time and the next due time', async () => {
  const page = await open(path);
  await ping('');
  await page
    .getByText(/ · last ping (now|\d+ s ago) · next due in [12] h$/)
    .first()
    .waitFor();
  await page.getByText('Up', { exact: true }).first().waitFor();
  await eventually(() => page.getByRole('button', { name: 'Check now' }).count()).toBe(0);
});

test('a failure that the job reports takes the heartbeat down, and the incident shows its text', async () => {
  const page = await open(path);
  await ping('/fail', FAULT);
  const strip = page.getByRole('alert').filter({ hasText: /^Down for / });
  await strip.getByText(FAULT).waitFor();
  // After the first ping, the ping URL is in a disclosure below the failure.
  const how = page.getByText('How to ping', { exact: true });
  const top = async (of: typeof how) => (await of.boundingBox())?.y ?? 0;
  expect(await top(how)).toBeGreaterThan(await top(strip));
  await eventually(() => page.getByText('In a crontab', { exact: true }).isVisible()).toBe(false);
  await how.click();
  await page.getByText('In a crontab', { exact: true }).waitFor();
  await expectReadable(visitor);
  await strip.getByRole('link', { name: 'View incident' }).click();
  await page.getByRole('heading', { name: 'Nightly backup', level: 1 }).waitFor();
  await settled(visitor);
  await page.getByText(FAULT).first().waitFor();
  const reports = page.getByRole('region', { name: 'Reports of the job' });
  await reports.getByText('The job reported success.').waitFor();
  await reports.getByText(FAULT).waitFor();
  await page.getByText(/^Every 2 hours, 5 min grace/).waitFor();
  await page.getByText(/^Heartbeat: Nightly backup/).waitFor();
  await eventually(() => page.getByText('job_failed').count()).toBe(0);
  await eventually(() => page.getByRole('figure', { name: /response time/ }).count()).toBe(0);
  if (isLongForm) await expectReadable(visitor);
});

test("a failed result shows the job's exit code and output, but no request", async () => {
  await ping('/7', `${FAULT}\nsecond line`);
  const page = await open(`${path}?tab=results`);
  // The four rows are the header and three results.
  await eventually(() => page.getByRole('row').count()).toBe(4);
  await eventually(() => page.getByRole('columnheader', { name: 'Region' }).count()).toBe(0);
  await page
    .getByRole('button', { name: /^Open the result/ })
    .first()
    .click();
  const drawer = page.getByRole('dialog');
  await drawer.getByText('Exit code 7', { exact: true }).waitFor();
  await drawer.getByText('second line').last().waitFor();
  for (const word of ['Request', 'Response', 'Assertions'])
    await eventually(() => drawer.getByRole('heading', { name: word }).count()).toBe(0);
  expect(await axeViolations(page, '[role=dialog]')).toEqual([]);
  await drawer.getByRole('link', { name: 'Open result' }).click();
  await page.getByRole('heading', { name: 'Evidence' }).waitFor();
  expect((await page.reload())?.status()).toBe(200);
  await page.getByText('Exit code 7', { exact: true }).waitFor();
  await eventually(() => page.getByText('Diff with last passing').count()).toBe(0);
  if (isLongForm) await expectReadable(visitor);
});

if (isLongForm)
  test('the row and the peek panel of a heartbeat describe its schedule and offer no "check now"', async () => {
    const page = await open('/checks');
    const row = page.locator('[data-row]').filter({ hasText: 'Nightly backup' });
    await row.getByText(/^Down for .*disk is full/).waitFor();
    const listed = await dashboard.api.call(
      { method: 'GET', path: '/v1/checks' },
      { status: 200, shape: z.object({ data: z.array(z.looseObject({})) }) },
    );
    expect(listed.data).toMatchObject([{ regions: [] }]);
    if (isLongForm) await expectReadable(visitor);
    await row.getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
    await eventually(() => page.getByRole('menuitem', { name: 'Check now' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await ping('');
    await row.getByText('Heartbeat', { exact: true }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    const peek = page.getByRole('dialog', { name: 'Peek' });
    await peek.getByText(/^Heartbeat, expected every 2 hours, last/).waitFor();
    expect(await axeViolations(page, '[role=dialog]')).toEqual([]);
    await page.keyboard.press('Escape');
  });

test('the page of a heartbeat that is up shows the last failure and the reports of the job', async () => {
  await ping('');
  const page = await open(path);
  await page.getByText(/^Last failure (now|\d+ s ago): ./).waitFor();
  const reports = page.getByRole('region', { name: 'Reports of the job' });
  await reports.getByText('The job reported success.').first().waitFor();
  await reports.getByText(FAULT).first().waitFor();
  await expectReadable(visitor);
  await reports.getByRole('link', { name: 'All results' }).click();
  await page.waitForURL(/tab=results/);
});

test('the page of a resolved incident shows the reports of the job, but not when its next ping is due', async () => {
  const list = { method: 'GET', path: '/v1/incidents?state=resolved&limit=1' };
  const shape = z.object({ data: z.array(z.object({ id: z.string() })).length(1) });
  const { data } = await dashboard.api.call(list, { status: 200, shape });
  const page = await open(`/incidents/${data[0]?.id}`);
  const reports = page.getByRole('region', { name: 'Reports of the job' });
  await reports.getByText(FAULT).first().waitFor();
  expect(await page.getByText(/next due/).count()).toBe(0);
});

test('the form of a heartbeat sets tags, a cron schedule, the early limit and failure texts', async () => {
  const page = await open(`${path}/edit`);
  await page.getByText('Cron', { exact: true }).click();
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await zone.fill('new york');
  await page.getByRole('option', { name: 'America/New_York' }).click();
  await page.getByRole('textbox', { name: 'Early' }).fill('30');
  await page.getByRole('combobox', { name: 'Unit of early' }).selectOption('seconds');
  await page.getByRole('combobox', { name: 'Tags' }).fill('nightly');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add text' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Fix 1 field to continue').waitFor();
  await page.getByRole('textbox', { name: 'Text 1 of a failure' }).fill('ERROR');
  if (isLongForm) await expectReadable(visitor);
  await page.getByText('YAML', { exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Heartbeat as YAML' });
  await editor.getByText('contains: ERROR').waitFor();
  await page.getByText('Form', { exact: true }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Nightly backup', level: 1, exact: true }).waitFor();
  const saved = await dashboard.api.call(
    { method: 'GET', path: `/v1${path}` },
    { status: 200, shape: z.looseObject({}) },
  );
  expect(saved).toMatchObject({
    earlySeconds: 30,
    graceSeconds: 300,
    tags: ['nightly'],
    failOn: [{ contains: 'ERROR' }],
    schedule: { cron: '0 2 * * *', timeZone: 'America/New_York' },
  });
});

test('the list of monitors marks a heartbeat that is flapping', async () => {
  // The fourth change begins the flapping. A ping URL accepts only five pings a second.
  for (const signal of ['/1', '', '/1', '']) await ping(signal);
  const page = await open('/monitors');
  const row = page.getByRole('row').filter({ hasText: 'Nightly backup' });
  await row.getByText('Flapping', { exact: true }).waitFor();
});
