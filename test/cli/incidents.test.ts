/** Tests `keepwatch incidents` and the lines of `keepwatch events`. */
import { type FakeService, startFakeService } from './fake-service';
import { onTerminal } from './terminal';

const PATH = '/v1/incidents';
const ID = `inc_${'x'.repeat(26)}`;

const incident = (changes: object = {}) => ({
  id: ID,
  resourceType: 'monitor',
  resourceName: 'Search',
  state: 'open',
  openedAt: '2026-01-31T11:56:00Z',
  closedAt: null,
  cause: { code: 'assertion_failed', message: 'Expected status 2xx, got 503.' },
  regions: ['eu-west', 'us-east'],
  acknowledgedBy: null,
  snoozedUntil: null,
  timeline: [
    { at: '2026-01-31T11:56:00Z', kind: 'opened', text: 'Down in eu-west. Got 503.' },
    { at: '2026-01-31T11:57:00Z', kind: 'alert', text: 'failure to Chat: sent' },
  ],
  ...changes,
});

let service: FakeService;
afterEach(() => service.close());

async function run(
  parameters: readonly string[],
  answers: Parameters<typeof startFakeService>[0],
  isTerminal = false,
) {
  service = await startFakeService(answers);
  const environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test', NO_COLOR: '1' };
  return onTerminal(parameters, { environment, isTerminal });
}
const page = (...data: readonly object[]) => [[200, { data, nextCursor: null }]] as const;
const sent = () => service.asked.filter(({ line }) => line.startsWith('POST'));

test('`incidents list` asks for unresolved incidents, fits 80 columns and keeps ids whole', async () => {
  const snoozed = incident({ resourceName: 'Blog', snoozedUntil: '2026-01-31T13:00:00Z' });
  const answers = { [`GET ${PATH}`]: page(incident(), snoozed) };
  const { code, stdout } = await run(['incidents', 'list'], answers, true);
  expect(code).toBe(0);
  expect(service.asked.map(({ query }) => query.get('state'))).toEqual(['unresolved']);
  const lines = stdout.trimEnd().split('\n');
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines[1]).toMatch(new RegExp(`^open +${ID} +Search +4 min ago +Expected`));
  expect(lines[2]).toMatch(/^snoozed/);
  await service.close();
  const all = await run(['incidents', 'ls', '--all', '-o', 'json'], answers);
  expect(service.asked.map(({ query }) => query.get('state'))).toEqual([null]);
  expect(JSON.parse(all.stdout)).toEqual({ data: [incident(), snoozed] });
  await service.close();
  const none = await run(['incidents', 'list'], { [`GET ${PATH}`]: page() });
  expect(none.stdout).toBe('No open incidents.\n');
});

test('`incidents show` prints the state, the cause, the page in the dashboard and the timeline', async () => {
  const shown = incident({ state: 'acknowledged', acknowledgedBy: 'ann@example.com' });
  const { code, stdout } = await run(['incidents', 'show', ID], {
    [`GET ${PATH}/${ID}`]: [[200, shown]],
  });
  expect([code, stdout.trimEnd().split('\n')]).toEqual([
    0,
    [
      'Search  acknowledged by ann@example.com',
      `id            ${ID}`,
      'opened        4 min ago',
      'regions       eu-west, us-east',
      'cause         Expected status 2xx, got 503.',
      'acknowledged  by ann@example.com',
      `page          ${service.url}/incidents/${ID}`,
      '',
      '4 min ago    Down in eu-west. Got 503.',
      '3 min ago    failure to Chat: sent',
    ],
  ]);
});

test('`incidents show` names the channel of an alert, the outages, the flapping and who acknowledged', async () => {
  const shown = incident({
    state: 'acknowledged',
    acknowledgedBy: 'ann@example.com',
    acknowledgedAt: '2026-01-31T11:58:00Z',
    isFlapping: true,
    flappingSince: '2026-01-31T11:57:00Z',
    durationSeconds: 150,
    episodeCount: 3,
    timeline: [
      {
        at: '2026-01-31T11:57:00Z',
        kind: 'alert',
        text: 'failure to http://127.0.0.1:40279/…: sent',
        channelName: 'Chat $& co',
      },
    ],
  });
  const { stdout } = await run(['incidents', 'show', ID], {
    [`GET ${PATH}/${ID}`]: [[200, shown]],
  });
  expect(stdout.trimEnd().split('\n')).toEqual([
    'Search  flapping, acknowledged by ann@example.com',
    `id            ${ID}`,
    'opened        4 min ago',
    'flapping      began 3 min ago',
    'down for      3 min',
    'outages       3',
    'regions       eu-west, us-east',
    'cause         Expected status 2xx, got 503.',
    'acknowledged  by ann@example.com, 2 min ago',
    `page          ${service.url}/incidents/${ID}`,
    '',
    '3 min ago    failure to Chat $& co: sent',
  ]);
});

test.each([
  ['open', {}, 'flapping, down now'],
  ['resolved', {}, 'flapping, up now'],
  ['open', { snoozedUntil: '2026-01-31T13:00:00Z' }, 'flapping, snoozed for 60 min'],
])('`incidents list` says that a check is flapping: %s %p', async (state, changes, words) => {
  const flapping = incident({ state, isFlapping: true, ...changes });
  const { stdout } = await run(['incidents', 'list'], { [`GET ${PATH}`]: page(flapping) });
  expect(stdout.split('\n')[1]).toMatch(new RegExp(`^${words}  +${ID}`));
});

test('`incidents explain` prints the sentences within 80 columns, and the response as JSON', async () => {
  const long = 'The alert waited for the quiet hours of the policy, and was sent after their end.';
  const explanation = {
    incidentId: ID,
    notified: true,
    escalation: null,
    sentences: [
      { at: '2026-01-31T11:56:00Z', topic: 'check', text: 'Failed in eu-west.', decision: null },
      { at: '2026-01-31T11:57:00Z', topic: 'delivery', text: long, decision: null },
    ],
  };
  const answers = {
    [`GET ${PATH}/${ID}`]: [[200, incident()]],
    [`GET ${PATH}/${ID}/explain`]: [[200, explanation]],
  } as const;
  const { code, stdout } = await run(['incidents', 'explain', ID], answers, true);
  expect([code, stdout.trimEnd().split('\n')]).toEqual([
    0,
    [
      'Search  open',
      'An alert was due.',
      '',
      '4 min ago    Failed in eu-west.',
      '3 min ago    The alert waited for the quiet hours of the policy, and was sent',
      '             after their end.',
    ],
  ]);
  await service.close();
  const json = await run(['incidents', 'explain', ID, '-o', 'json'], answers);
  expect(JSON.parse(json.stdout)).toEqual(explanation);
  expect(service.asked.map(({ line }) => line)).toEqual([`GET ${PATH}/${ID}/explain`]);
});

test('`incidents ack` and `incidents snooze` send the note and the minutes, and print the new state', async () => {
  const by = { state: 'acknowledged', acknowledgedBy: 'ann@example.com' };
  const acked = await run(['incidents', 'ack', ID, '--note', 'On it.'], {
    [`POST ${PATH}/${ID}/acknowledge`]: [[200, incident(by)]],
  });
  expect(acked.stdout).toBe('Incident of Search: acknowledged by ann@example.com.\n');
  expect(sent().map(({ body }) => body)).toEqual([{ note: 'On it.' }]);
  await service.close();
  const snoozed = await run(['incidents', 'snooze', ID, '--for', '1h', '--reason', 'Known'], {
    [`POST ${PATH}/${ID}/snooze`]: [[200, incident({ snoozedUntil: '2026-01-31T13:00:00Z' })]],
  });
  expect(snoozed.stdout).toBe('Incident of Search: snoozed for 60 min.\n');
  expect(sent().map(({ body }) => body)).toEqual([{ minutes: 60, reason: 'Known' }]);
});

test('`incidents` refuses a wrong duration with code 2, and reports an unknown incident with code 5', async () => {
  for (const duration of ['1m', '8d', 'soon']) {
    const wrong = await run(['incidents', 'snooze', ID, '--for', duration], {});
    expect([wrong.code, service.asked]).toEqual([2, []]);
    await service.close();
  }
  const problem = { code: 'not_found', detail: 'There is no incident with this id.' };
  const unknown = await run(['incidents', 'ack', ID], {
    [`POST ${PATH}/${ID}/acknowledge`]: [[404, problem]],
  });
  expect(unknown).toMatchObject({ code: 5, stderr: expect.stringContaining(problem.detail) });
});

const state = { healthSince: '2026-01-31T11:00:00Z', lastCheckedAt: null, nextCheckAt: null };
const CHANGES = [
  { kind: 'monitor', id: 'mon_1', health: 'down', ...state, lastResponseTimeMs: 8.12 },
  { kind: 'monitor', id: 'mon_2', health: 'up', inMaintenance: true, ...state },
  { kind: 'run', id: 'run_1', scenarioId: 'scn_1' },
  { kind: 'incident', id: ID },
  { kind: 'definition', id: 'chn_1' },
  { kind: 'definition', id: 'mon_gone' },
];
const check = (id: string, name: string) => {
  const type = id.startsWith('mon_') ? 'monitor' : 'scenario';
  return { type, id, name, status: 'up', healthSince: '2026-01-31T11:00:00Z' };
};
const stream = CHANGES.map((change) => `event: change\ndata: ${JSON.stringify(change)}\n\n`);
const EVENTS = {
  'GET /v1/events': [[200, stream.join(''), { 'content-type': 'text/event-stream' }]],
  'GET /v1/checks': [
    ...page(check('mon_1', 'Search'), check('scn_1', 'Order journey')),
    ...page(check('mon_1', 'Search'), check('mon_2', 'New shop')),
  ],
  [`GET ${PATH}/${ID}`]: [[200, incident()]],
} as const;
const follow = ['events', '--count', String(CHANGES.length)];

test('`events` prints words and names, and reads the list of names again only for an unknown id', async () => {
  const { code, stdout } = await run(follow, EVENTS);
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n')).toEqual([
    '12:00:00  down         Search                    8 ms',
    '12:00:00  maintenance  New shop',
    '12:00:00  run          Order journey             run_1',
    '12:00:00  incident     Search                    open',
    '12:00:00  changed      chn_1',
    '12:00:00  changed      mon_gone',
  ]);
  expect(service.asked.filter(({ line }) => line === 'GET /v1/checks')).toHaveLength(3);
});

test('the JSON output of `events` has the fields of the stream, and no names are read', async () => {
  const { stdout } = await run([...follow, '-o', 'json'], EVENTS);
  const at = '2026-01-31T12:00:00.000Z';
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    CHANGES.map((change) => ({ at, ...change })),
  );
  expect(service.asked.map(({ line }) => line)).toEqual(['GET /v1/events']);
});
