/**
 * The way of somebody new without a mouse, in a real browser against the real service: set-up, a first monitor that is
 * tested before it is saved, where its alerts go, an outage from its first mail to its story, and a teammate.
 */
import type { Browser, Page } from 'playwright-core';
import {
  type HttpSink,
  type MailSink,
  startHttpSink,
  startMailSink,
} from '../../support/alert-sinks';
import {
  type LoopbackServer,
  startLoopbackServer,
  urlOfNobody,
} from '../../support/loopback-server';
import { startService, type TestService } from '../../support/service';
import { waitUntil } from '../../support/wait-until';
import { axeViolations, launchBrowser, NARROW, openPage } from '../support/browser';
import {
  choose,
  fillIn,
  focusedName,
  press,
  search,
  tabTo,
  untilFocused,
} from '../support/keyboard';

const SETUP_TOKEN = 'setup-token-of-a-test';
const LIVE_WITHIN_MS = 40_000;

let service: TestService;
let browser: Browser;
let target: LoopbackServer;
let mail: MailSink;
let chat: HttpSink;
let page: Page;
let faults: readonly string[];
let isBroken = false;

beforeAll(async () => {
  target = await startLoopbackServer((_request, response) => {
    response.writeHead(isBroken ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ status: isBroken ? 'broken' : 'ok', stock: { cups: 12 } }));
  });
  [mail, chat] = await Promise.all([startMailSink(), startHttpSink()]);
  [service, browser] = await Promise.all([
    startService({
      regions: ['eu-west'],
      environment: { SMTP_URL: mail.url, MAIL_FROM: 'keepwatch@example.com' },
    }),
    launchBrowser(),
  ]);
  ({ page, faults } = await openPage(browser, { viewport: { width: 1360, height: 900 } }));
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await Promise.all([mail, chat, target].map((one) => one?.close()));
});
afterEach(() => expect(faults).toEqual([]));

test('a link that is not right is said at the field, which has the focus', async () => {
  // Whoever opens the printed dashboard first is led to the set-up: nobody could sign in yet.
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
    /^Set-up token is not the one .*: open the link from its output or log again\.$/,
  );
  expect(await axeViolations(page)).toEqual([]);
});

test('the set-up ends at a heading, with the way to the dashboard next', async () => {
  await page.keyboard.type(SETUP_TOKEN);
  await page.keyboard.press('Enter');
  await untilFocused(page, /^Account created$/);
  await page.getByText(/kw_[0-9A-Za-z]{38}/).waitFor();
  await page.keyboard.press('Tab');
  expect(await focusedName(page)).toBe('Open the dashboard');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Create your first monitor' }).waitFor();
  await press(page, /^Create your first monitor$/);
});

test('a first monitor is tested with a wrong URL, then the right one, and named by it', async () => {
  await untilFocused(page, /^New monitor$/);
  // Pasted behind the scheme that stands there.
  await tabTo(page, /^URL/);
  await page.keyboard.press('End');
  await page.keyboard.insertText(await urlOfNobody());
  await press(page, /^Test now$/);
  await page.getByText('Connection refused', { exact: true }).waitFor();
  await untilFocused(page, /^Test now$/);
  await fillIn(page, /^URL/, 'not a url');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Fix 1 field to test').waitFor();
  expect(await page.getByText('Connection refused', { exact: true }).count()).toBe(0);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(`${target.url}/`);
  await page.keyboard.press('Control+Enter');
  await press(page, /^Pick \$\.stock\.cups$/);
  await page.getByRole('textbox', { name: 'JSON path of assertion 2' }).waitFor();
  await choose(page, /^Frequency/, 'every 10 seconds');
  await press(page, /^Alert me@example\.com$/);
  await page.getByText('Will be notified: me@example.com').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await press(page, /^Create monitor$/);
  await untilFocused(page, new RegExp(`^127\\.0\\.0\\.1:${target.port}$`));
  await page.getByText('Up', { exact: true }).first().waitFor({ timeout: LIVE_WITHIN_MS });
});

test('a chat and a mailbox are added and tested, and the keyboard goes on beside them', async () => {
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await untilFocused(page, /^Overview$/);
  await press(page, /^Set up alerts and send a test$/);
  await untilFocused(page, /^Alert channels$/);
  await press(page, /^Add channel$/);
  await untilFocused(page, /^Name/);
  // To whoever adds it, unless another address is given.
  await page.getByRole('dialog').getByText('me@example.com', { exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Send test to Email' }).waitFor();
  await untilFocused(page, /^Add channel$/);
  await press(page, /^Send test to Email$/);
  await page.getByText('Test sent').waitFor();
  await untilFocused(page, /^Send test to Email$/);
  await waitUntil('the test mail', () => mail.messages.length === 1);
  await press(page, /^Add channel$/);
  await untilFocused(page, /^Name/);
  await search(page, /^Type/, 'slack');
  await fillIn(page, /^Webhook URL/, `${chat.url}/chat`);
  await page.keyboard.press('Enter');
  await press(page, /^Send test to Slack$/);
  await waitUntil('the test in the chat', () => chat.events.length === 1);
});

test('an outage is seen, acknowledged with a note, and told to its end', async () => {
  isBroken = true;
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.getByText(/^1 of 1 check down/).waitFor({ timeout: LIVE_WITHIN_MS });
  // The mailbox is a recipient of the monitor and a default channel, too.
  const mailsToMe = () => mail.messages.filter(({ text }) => text.includes('is down')).length;
  await waitUntil('the mail', () => mailsToMe() >= 1, LIVE_WITHIN_MS);
  await waitUntil('the message in the chat', () => chat.events.length === 2, LIVE_WITHIN_MS);
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
  await page.getByText('Resolved', { exact: true }).first().waitFor({ timeout: LIVE_WITHIN_MS });
  await page.getByText('Up again.').waitFor();
  await page.getByRole('heading', { name: 'Why was I notified?' }).waitFor();
  await page.getByText('An alert was due.').waitFor();
  await page.getByText(/^The failure alert to Slack was sent/).waitFor();
});

test('a teammate is invited, joins on a phone, and learns what to do with a used invitation', async () => {
  await page.goto(`${service.url}/settings/members`);
  await page.getByRole('button', { name: 'Invite member' }).waitFor();
  await press(page, /^Invite member$/);
  await untilFocused(page, /^Email address/);
  await page.keyboard.type('new@example.com');
  await page.keyboard.press('Enter');
  await untilFocused(page, /^Invite member$/);
  const sent = await waitUntil('the invitation', () =>
    mail.messages.find(({ to }) => to === 'new@example.com'),
  );
  const token = /invitation#token=3D([\w-]+(?:=\r\n[\w-]+)*)/.exec(sent.text)?.[1] ?? '';
  const link = `${service.url}/invitation#token=${token.replaceAll('=\r\n', '')}`;
  const other = await openPage(browser, { viewport: NARROW, colorScheme: 'dark' });
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
  expect(other.faults).toEqual([]);
});
