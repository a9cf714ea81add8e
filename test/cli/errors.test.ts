/** Tests the form of errors, and the hints in them. */
import { CliError, usageError } from '../../src/cli/cli-error';
import { formatError } from '../../src/cli/output';
import { type FakeService, startFakeService } from './fake-service';
import { onTerminal } from './terminal';

const fault = (path: string, message: string) => ({ path, message });
const NAME = fault('name', 'is required');
const URL_BLOCKED = fault('url', 'This host is blocked.');

test.each([
  ['name is required.', [NAME], 'keepwatch: name is required.\n'],
  ['url: This host is blocked.', [URL_BLOCKED], 'keepwatch: url: This host is blocked.\n'],
  [
    'the body must be an object.',
    [fault('', 'must be an object')],
    'keepwatch: the body must be an object.\n',
  ],
  [
    '2 fields are invalid. First: name is required.',
    [NAME, URL_BLOCKED],
    'keepwatch: 2 fields are invalid.\n  name is required\n  url: This host is blocked.\n',
  ],
  [
    'a.yaml:2: shop: 2 fields are invalid. First: url: This host is blocked.',
    [URL_BLOCKED, NAME],
    'keepwatch: a.yaml:2: shop: 2 fields are invalid.\n  url: This host is blocked.\n  name is required\n',
  ],
  [
    'a.json is not a file of gatus.',
    [NAME],
    'keepwatch: a.json is not a file of gatus.\n  name is required\n',
  ],
])('an error says each fault once: %s', (message, errors, text) => {
  expect(formatError(new CliError(5, message, { errors }))).toBe(text);
});

test('a mistyped word of a longer name finds the checks that have the word', async () => {
  const monitor = (name: string) => ({
    id: 'mon_1',
    name,
    state: 'active',
    status: 'up',
    health: 'up',
    tags: [],
    links: {},
  });
  const service = await startFakeService({
    'GET /v1/monitors': [
      [200, { data: [], nextCursor: null }],
      [200, { data: [monitor('Stock count'), monitor('Home page')], nextCursor: null }],
    ],
  });
  const environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test' };
  const { stderr } = await onTerminal(['monitors', 'get', 'stokc'], {
    environment,
    isTerminal: false,
  });
  expect(stderr).toContain('Similar: Stock count.');
  await service.close();
});

test('the hint of an error is on a line of its own', () => {
  expect(formatError(usageError('No.', 'Try again.'))).toBe('keepwatch: No.\nTry again.\n');
});

test.each([
  [['aply'], "keepwatch: Unknown command 'aply'."],
  [['status', '--exit'], "keepwatch: Unknown option '--exit'."],
  [['monitors', 'get'], "keepwatch: Missing required argument 'key'."],
  [['status', '-o', 'xml'], 'Allowed choices are table, json, yaml.'],
])('wrong arguments have the form of all errors: %j', async (parameters, line) => {
  const { code, stdout, stderr } = await onTerminal(parameters, { isTerminal: false });
  expect([code, stdout]).toEqual([2, '']);
  const [first = ''] = stderr.split('\n');
  expect(first).toMatch(/^keepwatch: [A-Z].*[^.]\.$/);
  expect(first).toContain(line);
});

test('without a server, the hint names the command for a local installation', async () => {
  const { code, stderr } = await onTerminal(['status'], { isTerminal: false });
  expect(code).toBe(2);
  expect(stderr).toContain('keepwatch: No server configured.\n');
  expect(stderr).toContain('keepwatch login --url http://localhost:3000');
});

describe('with a service', () => {
  let service: FakeService;
  afterEach(() => service.close());

  async function run(
    parameters: readonly string[],
    answers: Parameters<typeof startFakeService>[0],
    input = '',
  ) {
    service = await startFakeService(answers);
    const environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test' };
    return onTerminal(parameters, { environment, isTerminal: false, input });
  }

  const page = (...data: readonly object[]) => [[200, { data, nextCursor: null }]] as const;
  const monitor = (id: string) => ({
    id,
    name: id,
    state: 'active',
    status: 'up',
    health: 'up',
    tags: ['shop'],
    links: {},
  });

  test.each([
    [0, []],
    [1, ['1 monitor has this tag: keepwatch monitors run --tag shop']],
    [2, ['2 monitors have this tag: keepwatch monitors run --tag shop']],
  ])('`run --tag` with %d monitors and no scenario exits with 2', async (count, hint) => {
    const data = Array.from({ length: count }, (_, at) => monitor(`mon_${at}`));
    const answers = { 'GET /v1/scenarios': page(), 'GET /v1/monitors': page(...data) };
    const { code, stderr } = await run(['run', '--tag', 'shop', '--wait'], answers);
    expect(code).toBe(2);
    expect(stderr.trimEnd().split('\n')).toEqual([
      'keepwatch: No scenario has the tag shop.',
      ...hint,
    ]);
    expect(service.asked.map(({ query }) => query.get('tag'))).toEqual(['shop', 'shop']);
  });

  test.each([
    ['monitors', ['run', '--wait']],
    ['monitors', ['pause', '--for', '30m']],
    ['monitors', ['resume']],
    ['monitors', ['delete', '--yes']],
    ['scenarios', ['run', '--wait']],
    ['scenarios', ['pause']],
    ['scenarios', ['delete', '--yes']],
  ])(
    '`%s %j` with a tag that matches nothing exits with 2, and changes nothing',
    async (collection, [verb = '', ...options]) => {
      const other = collection === 'monitors' ? 'scenarios' : 'monitors';
      const tagged = page({ ...monitor('other'), tags: ['shop'] });
      const answers = { [`GET /v1/${collection}`]: page(), [`GET /v1/${other}`]: tagged };
      const { code, stderr } = await run([collection, verb, ...options, '--tag', 'shop'], answers);
      expect([code, stderr.trimEnd().split('\n')]).toEqual([
        2,
        [
          `keepwatch: No ${collection.slice(0, -1)} has the tag shop.`,
          `1 ${other.slice(0, -1)} has this tag: keepwatch ${other} ${verb} --tag shop`,
        ],
      ]);
      expect(service.asked.every(({ line }) => line.startsWith('GET '))).toBe(true);
    },
  );

  test('`monitors run` with a key and a tag that matches nothing exits with 2', async () => {
    const found = { ...monitor('home'), key: 'home' };
    const answers = {
      'GET /v1/monitors': [[200, { data: [found], nextCursor: null }], ...page()] as const,
      'GET /v1/scenarios': page(),
    };
    const { code, stderr } = await run(['monitors', 'run', 'home', '--tag', 'shop'], answers);
    expect([code, stderr]).toEqual([2, 'keepwatch: No monitor has the tag shop.\n']);
  });

  test.each([
    [['--tag', 'typo'], 2, 'keepwatch: Nothing matches --tag typo. Nothing was written.\n'],
    [['--set', 'typo'], 2, 'keepwatch: Nothing matches --set typo. Nothing was written.\n'],
    [[], 0, ''],
  ])('`export %j` of nothing exits with %d', async (options, exitCode, message) => {
    const answers = { 'GET /v1/export': [[200, { monitors: [], scenarios: [] }]] as const };
    const { code, stderr } = await run(['export', ...options], answers);
    expect([code, stderr]).toEqual([exitCode, message]);
  });

  test('`check` exits with 2 and tests nothing if a key of --only is not in the files', async () => {
    const file = '{"monitors":[{"key":"a","name":"A"}]}';
    const only = ['--only', 'a', '--only', 'typo'];
    const { code, stderr } = await run(['check', '-f', '-', '--region', 'eu', ...only], {}, file);
    expect([code, stderr, service.asked]).toEqual([
      2,
      'keepwatch: The files contain nothing with the key typo.\n',
      [],
    ]);
  });

  const object = { kind: 'monitor', index: 0, key: 'a', action: 'create', changes: [] };
  const errors = [NAME, URL_BLOCKED];
  const problem = { code: 'validation_failed', detail: 'No.', errors };
  const plan = (create: number) => ({
    dryRun: true,
    summary: { create, update: 0, delete: 0, unchanged: 0, failed: 1, skipped: 0 },
    objects: [{ ...object, outcome: 'failed', problem }],
    missingSecrets: [],
  });
  const PARTIAL = ' Use --partial to apply the rest.';

  test.each([
    [1, ['--dry-run'], `Nothing would be applied.${PARTIAL}\n`],
    [0, ['--dry-run'], 'Nothing would be applied.\n'],
    [1, ['--dry-run', '--partial'], ''],
    [1, ['--yes'], `Nothing was applied.${PARTIAL}\n`],
    [0, ['--yes'], 'Nothing was applied.\n'],
  ])(
    'apply of an invalid object and %d others with %j says what happens',
    async (others, options, note) => {
      const parameters = ['apply', '-f', '-', ...options];
      const answers = { 'POST /v1/apply': [[200, plan(others)]] as const };
      const { code, stdout, stderr } = await run(parameters, answers, '{"monitors":[{"key":"a"}]}');
      expect([code, stderr]).toEqual([1, note]);
      expect(stdout).toContain('    name is required\n    url: This host is blocked.\n');
    },
  );
});
