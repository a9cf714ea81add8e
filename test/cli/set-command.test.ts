/** Tests `keepwatch monitors set`. It prints the plan first and then runs the rollout. */
import { type FakeService, startFakeService } from './fake-service';
import { onTerminal } from './terminal';

const PLAN = {
  summary: { total: 2, change: 1, unchanged: 1, invalid: 0 },
  items: [
    {
      id: 'mon_1',
      name: 'Shop with a name that is far too long for a terminal of eighty columns',
      type: 'monitor',
      changes: [
        { path: 'interval', before: 60, after: 30 },
        { path: 'tags', before: ['a'], after: null },
      ],
    },
    { id: 'mon_2', name: 'Blog', type: 'monitor', changes: [] },
  ],
  problems: [],
};
const INVALID = {
  ...PLAN,
  summary: { total: 2, change: 1, unchanged: 0, invalid: 1 },
  problems: [
    { id: 'mon_2', name: 'Blog', path: 'timeoutMs', code: 'x', message: 'must not exceed it' },
  ],
};
const rollout = (state: string, pending: number) => ({
  id: 'rol_1',
  state,
  cause: { type: 'edit' },
  change: { type: 'edit', set: { interval: 30 }, unset: [] },
  actor: { type: 'user', id: 'usr_1', name: 'ann@example.com' },
  progress: { total: 2, pending, changed: 2 - pending, unchanged: 0, failed: 0, skipped: 0 },
  waitsFor: null,
  undoUntil: null,
  undoneBy: null,
  createdAt: '2026-01-31T11:00:00Z',
  items: { data: [], nextCursor: null },
});
const BULK = 'POST /v1/monitors/bulk';

let service: FakeService;
afterEach(() => service.close());

type Answers = Parameters<typeof startFakeService>[0];

async function run(
  parameters: readonly string[],
  answers: Answers,
  place: Parameters<typeof onTerminal>[1] = {},
) {
  service = await startFakeService(answers);
  const environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test' };
  return onTerminal(['monitors', 'set', ...parameters], { environment, ...place });
}

test('`set --dry-run` shows the plan in eighty columns, and sends no other request', async () => {
  const answers = { [BULK]: [[200, PLAN]] } as const;
  const { code, stdout } = await run(['interval=30', '--tag', 'shop', '--dry-run'], answers);
  const lines = stdout.trimEnd().split('\n');
  expect([code, lines.length]).toEqual([0, 4]);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines[1]).toMatch(/^Shop with a name .+ {2}interval +60 +30$/);
  expect(lines[2]).toMatch(/ {2}tags +\["a"\] +–$/);
  expect(lines[3]).toBe('1 to change, 1 unchanged, 0 invalid');
  await service.close();
  const json = ['interval=30', '--tag', 'shop', '--dry-run', '--output', 'json'];
  expect(JSON.parse((await run(json, answers)).stdout)).toEqual(PLAN);
});

test('`set --yes --wait` starts the rollout, and shows its progress and its end', async () => {
  const answers: Answers = {
    [BULK]: [
      [200, PLAN],
      [202, rollout('waiting', 2)],
    ],
    'GET /v1/rollouts/rol_1': [
      [200, rollout('running', 1)],
      [200, rollout('ended', 0)],
      [200, rollout('ended', 0)],
    ],
  };
  const given = ['interval=30', '--group', 'shop', '--yes', '--wait'];
  const { code, stdout, stderr } = await run(given, answers, { isTerminal: false });
  expect([code, stderr]).toEqual([0, 'running, 1 of 2\n']);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    'rol_1: ended',
    'interval = 30',
    '2 changed, 0 unchanged, 0 failed, 0 skipped',
  ]);
});

test('`set` names each problem of an invalid plan, and changes nothing', async () => {
  const { code, stdout } = await run(['interval=30', '--tag', 'shop', '--yes'], {
    [BULK]: [[200, INVALID]],
  });
  expect(code).toBe(5);
  expect(stdout).toContain('  Blog: timeoutMs must not exceed it\n');
});

test.each([[], ['--dry-run'], ['--yes']])(
  '`set` %s exits with 2 if nothing matches',
  async (...options) => {
    const summary = { total: 0, change: 0, unchanged: 0, invalid: 0 };
    const answers = { [BULK]: [[200, { ...PLAN, summary, items: [] }]] } as const;
    const { code, stderr } = await run(['interval=30', '--tag', 'typo', ...options], answers);
    expect([code, stderr]).toEqual([2, 'keepwatch: No monitors match. Nothing was changed.\n']);
    expect(service.asked).toHaveLength(1);
  },
);

test('without --yes, `set` shows the plan and asks for confirmation, and changes nothing if the answer is no', async () => {
  const { code, stderr } = await run(
    ['interval=30', '--tag', 'shop'],
    { [BULK]: [[200, PLAN]] },
    { input: 'n\n' },
  );
  expect(code).toBe(2);
  expect(stderr).toContain('1 to change, 1 unchanged, 0 invalid');
  expect(stderr).toContain('Nothing was changed.');
});

test.each([
  [['interval=30'], 'Give either --key or a condition'],
  [['--tag', 'shop'], 'No field is given.'],
  [['interval', '--tag', 'shop'], 'interval is not field=value.'],
])('`set` refuses the arguments %j before anything is sent', async (given, message) => {
  const { code, stderr } = await run(given, {});
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
