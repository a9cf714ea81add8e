/** Tests `keepwatch operator accounts`: all accounts of an installation, from a terminal or a pipeline. */
import { type FakeService, startFakeService } from './fake-service';
import { onTerminal } from './terminal';

const PATH = '/v1/operator/accounts';
const counts = (monitors: number, members = 1) => ({ monitors, scenarios: 0, members });

const account = (changes: object = {}) => ({
  id: 'acc_1',
  name: 'Shop',
  plan: 'pro',
  state: 'active',
  suspended: null,
  isFirst: false,
  bounds: { monitors: 100, scenarios: 30, members: 10 },
  usage: counts(12),
  createdAt: '2026-01-31T11:00:00Z',
  ...changes,
});

let service: FakeService;
let environment: Record<string, string>;

async function open(answers: Parameters<typeof startFakeService>[0]) {
  service = await startFakeService({
    [`GET ${PATH}/acc_1`]: [[200, account()]],
    ...answers,
  });
  environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test' };
}
afterEach(() => service.close());

const piped = (...parameters: readonly string[]) =>
  onTerminal(['operator', 'accounts', ...parameters], { environment, isTerminal: false });
const typed = (parameters: readonly string[], input: string) =>
  onTerminal(['operator', 'accounts', ...parameters], { environment, input });
const sent = () => service.asked.filter(({ line }) => !line.startsWith('GET '));
const listOf = (...data: readonly object[]) =>
  ({ [`GET ${PATH}`]: [[200, { data, nextCursor: null }]] }) as const;

const suspended = { reason: 'Unpaid', since: '2026-01-31T11:30:00Z' };

test('the output of `operator accounts list` fits 80 columns, and JSON output is complete', async () => {
  const id = `acc_${'x'.repeat(26)}`;
  const long = account({ id, name: 'A company with a very long name', state: 'suspended' });
  await open(listOf(long, account()));
  const { code, stdout } = await typed(['list'], '');
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  const wide = (await piped('ls')).stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(wide).toEqual([
    ['ID', 'NAME', 'PLAN', 'STATE', 'MONITORS', 'SCENARIOS', 'MEMBERS', 'CREATED'],
    [
      id,
      'A company with a very long name',
      'pro',
      'suspended',
      '12/100',
      '0/30',
      '1/10',
      '60 min ago',
    ],
    ['acc_1', 'Shop', 'pro', 'active', '12/100', '0/30', '1/10', '60 min ago'],
    [''],
  ]);
  expect(JSON.parse((await piped('list', '-o', 'json')).stdout)).toEqual({
    data: [long, account()],
  });
});

test('`operator accounts get` shows the reason of a suspension, by id or by name', async () => {
  const shown = account({ state: 'suspended', suspended });
  await open({ ...listOf(shown), [`GET ${PATH}/acc_1`]: [[200, shown]] });
  const { code, stdout } = await piped('get', 'Shop');
  expect([code, stdout.split('\n').map((line) => line.split(/ {2,}/))]).toEqual([
    0,
    [
      ['Shop'],
      ['id', 'acc_1'],
      ['state', 'suspended since 2026-01-31T11:30:00Z'],
      ['reason', 'Unpaid'],
      ['plan', 'pro'],
      ['monitors', '12 of 100'],
      ['scenarios', '0 of 30'],
      ['members', '1 of 10'],
      ['created', '2026-01-31T11:00:00Z'],
      [''],
    ],
  ]);
  expect(JSON.parse((await piped('get', 'acc_1', '-o', 'json')).stdout)).toEqual(shown);
});

test('the refusal of an account name that is unknown or not unique says what to write instead', async () => {
  await open(listOf(account(), account({ id: 'acc_2' }), account({ id: 'acc_3', name: 'Bakery' })));
  expect(await piped('get', 'Shop')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('Use an id: acc_1, acc_2.'),
  });
  expect((await piped('get', 'Bakry')).stderr).toContain('Similar: Bakery.');
  expect((await piped('resume', 'x')).stderr).toContain('keepwatch operator accounts list');
  expect(sent()).toEqual([]);
});

test('`operator accounts create` prints only the link of the invitation, or says that it was mailed', async () => {
  const acceptUrl = 'https://keepwatch.example.com/invitation#token=abc';
  const made = (url: string | null) =>
    [
      201,
      account({ owner: { email: 'a@example.com', mailed: url === null, acceptUrl: url } }),
    ] as const;
  await open({ [`POST ${PATH}`]: [made(acceptUrl), made(null)] });
  const create = ['create', 'Shop', '--owner', 'a@example.com'] as const;
  expect(await piped(...create, '--plan', 'pro')).toEqual({
    code: 0,
    stdout: `${acceptUrl}\n`,
    stderr: 'Created acc_1 with the plan pro.\n',
  });
  expect((await piped(...create)).stdout).toBe('Invited a@example.com.\n');
  const body = { name: 'Shop', ownerEmail: 'a@example.com' };
  expect(sent().map((call) => call.body)).toEqual([{ ...body, plan: 'pro' }, body]);
  expect((await piped('create', 'Shop')).stderr).toContain('--owner <email>');
  expect((await piped(...create, '--plan', 'gold')).code).toBe(2);
  expect(sent()).toHaveLength(2);
});

test('`operator accounts suspend`, `resume` and `set-plan` say what has changed', async () => {
  await open({
    [`PATCH ${PATH}/acc_1`]: [
      [200, account({ state: 'suspended', suspended })],
      [200, account()],
      [200, account({ plan: 'free', bounds: { monitors: 10, scenarios: 3, members: 2 } })],
    ],
  });
  expect((await piped('suspend', 'acc_1', '--reason', 'Unpaid')).stdout).toBe(
    'Shop is suspended.\n',
  );
  expect((await piped('resume', 'acc_1')).stdout).toBe('Shop is active.\n');
  expect((await piped('set-plan', 'acc_1', 'free')).stdout).toBe(
    'Shop has the plan free. It has 12 monitors (limit 10): nothing is removed, but none can be added.\n',
  );
  expect(sent().map(({ body }) => body)).toEqual([
    { suspended: { reason: 'Unpaid' } },
    { suspended: null },
    { plan: 'free' },
  ]);
  expect((await piped('suspend', 'acc_1')).stderr).toContain('--reason <text>');
  expect((await piped('set-plan', 'acc_1', 'gold')).stderr).toContain('business');
});

test('`operator accounts delete` names what will be lost, and deletes only after a confirmation', async () => {
  const deletion = `DELETE ${PATH}/acc_1`;
  await open({ [deletion]: [[200, {}]] });
  expect(await typed(['delete', 'acc_1'], 'n\n')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'Delete Shop with 12 monitors, 0 scenarios and 1 members? [y/N]',
    ),
  });
  expect(await piped('delete', 'acc_1')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  });
  expect(sent()).toEqual([]);
  const { code, stdout } = await piped('delete', 'acc_1', '--yes', '-o', 'json');
  expect([code, JSON.parse(stdout)]).toEqual([0, { deleted: { id: 'acc_1', name: 'Shop' } }]);
  expect(sent().map(({ line }) => line)).toEqual([deletion]);
});

test('if a refusal has a single field error, its message is printed once', async () => {
  const message = 'must have at most 100 characters';
  const problem = { code: 'validation_failed', detail: `name ${message}.` };
  const errors = [{ path: 'name', message }];
  await open({ [`GET ${PATH}`]: [[400, { ...problem, errors }]] });
  const { code, stderr } = await piped('list');
  expect([code, stderr]).toEqual([5, `keepwatch: name ${message}.\n`]);
});

test("the command line recommends an operator's key if the key is of another type, and prints other refusals", async () => {
  const detail =
    'This needs an API key that an operator of this installation created for operators.';
  const inUse = { code: 'in_use', detail: 'The first account cannot be suspended.' };
  await open({
    [`GET ${PATH}`]: [[403, { code: 'insufficient_scope', detail }]],
    [`PATCH ${PATH}/acc_1`]: [[409, inUse]],
  });
  const { code, stderr } = await piped('list');
  expect([code, stderr]).toEqual([
    4,
    `keepwatch: ${detail}\nUse a key that may do this. Create it under API keys in the dashboard.\n`,
  ]);
  const refused = await piped('suspend', 'acc_1', '--reason', 'x', '-o', 'json');
  expect(refused.code).toBe(5);
  expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'in_use', exitCode: 5 } });
});
