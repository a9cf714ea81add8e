/** Tests `keepwatch subscribers`: who gets notices of a status page, from a terminal, a file or a pipeline. */
import { type FakeService, startFakeService } from './fake-service';
import { onTerminal } from './terminal';

const PAGE = {
  id: 'stp_1',
  key: 'shop-status',
  slug: 'shop',
  title: 'Shop status',
  groups: [{ name: 'Shop', items: [{ id: 'mon_1', name: 'Payments' }] }],
};
const PATH = '/v1/status-pages/stp_1/subscribers';
const SLACK = 'https://hooks.slack.com/services/secret';

const subscriber = (changes: object = {}) => ({
  id: 'sub_1',
  type: 'mail',
  to: 'reader@example.com',
  items: null,
  state: 'active',
  bounces: 0,
  addedBy: 'Ada',
  createdAt: '2026-01-31T11:00:00Z',
  confirmedAt: '2026-01-31T11:00:00Z',
  ...changes,
});

let service: FakeService;
let environment: Record<string, string>;

async function open(answers: Parameters<typeof startFakeService>[0]) {
  service = await startFakeService({
    'GET /v1/status-pages': [[200, { data: [PAGE], nextCursor: null }]],
    ...answers,
  });
  environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test' };
}
afterEach(() => service.close());

const piped = (parameters: readonly string[], input = '') =>
  onTerminal(['subscribers', ...parameters], { environment, input, isTerminal: false });
const typed = (parameters: readonly string[], input = '') =>
  onTerminal(['subscribers', ...parameters], { environment, input });
const sent = () => service.asked.filter(({ line }) => !line.startsWith('GET '));
const listOf = (...data: readonly object[]) =>
  ({ [`GET ${PATH}`]: [[200, { data, nextCursor: null }]] }) as const;

test('the list of subscribers shows item names, and JSON output is complete', async () => {
  const one = subscriber({ items: ['mon_1', 'mon_gone'], state: 'resting' });
  await open(listOf(subscriber({ id: 'sub_2' }), one));
  const { code, stdout } = await piped(['list', '--page', 'shop', '--state', 'resting']);
  expect(code).toBe(0);
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['ID', 'TYPE', 'TO', 'ITEMS', 'STATE', 'ADDED'],
    ['sub_2', 'mail', 'reader@example.com', 'all', 'active', '60 min ago'],
    ['sub_1', 'mail', 'reader@example.com', 'Payments, mon_gone', 'resting', '60 min ago'],
    [''],
  ]);
  const { stdout: json } = await piped(['list', '--output', 'json']);
  expect(JSON.parse(json)).toEqual({ data: [subscriber({ id: 'sub_2' }), one] });
  expect((await piped(['list', '--type', 'pigeon'])).code).toBe(2);
});

test('`subscribers add` takes email addresses, webhook URLs and Slack URLs, and the names of page items', async () => {
  await open({ [`POST ${PATH}`]: [[201, subscriber()]] });
  const { code, stdout } = await piped([
    'add',
    'reader@example.com',
    'https://hooks.example.com/1',
    SLACK,
    '--item',
    'Payments',
    '--confirmed',
  ]);
  expect([code, stdout.split('\n')[0]]).toEqual([0, expect.stringMatching(/^ID +TYPE/)]);
  const common = { items: ['mon_1'], confirmed: true };
  expect(sent().map(({ body }) => body)).toEqual([
    { type: 'mail', to: 'reader@example.com', ...common },
    { type: 'webhook', to: 'https://hooks.example.com/1', ...common },
    { type: 'slack', to: SLACK, ...common },
  ]);
});

test('`subscribers add` adds new recipients from a file, skips existing recipients, and prints no secret URL', async () => {
  const taken = { code: 'key_taken', detail: 'The page already has this subscriber.' };
  await open({
    [`POST ${PATH}`]: [
      [409, taken],
      [201, subscriber({ state: 'unconfirmed' })],
    ],
  });
  const { code, stdout, stderr } = await piped(['add'], `${SLACK}\r\n\n  new@example.com \n`);
  expect([code, stderr]).toEqual([0, 'https://hooks.slack.com/… is already a subscriber.\n']);
  expect(stdout).toContain('unconfirmed');
  expect(sent().map(({ body }) => body)).toMatchObject([
    { to: SLACK, items: null, confirmed: false },
    { to: 'new@example.com' },
  ]);
});

test('if adding subscribers is refused halfway, the command reports how many subscribers were added', async () => {
  const refused = {
    code: 'limit_reached',
    detail: 'A status page may have at most 5000 subscribers.',
  };
  await open({
    [`POST ${PATH}`]: [
      [201, subscriber()],
      [403, refused],
    ],
  });
  const { code, stderr } = await piped(['add', 'a@example.com', 'b@example.com', 'c@example.com']);
  expect(code).toBe(4);
  expect(stderr).toContain('1 of 3 were added.\n');
  expect(stderr).toContain('A status page may have at most 5000 subscribers.');
  expect(sent()).toHaveLength(2);
});

test('the command line adds a subscriber only with a recipient, and only for items that are on the page', async () => {
  await open({});
  expect((await piped(['add'], ' \n')).code).toBe(2);
  expect((await typed(['add'])).code).toBe(2);
  expect((await piped(['add', 'a@example.com', '--item', 'Cards'])).code).toBe(5);
  expect(sent()).toEqual([]);
});

test('`subscribers remove` finds a subscriber by email, URL or id, and removes only after a confirmation', async () => {
  const deletion = `DELETE ${PATH}/sub_1`;
  await open({
    ...listOf(subscriber()),
    [`GET ${PATH}/sub_1`]: [[200, subscriber()]],
    [deletion]: [[200, {}]],
  });
  const no = await typed(['remove', 'reader@example.com'], 'n\n');
  const question = 'Remove reader@example.com from Shop status? [y/N]';
  expect(no).toMatchObject({ code: 2, stderr: expect.stringContaining(question) });
  expect((await piped(['remove', 'reader@example.com'])).code).toBe(2);
  expect(sent()).toEqual([]);
  expect(await typed(['remove', 'reader@example.com'], 'y\n')).toMatchObject({ code: 0 });
  expect(await piped(['remove', 'sub_1', '--yes', '--output', 'json'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"to": "reader@example.com"'),
  });
  expect(sent().map(({ line }) => line)).toEqual([deletion, deletion]);
});

test('`subscribers remove` reports an unknown subscriber without printing the secret of a URL', async () => {
  await open(listOf());
  const { code, stderr } = await piped(['remove', SLACK, '--yes']);
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining('Shop status has no subscriber https://hooks.slack.com/….'),
  ]);
  expect(sent()).toEqual([]);
});
