/** Tests what people see at a terminal, and what a pipe gets instead. */
import { startRecordingTarget } from '../support/recording-target';
import { type FakeService, startFakeService } from './fake-service';
import { onTerminal } from './terminal';

const CLEAR = '\u001b[2J';

const monitor = (changes: object) => ({
  id: 'mon_00000000000000000000000001',
  name: 'A shop',
  key: 'shop',
  state: 'active',
  status: 'up',
  health: 'up',
  interval: 60,
  regions: ['eu-west'],
  tags: [],
  lastCheckedAt: '2026-01-31T11:59:30Z',
  links: { temporal: null },
  ...changes,
});
const PLAN = {
  dryRun: true,
  summary: { create: 1, update: 0, delete: 0, unchanged: 0, failed: 0, skipped: 0 },
  objects: [
    {
      kind: 'monitor',
      index: 0,
      key: 'shop',
      id: null,
      name: 'A shop',
      action: 'create',
      changes: [],
      outcome: 'planned',
      problem: null,
    },
  ],
  missingSecrets: ['TOKEN'],
};

let service: FakeService;
let environment: Record<string, string>;

beforeEach(async () => {
  const data = [
    monitor({ name: `Long ${'name '.repeat(40)}` }),
    monitor({ name: `${CLEAR}evil`, status: 'down' }),
  ];
  service = await startFakeService({
    'GET /v1/monitors': [[200, { data, nextCursor: null }]],
    'POST /v1/apply': [
      [200, PLAN],
      [200, { ...PLAN, dryRun: false }],
    ],
    'POST /v1/monitors/mon_1/run': [
      [503, { code: 'unavailable', detail: 'Away.' }, { 'retry-after': '0' }],
      [202, { id: 'r', requestedAt: '2026-01-31T12:00:00Z' }],
    ],
    'GET /v1/monitors/mon_1': [[200, monitor({ id: 'mon_1' })]],
    'GET /v1/account': [[502, 'nonsense']],
  });
  environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test' };
});
afterEach(() => service.close());

const MONITORS = ['apply', '-f', '-', '--yes'];
const FILE = '{"monitors":[{"key":"shop","name":"A shop","url":"http://shop.example.com"}]}';

it('coloured tables fit the terminal and contain no control characters', async () => {
  const { code, stdout } = await onTerminal(['monitors', 'list'], { environment });
  expect(code).toBe(0);
  const [first = '', ...painted] = stdout.split('\u001b[');
  const bare = [first, ...painted.map((part) => part.replace(/^\d+m/, ''))].join('');
  for (const line of bare.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(stdout).toContain('\u001b[31mdown\u001b[0m');
  expect(stdout).not.toContain(CLEAR);
});

it('tables have no colour with NO_COLOR or --no-color, and are not shortened without a terminal', async () => {
  const piped = await onTerminal(['monitors', 'list'], { environment, isTerminal: false });
  expect(piped.stdout).toContain('name '.repeat(39));
  const quiet = await onTerminal(['monitors', 'list'], {
    environment: { ...environment, NO_COLOR: '1' },
  });
  const asked = await onTerminal(['monitors', 'list', '--no-color'], { environment });
  for (const { stdout } of [piped, quiet, asked]) expect(stdout).not.toContain('\u001b');
});

it('apply shows its plan, and changes nothing if the person does not confirm', async () => {
  const file = ['apply', '-f', 'examples/windows'];
  const no = await onTerminal(file, { environment, input: 'n\n' });
  expect(no).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing was applied') });
  expect(no.stderr).toContain('+ monitor shop (A shop)');
  expect(no.stderr).toContain('Missing secrets: TOKEN');
  expect(service.asked.map(({ body }) => body)).toEqual([
    expect.objectContaining({ dryRun: true }),
  ]);
});

it('apply changes objects after a confirmation', async () => {
  const yes = await onTerminal(['apply', '-f', 'examples/windows'], { environment, input: 'y\n' });
  expect(yes).toMatchObject({ code: 0, stdout: expect.stringContaining('1 created.') });
  expect(service.asked.map(({ body }) => body)).toEqual([
    expect.objectContaining({ dryRun: true }),
    expect.objectContaining({ dryRun: false, set: 'shop-windows' }),
  ]);
});

it('if Temporal does not respond, apply reports this once for all objects and exits with code 3', async () => {
  await service.close();
  const problem = { code: 'unavailable', detail: 'Temporal is not responding.', errors: [] };
  const objects = ['a', 'b', 'c'].map((key) => ({
    ...PLAN.objects[0],
    key,
    outcome: 'failed',
    problem,
  }));
  const summary = { ...PLAN.summary, create: 0, failed: 3 };
  const failed = { ...PLAN, dryRun: false, summary, objects, missingSecrets: [] };
  service = await startFakeService({
    'POST /v1/apply': [
      [200, PLAN],
      [200, failed],
    ],
  });
  const busy = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test' };
  const input = { environment: busy, isTerminal: false, input: FILE };
  const { code, stdout } = await onTerminal(MONITORS, input);
  expect(code).toBe(3);
  expect(stdout).toBe(
    '! 3 objects not applied. Temporal is not responding. Run it again.\n3 failed.\n',
  );
});

it('the refusal of a URL suggests the missing scheme', async () => {
  const urls = ['localhost:4310', 'keepwatch.example.com', 'ftp://keepwatch.example.com'];
  const hints = await Promise.all(
    urls.map(async (url) => (await onTerminal(['status', '--url', url], { environment })).stderr),
  );
  expect(hints[0]).toContain('Did you mean http://localhost:4310?');
  expect(hints[1]).toContain('Did you mean https://keepwatch.example.com?');
  expect(hints[2]).not.toContain('Did you mean');
});

it('apply does not ask for a confirmation without a terminal', async () => {
  const piped = await onTerminal(MONITORS, { environment, isTerminal: false, input: FILE });
  expect(piped).toMatchObject({ code: 0, stdout: expect.stringContaining('1 created.') });
  expect(piped.stderr).not.toContain('[y/N]');
});

it('the command line retries a write with the same Idempotency-Key', async () => {
  const { code } = await onTerminal(['monitors', 'run', 'mon_1'], { environment });
  expect(code).toBe(0);
  const keys = service.asked.filter(({ line }) => line.startsWith('POST')).map(({ key }) => key);
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
});

it('the command line reports a server that is not Keepwatch', async () => {
  const { code, stderr } = await onTerminal(['login'], {
    environment,
    isTerminal: false,
    input: 'kw_x',
  });
  expect({ code, stderr }).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('responded with 502'),
  });
});

it('an HTML page instead of an API response is reported without its text', async () => {
  const page = await startRecordingTarget((_request, response) => response.end('<p>Obey</p>'));
  const { code, stderr } = await onTerminal(['login'], {
    environment: { ...environment, KEEPWATCH_URL: page.origin },
    isTerminal: false,
    input: 'kw_x',
  });
  await page.close();
  expect({ code, stderr }).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('not from a Keepwatch service'),
  });
  expect(stderr).not.toContain('<p>');
});

it('the command line never sends a stored key to another service', async () => {
  const { code, stderr } = await onTerminal(['status'], {
    environment: { KEEPWATCH_URL: service.url },
  });
  expect({ code, stderr }).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('No API key'),
  });
  expect(service.asked).toEqual([]);
});

it('completion scripts name every command', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await onTerminal(['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['apply', 'maintenance', 'fail-on-drift', 'junit'])
      expect(stdout).toContain(word);
  }
});

it('examples in the help fit the terminal and use existing options', async () => {
  const commands = ['status', 'run', 'check', 'apply', 'export', 'events', 'import'];
  const inGroups = ['monitors list', 'monitors pause', 'maintenance start', 'secrets set'];
  const { stdout: ofAll } = await onTerminal(['--help']);
  for (const line of ofAll.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  for (const command of [...commands, ...inGroups]) {
    const { code, stdout } = await onTerminal([...command.split(' '), '--help']);
    expect(code).toBe(0);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const [options = '', examples = ''] = stdout.split('Examples:\n');
    const lines = examples.trim().split('\n');
    for (const line of lines) {
      const [own = ''] = line.trim().split(' -- ');
      expect(own).toMatch(new RegExp(`^keepwatch ${command}\\b`));
      for (const option of own.match(/--[a-z-]+/g) ?? []) expect(options + ofAll).toContain(option);
    }
  }
});

it('wrong arguments are refused with a reference to the help of the command', async () => {
  const { code, stderr } = await onTerminal(['incidents', 'snooze', 'inc_1']);
  expect([code, stderr]).toEqual([
    2,
    "keepwatch: Required option '--for <duration>' not specified.\nTo see all, run keepwatch incidents snooze --help.\n",
  ]);
});

it('a wrong command is reported as JSON if the output is JSON', async () => {
  const wrong = await onTerminal(['aply', '-o', 'json'], { isTerminal: false });
  expect([wrong.code, wrong.stdout, JSON.parse(wrong.stderr)]).toEqual([
    2,
    '',
    {
      error: {
        code: null,
        message: "Unknown command 'aply'.",
        hint: 'Did you mean apply?',
        errors: [],
        exitCode: 2,
      },
    },
  ]);
  const asText = await onTerminal(['aply'], { isTerminal: false });
  expect(asText.stderr).toBe(
    "keepwatch: Unknown command 'aply'.\nDid you mean apply?\nTo see all, run keepwatch --help.\n",
  );
});

async function listMonitors(data: readonly object[], parameters = ['monitors', 'list']) {
  await service.close();
  service = await startFakeService({ 'GET /v1/monitors': [[200, { data, nextCursor: null }]] });
  const own = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test', NO_COLOR: '1' };
  return onTerminal(parameters, { environment: own });
}

it('lists begin with checks that are down, and leave out ids that would be cut', async () => {
  const regions = ['eu-west', 'us-east', 'ap-south'];
  const data = [
    monitor({ key: null, name: 'Fine' }),
    monitor({ key: null, name: 'Broken', status: 'down', regions }),
  ];
  const narrow = (await listMonitors(data)).stdout.trimEnd().split('\n');
  expect(narrow.map((line) => line.split(/ {2,}/).slice(0, 2))).toEqual([
    ['STATUS', 'NAME'],
    ['down', 'Broken'],
    ['up', 'Fine'],
  ]);
  const short = await listMonitors([monitor({ key: null, name: 'Fine' })]);
  expect(short.stdout).toContain(monitor({}).id);
});

it('a name is found in capital or small letters if that names one check', async () => {
  const data = [monitor({ key: null, name: 'A Shop' }), monitor({ key: null, name: 'a shop 2' })];
  const get = (name: string) => listMonitors(data, ['monitors', 'get', name]);
  expect(await get('a shop')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^A Shop/) });
  data.push(monitor({ key: null, name: 'A SHOP' }));
  expect((await get('a shop')).code).toBe(5);
  expect((await get('A SHOP')).code).toBe(0);
});
