/**
 * Tests the first hour of a new user without a mouse. It covers the set-up, a first monitor that is tested before it is
 * saved, its alert channels, an outage from its first email to its timeline, and a teammate.
 */
import type { Page } from 'playwright-core';
import { openTestService, SETUP_TOKEN } from '../../api/test-service';
import { startHttpSink } from '../../support/alert-sinks';
import { fromHook } from '../../support/from-hook';
import { startLoopbackServer, urlOfNobody } from '../../support/loopback-server';
import { connectBrowser } from '../../support/shared-browser';
import { waitUntil } from '../../support/wait-until';
import { axeViolations, expectNoFaults, NARROW, openPage } from '../support/browser';
import { load, visitorOfSuite } from '../support/dashboard';
import { eventually } from '../support/eventually';
import {
  choose,
  fillIn,
  focusedName,
  press,
  search,
  tabTo,
  untilFocused,
} from '../support/keyboard';
import { suiteSharedDashboard } from '../support/shared-dashboard';

const VIEWPORT = { width: 1360, height: 900 };

test('the set-up explains a wrong token at its field', async () => {
  const service = await openTestService({}, { isForBrowsers: true });
  const browser = await connectBrowser();
  const visitor = await openPage(browser, { viewport: VIEWPORT });
  const { page } = visitor;
  // No one can log in yet, so the printed URL of the dashboard leads to the set-up.
  await page.goto(`${service.url}/login`);
  await page.getByRole('heading', { name: 'Set up Keepwatch' }).waitFor();
  await page.goto('about:blank');
  await page.goto(`${service.url}/setup#token=wrong`);
  await untilFocused(page, /^Account name/);
  await page.keyboard.type('Shop');
  await fillIn(page, /^Email/, 'me@example.com');
  await fillIn(page, /^Password/, 'a-long-password-of-mine');
  await page.keyboard.press('Enter');
  await untilFocused(page, /^Set-up token/);
  const said = await page.getByRole('alert').innerText();
  expect(said).toMatch(
    /^Set-up token is not the token .*\. Open the link from its output or log again\.$/,
  );
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.type(SETUP_TOKEN);
  await page.keyboard.press('Enter');
  await untilFocused(page, /^Account created$/);
  await page.getByText(/kw_[0-9A-Za-z]{38}/).waitFor();
  await page.keyboard.press('Tab');
  await eventually(() => focusedName(page)).toBe('Open the dashboard');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Create your first monitor' }).waitFor();
  await expectNoFaults(visitor);
  await browser.close();
  await service.close();
});

let isBroken = false;
const target = fromHook(beforeAll, () =>
  startLoopbackServer((_request, response) => {
    response.writeHead(isBroken ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: isBroken ? 'broken' : 'ok', stock: { cups: 12 } }));
  }),
);
const chat = fromHook(beforeAll, startHttpSink);
afterAll(() => Promise.all([chat.close(), target.close()]));
const dashboard = suiteSharedDashboard();
const visitor = visitorOfSuite(dashboard, { viewport: VIEWPORT });
let page: Page;
beforeAll(() => {
  ({ page } = visitor);
});
const named = (before: string): RegExp =>
  new RegExp(`^${before}${dashboard.email.replaceAll('.', String.raw`\.`)}$`);

test('a first monitor can be tested with a wrong URL and then with the right one', async () => {
  await load(dashboard, visitor, '/');
  await press(page, /^Create your first monitor$/);
  await untilFocused(page, /^New monitor$/);
  // Pastes the URL after the scheme that the field already contains.
  await tabTo(page, /^URL/);
  await page.keyboard.press('End');
  await page.keyboard.insertText(await urlOfNobody());
  await press(page, /^Test now$/);
  await page.getByText('Connection refused', { exact: true }).waitFor();
  await untilFocused(page, /^Test now$/);
  await fillIn(page, /^URL/, 'not a url');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Fix 1 field to test').waitFor();
  const refused = page.getByText('Connection refused', { exact: true });
  await eventually(() => refused.count()).toBe(0);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(`${target.url}/`);
  await page.keyboard.press('Control+Enter');
  await press(page, /^Pick \$\.stock\.cups$/);
  await page.getByRole('textbox', { name: 'JSON path of assertion 2' }).waitFor();
  await choose(page, /^Interval/, 'Every 10 seconds');
  await press(page, named('Alert '));
  await page.getByText(`Will be notified: ${dashboard.email}`).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await press(page, /^Create monitor$/);
  await untilFocused(page, new RegExp(`^127\\.0\\.0\\.1:${target.port}$`));
  await page.getByText('Up', { exact: true }).first().waitFor();
});

test('a chat and an email channel can be added and tested without losing the focus', async () => {
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await untilFocused(page, /^Overview$/);
  await press(page, /^Set up alerts and send a test$/);
  await untilFocused(page, /^Alert channels$/);
  await press(page, /^Add channel$/);
  await untilFocused(page, /^Name/);
  // By default, the emails go to the person who adds the channel.
  await page.getByRole('dialog').getByText(dashboard.email, { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Send test to Email' }).waitFor();
  await untilFocused(page, /^Add channel$/);
  await press(page, /^Send test to Email$/);
  await page.getByText('Test sent').waitFor();
  await untilFocused(page, /^Send test to Email$/);
  await eventually(async () => (await dashboard.mailsTo(dashboard.email)).length).toBe(1);
  await press(page, /^Add channel$/);
  await untilFocused(page, /^Name/);
  await search(page, /^Type/, 'slack');
  // Only the first channel becomes a default automatically, so the box must be ticked for this channel.
  await press(page, /^Use by default/, 'Space');
  await page.getByRole('checkbox', { name: 'Use by default', checked: true }).waitFor();
  await fillIn(page, /^Webhook URL/, `${chat.url}/chat`);
  await page.keyboard.press('Enter');
  await press(page, /^Send test to Slack$/);
  await waitUntil('the test in the chat', () => chat.events.length === 1);
});

test('an outage is acknowledged with a note, and its timeline ends with the recovery', async () => {
  isBroken = true;
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.getByText(/^1 of 1 check is down/).waitFor();
  // The email channel gets the alert, because it is a default channel and a recipient of the monitor.
  await waitUntil('the mail', async () =>
    (await dashboard.mailsTo(dashboard.email)).some((text) => text.includes('Down: ')),
  );
  await waitUntil('the message in the chat', () => chat.events.length === 2);
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await untilFocused(page, /^Incidents$/);
  await press(page, /^127\.0\.0\.1/);
  await untilFocused(page, /^127\.0\.0\.1/);
  await press(page, /^Acknowledge$/);
  await untilFocused(page, /^Undo acknowledgement$/);
  await fillIn(page, /^Add a note/, 'Restarting the shop');
  await press(page, /^Add note$/);
  await page.getByText('Note added.').waitFor();
  await untilFocused(page, /^Add a note/);
  isBroken = false;
  await page.getByText('Resolved', { exact: true }).first().waitFor();
  await page.getByText('Up again.').waitFor();
  await page.getByRole('heading', { name: 'Why was I notified?' }).waitFor();
  // Recipients that were notified in the same second share a clause, for example `Slack and Email were notified at`.
  await page.getByText(/^.*Slack.* at .*, because both regions failed\.$/).waitFor();
  await page.locator('summary', { hasText: /^Show all / }).press('Enter');
  await page.getByText(/^The failure alert to Slack was sent/).waitFor();
});

test('a teammate can be invited, join on a phone, and learn what to do with a used invitation', async () => {
  const email = dashboard.email.replace('owner', 'new');
  await load(dashboard, visitor, '/settings/members');
  await page.getByRole('button', { name: 'Invite member' }).waitFor();
  await press(page, /^Invite member$/);
  await untilFocused(page, /^Email address/);
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await untilFocused(page, /^Invite member$/);
  const sent = await waitUntil('the invitation', async () => (await dashboard.mailsTo(email))[0]);
  const token = /invitation#token=3D([\w-]+(?:=\r\n[\w-]+)*)/.exec(sent)?.[1] ?? '';
  const link = `${dashboard.url}/invitation#token=${token.replaceAll('=\r\n', '')}`;
  const other = await dashboard.visitAsStranger({ viewport: NARROW, colorScheme: 'dark' });
  await other.page.goto(link);
  await untilFocused(other.page, /^Password/);
  await other.page.keyboard.type('a-password-of-theirs');
  await other.page.keyboard.press('Enter');
  await other.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await other.page.goto('about:blank');
  await other.page.goto(link);
  await untilFocused(other.page, /^Password/);
  await other.page.keyboard.type('a-password-of-theirs');
  await other.page.keyboard.press('Enter');
  await other.page.getByText(/accepted already\. Sign in, or ask for a new one\.$/).waitFor();
  await press(other.page, /^Sign in instead$/);
  await other.page.waitForURL('**/login');
  await untilFocused(other.page, /^Email/);
  await expectNoFaults(other);
  await other.close();
});
