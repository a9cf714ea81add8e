/**
 * Tests incidents, maintenance and the login in a real browser. A failure appears live, is acknowledged and gets a
 * note. Maintenance is planned, started and ended.
 */
import type { Locator } from 'playwright-core';
import { z } from 'zod';
import { buildAcknowledgeUrl } from '../../../src/notify/acknowledge-link';
import { urlOfNobody } from '../../support/loopback-server';
import { isLongForm } from '../../support/test-size';
import { axeViolations, expectNoFaults, NARROW } from '../support/browser';
import {
  type Dashboard,
  follow,
  load,
  settled,
  suiteDashboard,
  visitorOfSuite,
} from '../support/dashboard';
import { eventually } from '../support/eventually';
import { expectReadable } from '../support/looks';

const HOSTILE = '<script>alert(1)</script>';
const ANY = z.looseObject({ id: z.string() });

let channelId = '';
let monitorId = '';

const dashboard = suiteDashboard(async ({ api }) => {
  const hook = {
    name: 'On call',
    type: 'webhook',
    url: 'http://127.0.0.1:2/hook',
    isDefault: true,
  };
  const create = { method: 'POST', path: '/v1/alert-channels', body: hook };
  channelId = (await api.call(create, { status: 201, shape: ANY })).id;
  monitorId = await api.createMonitor({ name: HOSTILE, url: await urlOfNobody() });
  const edit = { method: 'PATCH', path: `/v1/monitors/${monitorId}`, body: { tags: ['edited'] } };
  await api.call(edit, { status: 200, shape: ANY });
});
const owner = visitorOfSuite(dashboard);

/** Presses a button of the open dialog. */
async function press(name: string): Promise<void> {
  await owner.page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
}

/** Expects that an element is visible on a phone without scrolling. */
async function expectOnFirstScreen(what: Locator): Promise<void> {
  await what.waitFor();
  const { y = 0, height = 0 } = (await what.boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(NARROW.height);
}

/** Runs a check of the monitor, which fails, and sends the alert. */
async function fail({ service, accountId, probe, api }: Dashboard): Promise<void> {
  await probe.check(monitorId);
  const path = `/v1/incidents?resourceId=${monitorId}`;
  const shape = z.object({ data: z.array(ANY).length(1) });
  const { data } = await api.call({ method: 'GET', path }, { status: 200, shape });
  const atMs = service.clock.nowMs;
  await service.services.stores.alerts.save(accountId, {
    id: service.services.newId('alert'),
    accountId,
    kind: 'failure',
    status: 'sent',
    resourceId: monitorId,
    incidentId: data[0]?.id ?? null,
    certificate: null,
    channelId,
    channelType: 'webhook',
    recipient: 'http://127.0.0.1:2/***',
    attempts: [{ atMs, outcome: 'sent', detail: 'Receiver response: 200.' }],
    sequence: 1,
    createdAtMs: atMs,
    sentAtMs: atMs,
    pending: null,
  });
}

test('the login page names the product, focuses its first field and shows the password on request', async () => {
  const visitor = await dashboard.visitAsStranger();
  await visitor.page.goto(`${dashboard.url}/login`);
  await visitor.page.getByText('Keepwatch', { exact: true }).waitFor();
  await visitor.page.keyboard.type('owner@example.com');
  await eventually(() => visitor.page.getByLabel('Email').inputValue()).toBe('owner@example.com');
  const password = visitor.page.getByLabel(/^Password/);
  await password.fill('a-long-password-for-tests');
  await visitor.page.getByRole('checkbox', { name: 'Show password' }).check();
  await eventually(() => password.getAttribute('type')).toBe('text');
  if (isLongForm) await expectReadable(visitor);
  await password.press('Enter');
  await visitor.page.waitForURL(({ pathname }) => pathname !== '/login');
  await expectNoFaults(visitor);
  await visitor.close();
});

test('a link to incidents with an unknown state or period shows all incidents', async () => {
  const page = await follow(dashboard, owner, '/incidents?state=all&period=year');
  await page.getByText('No incidents').waitFor();
  await eventually(() => page.getByRole('radio', { name: 'All' }).isChecked()).toBe(true);
  await expectNoFaults(owner);
});

test('an incident appears without a reload, can be acknowledged and gets a note', async () => {
  const page = await follow(dashboard, owner, '/incidents');
  await page.getByText('No incidents').waitFor();
  await fail(dashboard);
  const link = page.getByRole('link', { name: HOSTILE });
  await link.waitFor();
  await page.getByText('Resolved', { exact: true }).click();
  await page.waitForURL(/state=resolved/);
  await page.getByRole('button', { name: 'Show all incidents' }).click();
  await link.click();

  await page.getByRole('heading', { name: HOSTILE, level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByText('by owner@example.com', { exact: true }).waitFor();
  const acknowledge = page.getByRole('button', { name: 'Acknowledge', exact: true });
  await eventually(() => acknowledge.count()).toBe(0);
  await page.getByRole('textbox', { name: 'Add a note' }).fill('The **cable** was out.');
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.getByText('The cable was out.').waitFor();
  await page.getByRole('heading', { name: 'What changed' }).waitFor();
  await page.getByText(/^Edited .* by /).waitFor();
  await page.getByText('No earlier result from this region passed.').waitFor();
  await page.getByRole('heading', { name: 'By region' }).waitFor();
  await page.getByText(/^Failure · On call · /).waitFor();
  await page.getByText(/^On call was notified at \d\d:\d\d:\d\d, because /).waitFor();
  await page
    .getByText(/127\.0\.0\.1:\d+/)
    .first()
    .waitFor();
  await settled({ page });
  expect(await page.getByRole('figure').count()).toBe(0);
  await page.getByRole('button', { name: 'Snooze 1 h' }).click();
  await page.getByText(/^until .* by owner@example\.com$/).waitFor();
  await page.getByRole('button', { name: 'End snooze' }).click();
  await page.getByRole('button', { name: 'Snooze…' }).click();
  await page
    .getByRole('dialog')
    .getByRole('textbox', { name: 'Reason' })
    .fill('Provider works on it');
  expect(await axeViolations(page, '[role=dialog]')).toEqual([]);
  await press('Snooze');
  await page
    .getByText(/Provider works on it/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'End snooze' }).click();
  await page.getByText('Alerts resumed').waitFor();
  await expectReadable(owner, { inBothSchemes: true });

  await follow(dashboard, owner, '/incidents?period=24h');
  await page.getByText(/^1 incident, total downtime /).waitFor();
  const filter = page.getByRole('combobox', { name: 'Monitor or scenario' });
  const asked = page.waitForRequest(/\/v1\/monitors\?.*q=alert/);
  await filter.fill('alert');
  await asked;
  await page.getByRole('option', { name: HOSTILE }).click();
  await page.waitForURL(/resourceId=mon_/);
  await link.waitFor();
  await page.reload();
  await link.waitFor();
  await eventually(() => filter.inputValue()).toBe(HOSTILE);
});

test('the page of an incident is short, and the explanation and the first failing result unfold by keyboard and for print', async () => {
  const { page } = owner;
  const { api } = dashboard;
  const path = `/v1/incidents?resourceId=${monitorId}`;
  const shape = z.object({ data: z.array(ANY).length(1) });
  const { data } = await api.call({ method: 'GET', path }, { status: 200, shape });
  await follow(dashboard, owner, `/incidents/${data[0]?.id}`);
  const steps = page.locator('summary', { hasText: /^Show (1 step|all \d+ steps)$/ });
  const step = page.getByRole('listitem').filter({ hasText: /^Failed in / });
  const result = page.locator('summary', { hasText: /^First failing result.* UTC · / });
  const evidence = page
    .getByRole('heading', { name: 'Timing' })
    .or(page.getByText('Assertion failed'));
  await steps.waitFor();
  await result.waitFor();
  expect([await step.isVisible(), await evidence.first().isVisible()]).toEqual([false, false]);
  await steps.press('Enter');
  await step.waitFor();
  await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
  await eventually(() => page.locator('main details:not([open])').count()).toBe(0);
  await page.evaluate("window.dispatchEvent(new Event('afterprint'))");
  await eventually(() => result.locator('xpath=..').getAttribute('open')).toBe(null);
  await step.waitFor();
  // The day is shown once above its entries, which show only the time of day.
  const timeline = page.getByRole('main').locator('ol').first();
  await eventually(() => timeline.getByRole('time').first().innerText()).toMatch(
    /^\d\d:\d\d:\d\d$/,
  );
});

test("on a phone, the page behind an alert's link starts with the incident's evidence and actions", async () => {
  const { api } = dashboard;
  const path = `/v1/incidents?resourceId=${monitorId}`;
  const shape = z.object({ data: z.array(ANY).length(1) });
  const { data } = await api.call({ method: 'GET', path }, { status: 200, shape });
  const visitor = await dashboard.visit({ viewport: NARROW });
  const page = await load(dashboard, visitor, `/incidents/${data[0]?.id}`);
  const main = page.getByRole('main');
  await expectOnFirstScreen(main.getByText(/127\.0\.0\.1:\d+/).first());
  await expectOnFirstScreen(main.getByRole('button', { name: 'Snooze 1 h' }));
  await main
    .getByRole('link', { name: /result/i })
    .first()
    .click();
  await page.getByRole('heading', { name: /^Result of / }).waitFor();
  await expectNoFaults(visitor);
  await visitor.close();
});

test("the page behind an alert's link shows the incident, and people can acknowledge the incident there without a login", async () => {
  const { service, accountId, api } = dashboard;
  const path = `/v1/incidents?resourceId=${monitorId}`;
  const shape = z.object({ data: z.array(ANY).length(1) });
  const { data } = await api.call({ method: 'GET', path }, { status: 200, shape });
  const alert = {
    kind: 'failure',
    health: 'down',
    accountId,
    incidentId: data[0]?.id ?? null,
  } as const;
  const link = { alert, by: 'ann@example.com', id: 'alr_1' };
  const visitor = await dashboard.visitAsStranger();
  await visitor.page.goto(
    buildAcknowledgeUrl(service.services.sealers.stored, dashboard.url, link) ?? '',
  );
  await expectReadable(visitor);
  // On a phone, the first tap opens the link in the email. The second tap acknowledges the incident.
  await visitor.page.setViewportSize(NARROW);
  await expectOnFirstScreen(visitor.page.getByText(/^GET http:\/\/127\.0\.0\.1:\d+/));
  const acknowledge = visitor.page.getByRole('button', { name: 'Acknowledge as ann@example.com' });
  await expectOnFirstScreen(acknowledge);
  await acknowledge.click();
  await visitor.page.getByRole('heading', { name: 'Acknowledged' }).waitFor();
  if (isLongForm) await expectReadable(visitor);
  await expectNoFaults(visitor);
  await visitor.close();
});

if (isLongForm)
  test('an invalid recurrence rule is refused at its field, and for a valid rule the form shows times in two time zones', async () => {
    const page = await follow(dashboard, owner, '/maintenance');
    await page.getByRole('button', { name: 'Schedule maintenance' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('First Sunday');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Asia/Tok');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await page.getByRole('combobox', { name: 'Repeats' }).click();
    await page.getByRole('option', { name: 'Custom (RRULE' }).click();
    const rule = page.getByRole('textbox', { name: /Recurrence rule/ });
    await rule.fill('FREQ=SOMETIMES');
    await page.getByRole('radio', { name: 'Selected checks' }).check();
    await page.getByRole('combobox', { name: 'Monitors and scenarios' }).fill('alert');
    await page.getByRole('option', { name: HOSTILE }).click();
    await page.getByRole('combobox', { name: 'Tags' }).click();
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true });
    const isOnScreen = async (): Promise<boolean> => {
      const { y = 0, height = 0 } = (await save.boundingBox()) ?? {};
      return y + height < (page.viewportSize()?.height ?? 0);
    };
    await eventually(isOnScreen).toBe(true);
    expect(await axeViolations(page, '[role=dialog]')).toEqual([]);
    await press('Save');
    await page
      .getByText(/FREQ must be one of/)
      .first()
      .waitFor();
    await rule.fill('FREQ=MONTHLY;BYDAY=1SU');
    await press('Save');

    const table = page.getByRole('region', { name: 'Next occurrence of First Sunday' });
    await table.waitFor();
    await table.getByText('Asia/Tokyo').waitFor();
    await eventually(() => table.getByRole('row').count()).toBe(2);
    await page.getByText('4 more').click();
    const later = page.getByRole('region', { name: 'Later occurrences of First Sunday' });
    await eventually(() => later.getByRole('row').count()).toBe(5);

    await page.getByRole('button', { name: 'Edit First Sunday' }).click();
    await page.getByText(HOSTILE).first().waitFor();
    await eventually(() => rule.inputValue()).toBe('FREQ=MONTHLY;BYDAY=1SU');
    await page.getByRole('textbox', { name: 'Name' }).fill('Sundays');
    await press('Save');
    await page.getByRole('button', { name: 'Delete Sundays' }).click();
    await press('Delete');
    await page.getByText('No maintenance scheduled').waitFor();
  });

test('maintenance starts at once when its checks are chosen, shows what it covers, and ends early on the page of a check', async () => {
  const page = await follow(dashboard, owner, '/maintenance');
  await page.getByRole('button', { name: 'Start now' }).click();
  await press('Start maintenance');
  await page.getByText('Choose what is affected.').waitFor();
  await page.getByRole('radio', { name: 'Everything' }).check();
  await page.getByText(/^Covers (?:all \d+ checks|the only check)$/).waitFor();
  await press('Start maintenance');
  await page.getByText('In progress').waitFor();
  await page.getByText(/for 30 min/).waitFor();
  await page.getByRole('button', { name: 'End now: Maintenance' }).waitFor();
  await page.goto(`${dashboard.url}/monitors/${monitorId}`);
  const strip = page.getByRole('status').filter({ hasText: /^In maintenance until / });
  await strip.getByText('Maintenance · Checks continue, no alerts').waitFor();
  await strip.getByRole('button', { name: 'End now' }).click();
  await strip.waitFor({ state: 'detached' });
  await page.goto(`${dashboard.url}/maintenance`);
  await page.getByText('No maintenance scheduled.').waitFor();
  const past = page.getByRole('list', { name: 'Past windows (1)' });
  expect(await past.isVisible()).toBe(false);
  await page.getByText('Past windows (1)').click();
  await past.getByText('Ended', { exact: true }).waitFor();
});
