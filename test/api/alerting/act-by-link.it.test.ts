/**
 * Tests the link in an alert. The link lets a person see, acknowledge and snooze the incident, over /v1 and on a page.
 *
 * Covers:
 * - api/pages/acknowledge-page
 * - services/alerting/acknowledge-by-link
 * - services/evidence/incident-evidence
 */
import request from 'supertest';
import type { StepOutcome } from '../../../src/contracts/outcome';
import { buildAcknowledgeUrl } from '../../../src/notify/acknowledge-link';
import { monitorRecord, passingOutcome } from '../../models/example-records';
import { arranged } from '../arranged';
import { accountOfSuite, agentOf, suiteService } from '../test-service';

const HOUR_MS = 3_600_000;
const email = 'ann@example.com';
const PASSED = passingOutcome();
const FAILED: StepOutcome = {
  ...PASSED,
  status: 'down',
  response: PASSED.response && {
    ...PASSED.response,
    status: 500,
    bodyPreview: '{"error": "<db>"}',
  },
};

const service = suiteService();
const account = accountOfSuite(service);
const as = agentOf(service, account);
let open: string;
let closed: string;

/** Stores an incident that was closed an hour after it opened, or that is still open. */
async function settleIncident(openedAtMs: number, isOver: boolean): Promise<string> {
  const target = {
    name: 'Shop <b>',
    url: 'http://example.com',
    runbookUrl: 'https://wiki.example.com/shop?a=1&b=2',
    note: 'Fail over <first>.',
  };
  const monitorId = (await arranged(as().post('/v1/monitors').send(target))).id;
  const id = service.services.newId('incident');
  const cause = { code: 'assertion_failed', message: 'Expected status 2xx, got 500.' } as const;
  const at = (slotMs: number) => ({ accountId: account.id, monitorId, slotMs });
  await service.recorder.recordMonitorCheck(monitorRecord(at(openedAtMs - 60_000)));
  for (const closedAtMs of isOver ? [null, openedAtMs + HOUR_MS] : [null]) {
    const regions = ['eu-west'];
    const incident = { id, openedAtMs, closedAtMs, cause, regions, firstRunId: null };
    const outcomes = [{ region: 'eu-west', outcome: closedAtMs === null ? FAILED : PASSED }];
    const health = closedAtMs === null ? 'down' : 'up';
    const slot = { ...at(closedAtMs ?? openedAtMs), incident, outcomes, health } as const;
    await service.recorder.recordMonitorCheck(monitorRecord(slot));
  }
  return id;
}

beforeAll(async () => {
  const nowMs = service.clock.nowMs;
  closed = await settleIncident(nowMs - 2 * HOUR_MS, true);
  open = await settleIncident(nowMs - 120_000, false);
});
beforeEach(() => as().post(`/v1/incidents/${open}/unacknowledge`));

function tokenOf(incidentId: string, id: string, accountId = account.id, by = email): string {
  const alert = { kind: 'failure', health: 'down', accountId, incidentId } as const;
  const url = buildAcknowledgeUrl(service.services.sealers.stored, 'https://x.example', {
    alert,
    by,
    id,
  });
  return new URL(url ?? '').searchParams.get('token') ?? '';
}

describe('an acknowledgement link, used through /v1', () => {
  const use = (token: string) =>
    request(service.app).post('/v1/incidents/acknowledge').send({ token });

  it('an acknowledgement link acknowledges the incident once, for its recipient, and reveals nothing else', async () => {
    const token = tokenOf(open, 'alr_1');
    const answers = await Promise.all([use(token), use(token), use(token)]);
    for (const { status, body } of answers)
      expect([status, body]).toEqual([
        200,
        {
          id: open,
          state: 'acknowledged',
          acknowledgedAt: expect.any(String),
          acknowledgedBy: email,
        },
      ]);
    const { body } = await as().get(`/v1/incidents/${open}`);
    const acknowledged = body.timeline.filter(
      ({ text }: { text: string }) => text === `Acknowledged by ${email}`,
    );
    expect(acknowledged).toHaveLength(1);
    const { body: trail } = await as().get(`/v1/audit-events?resourceId=${open}`);
    expect(trail.data[0]).toMatchObject({
      action: 'incident.acknowledge',
      actor: { name: email },
      after: { resourceName: 'Shop <b>' },
    });
  });

  it('an acknowledgement link works while the account is suspended', async () => {
    const { accounts } = service.services.stores;
    const { nowMs } = service.clock;
    await accounts.setSuspended(account.id, { reason: 'Unpaid', atMs: nowMs }, nowMs);
    const refused = await as().post(`/v1/incidents/${open}/acknowledge`);
    const used = await use(tokenOf(open, 'alr_s'));
    await accounts.setSuspended(account.id, null, nowMs);
    expect(refused.body.code).toBe('account_suspended');
    expect(used.body).toMatchObject({ state: 'acknowledged', acknowledgedBy: email });
  });

  it('an acknowledgement link no longer works once its acknowledgement was undone', async () => {
    await use(tokenOf(open, 'alr_2'));
    await as().post(`/v1/incidents/${open}/unacknowledge`);
    const again = await use(tokenOf(open, 'alr_2'));
    expect([again.status, again.body.code]).toEqual([401, 'expired_token']);
    expect((await as().get(`/v1/incidents/${open}`)).body.state).toBe('open');
    expect((await use(tokenOf(open, 'alr_3'))).status).toBe(200);
  });

  it('an acknowledgement link is refused if it is forged, for another account, or for a closed incident', async () => {
    const stranger = await service.newAccount();
    const altered = tokenOf(open, 'alr_4').replace(/.{4}$/, 'AAAA');
    for (const token of [
      altered,
      'x',
      tokenOf(open, 'alr_4', stranger.id),
      tokenOf('inc_x', 'a'),
    ]) {
      const { status, body } = await use(token);
      expect([status, body.code]).toEqual([401, 'invalid_token']);
    }
    const early = await use(tokenOf('inc_x', 'a'));
    expect(early.body.detail).toMatch(/just arrived, try again in a minute/);
    const over = await use(tokenOf(closed, 'alr_4'));
    expect([over.status, over.body.code]).toEqual([409, 'already_finished']);
    service.gateway.away = 'work';
    expect((await use(tokenOf(open, 'alr_4'))).status).toBe(503);
    service.gateway.away = null;
    expect((await as().get(`/v1/incidents/${open}`)).body.state).toBe('open');
    expect((await use(tokenOf(open, 'alr_4'))).status).toBe(200);
  });
});

describe('the page of an acknowledgement link', () => {
  const page = (token: string) => request(service.app).get('/acknowledge').query({ token });
  const press = (token: string, action: string) =>
    request(service.app).post('/acknowledge').type('form').send({ token, action });
  const stateNow = async () => (await as().get(`/v1/incidents/${open}`)).body;

  it('the page of an acknowledgement link shows the incident, and opening it changes nothing', async () => {
    const token = tokenOf(open, 'alr_10');
    const answers = await Promise.all([page(token), page(token)]);
    for (const { status, text, headers } of answers) {
      expect(status).toBe(200);
      for (const part of [
        'Shop &lt;b&gt; is down (2 min)',
        'Expected status 2xx, got 500.',
        'GET https://shop.example.com/health → 500\n{&quot;error&quot;: &quot;&lt;db&gt;&quot;}\nSince: ',
        'Last passing: status 200 in 123 ms (',
        'Fail over &lt;first&gt;.',
        'href="https://wiki.example.com/shop?a=1&amp;b=2"',
      ])
        expect(text).toContain(part);
      expect(text).toContain(`Acknowledge as ${email}`);
      expect(text).not.toContain('<script');
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      });
      expect(headers['content-security-policy']).toContain("form-action 'self'");
    }
    expect(await stateNow()).toMatchObject({ state: 'open', acknowledgedAt: null });
  });

  it('the page of an acknowledgement link offers the action of the clicked link first', async () => {
    const token = tokenOf(open, 'alr_15');
    const buttons = async (path: string) => {
      const { text } = await request(service.app).get(path).query({ token });
      return [...text.matchAll(/<button [^>]*value="(\w+)"/g)].map(([, action]) => action);
    };
    expect(await buttons('/acknowledge')).toEqual(['acknowledge', 'snooze']);
    expect(await buttons('/acknowledge/snooze')).toEqual(['snooze', 'acknowledge']);
    expect(await stateNow()).toMatchObject({ state: 'open', snoozedUntil: null });
  });

  it('the page of an acknowledgement link acknowledges the incident and offers a snooze', async () => {
    const token = tokenOf(open, 'alr_11');
    const pressed = await press(token, 'acknowledge');
    expect([pressed.status, pressed.headers['location']]).toEqual([
      303,
      `/acknowledge?token=${token}`,
    ]);
    const { text } = await page(token);
    for (const part of [
      '<h1>Acknowledged</h1>',
      'Shop &lt;b&gt; is down (2 min): Expected status 2xx, got 500.',
      `Acknowledged by ${email}.`,
      `<a href="/incidents/${open}">View incident</a>`,
      'Snooze 1 h',
    ])
      expect(text).toContain(part);
    expect(await stateNow()).toMatchObject({ state: 'acknowledged', acknowledgedBy: email });
    const { body: trail } = await as().get(`/v1/audit-events?resourceId=${open}`);
    expect(trail.data[0]).toMatchObject({
      action: 'incident.acknowledge',
      actor: { name: email },
      after: { resourceName: 'Shop <b>' },
    });
  });

  it('the page of an acknowledgement link snoozes the incident for an hour, once per link', async () => {
    const token = tokenOf(open, 'alr_12');
    await press(token, 'acknowledge');
    expect((await press(token, 'snooze')).status).toBe(303);
    const until = new Date(service.clock.nowMs + HOUR_MS).toISOString();
    expect(await stateNow()).toMatchObject({
      state: 'open',
      snoozedUntil: until,
      snoozedBy: email,
      snoozeReason: null,
    });
    expect((await page(token)).text).toContain('<h1>Snoozed</h1>');
    await as().post(`/v1/incidents/${open}/unacknowledge`);
    const again = await press(token, 'snooze');
    expect([again.status, again.text]).toEqual([
      409,
      expect.stringContaining('This link was used before. Open the incident to respond again.'),
    ]);
    expect((await stateNow()).snoozedUntil).toBeNull();
  });

  it('the page of an acknowledgement link names the channel of the message if the person is unknown', async () => {
    const token = tokenOf(open, 'alr_13', account.id, 'someone via Ops');
    expect((await page(token)).text).toContain('Your team sees that someone via Ops is on it.');
    await press(token, 'acknowledge');
    expect(await stateNow()).toMatchObject({ acknowledgedBy: 'someone via Ops' });
  });

  it('the page of an acknowledgement link says when the incident is over or Temporal is away', async () => {
    const over = tokenOf(closed, 'alr_14');
    expect((await press(over, 'acknowledge')).status).toBe(303);
    expect((await page(over)).text).toContain('Shop &lt;b&gt; was down for 1 h: Expected status');
    for (const token of ['', 'x', tokenOf(open, 'a', 'acc_x'), 'x'.repeat(3_000)]) {
      const { status, text } = await page(token);
      expect([status, text]).toEqual([404, expect.stringContaining('This link is not valid')]);
    }
    service.gateway.away = 'work';
    const { status, text } = await press(tokenOf(open, 'alr_15'), 'acknowledge');
    service.gateway.away = null;
    expect([status, text]).toEqual([503, expect.stringContaining('role="alert"')]);
    expect((await press('x'.repeat(5_000), 'acknowledge')).status).toBe(413);
  });
});
