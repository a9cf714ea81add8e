/**
 * The way of somebody new, in a real browser against the real service: set-up, a first monitor with a
 * test before saving, live bars, an outage with its incident and mail, and the repair.
 */
import type { Browser } from 'playwright-core';
import { type MailSink, startMailSink } from '../../support/alert-sinks';
import { type LoopbackServer, startLoopbackServer } from '../../support/loopback-server';
import { startService, type TestService } from '../../support/service';
import { waitUntil } from '../../support/wait-until';
import { axeViolations, launchBrowser, openPage, type Watched } from '../support/browser';

const SETUP_TOKEN = 'setup-token-of-a-test';
const LIVE_WITHIN_MS = 40_000;

let service: TestService;
let browser: Browser;
let target: LoopbackServer;
let mail: MailSink;
let visitor: Watched;
let isBroken = false;

beforeAll(async () => {
  target = await startLoopbackServer((_request, response) => {
    response.writeHead(isBroken ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: isBroken ? 'broken' : 'ok', stock: { cups: 12 } }));
  });
  mail = await startMailSink();
  [service, browser] = await Promise.all([
    startService({
      regions: ['eu-west'],
      environment: { SMTP_URL: mail.url, MAIL_FROM: 'keepwatch@example.com' },
    }),
    launchBrowser(),
  ]);
  visitor = await openPage(browser);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await mail?.close();
  await target?.close();
});

test('somebody new gets from the printed link to a watched page, an alert and its end', async () => {
  const { page, faults } = visitor;
  // Whoever opens the printed dashboard first is led to the set-up: nobody could sign in yet.
  await page.goto(`${service.url}/login`);
  await page.getByRole('heading', { name: 'Set up Keepwatch' }).waitFor();
  await page.getByLabel(/^Set-up token/).waitFor();
  await page.goto('about:blank');
  await page.goto(`${service.url}/setup#token=${SETUP_TOKEN}`);
  await page.getByLabel(/^Set-up token/).waitFor({ state: 'hidden' });
  await page.getByLabel('Account name').fill('Shop');
  await page.getByLabel('Email').fill('me@example.com');
  await page.getByLabel(/^Password/).fill('a-long-password-of-mine');
  await page.getByRole('button').click();
  await page.getByText(/kw_[0-9A-Za-z]{38}/).waitFor();
  await page.getByRole('link', { name: 'Open the dashboard' }).click();

  await page.getByRole('link', { name: 'Create your first monitor' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop front');
  const { port } = target;
  await page.getByRole('textbox', { name: 'URL' }).fill(`http://127.0.0.1:${port}/`);
  await page.getByRole('combobox', { name: 'Frequency' }).click();
  await page.getByRole('option', { name: 'every 10 seconds' }).click();
  const emails = page.getByRole('combobox', { name: 'Email addresses' });
  await emails.fill('oncall@example.com');
  await emails.press('Enter');

  await page.getByRole('button', { name: 'Test now' }).click();
  await page.getByRole('button', { name: 'Pick $.stock.cups' }).click();
  await page.getByRole('textbox', { name: 'JSON path of assertion 2' }).waitFor();
  expect(
    await page.getByRole('textbox', { name: 'Expected value of assertion 2' }).inputValue(),
  ).toBe('12');
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create monitor' }).click();

  await page.getByRole('heading', { name: 'Shop front', level: 1 }).waitFor();
  await page.getByText('Up', { exact: true }).first().waitFor({ timeout: LIVE_WITHIN_MS });
  await page.getByText('Live', { exact: true }).waitFor();

  isBroken = true;
  await page.getByText('Down', { exact: true }).first().waitFor({ timeout: LIVE_WITHIN_MS });
  await waitUntil('the mail', async () => mail.messages.length === 1, LIVE_WITHIN_MS);
  expect(mail.messages[0]?.to).toBe('oncall@example.com');
  await page.getByRole('link', { name: 'Incidents' }).first().click();
  await page
    .getByRole('link', { name: /Shop front/ })
    .first()
    .click();
  await page.getByText(/503/).first().waitFor();
  await waitUntil('the count in the tab', async () => (await page.title()).startsWith('(1)'));

  isBroken = false;
  await page.getByText('Resolved', { exact: true }).first().waitFor({ timeout: LIVE_WITHIN_MS });
  await waitUntil('the second mail', async () => mail.messages.length === 2, LIVE_WITHIN_MS);
  expect(faults).toEqual([]);
}, 240_000);
