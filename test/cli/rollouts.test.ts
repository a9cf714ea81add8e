/** Tests `keepwatch rollouts`: the change of each rollout, its progress, and its undo. */
import { type FakeService, startFakeService } from './fake-service';
import { onTerminal } from './terminal';

const rollout = (changes: object = {}) => ({
  id: 'rol_1',
  state: 'ended',
  cause: { type: 'edit' },
  change: { type: 'edit', set: { interval: 30, group: 'shop' }, unset: ['retries'] },
  actor: { type: 'user', id: 'usr_1', name: 'ann@example.com' },
  progress: { total: 3, pending: 0, changed: 1, unchanged: 1, failed: 1, skipped: 0 },
  waitsFor: null,
  undoUntil: '2026-02-01T12:00:00.000Z',
  undoneBy: null,
  createdAt: '2026-01-31T11:00:00Z',
  ...changes,
});
const reason = { code: 'limit_reached', detail: 'The plan pro allows 30 seconds or more.' };
const withItems = (changes: object = {}) => ({
  ...rollout(changes),
  items: {
    data: [
      { id: 'mon_1', name: 'Shop', state: 'failed', changes: [], reason },
      { id: 'mon_2', name: 'Blog', state: 'changed', changes: [], reason: null },
    ],
    nextCursor: null,
  },
});
const running = (pending: number) =>
  withItems({ state: 'running', progress: { ...rollout().progress, pending } });

let service: FakeService;

async function run(
  parameters: readonly string[],
  answers: Parameters<typeof startFakeService>[0],
  isTerminal = false,
) {
  service = await startFakeService(answers);
  const environment = { KEEPWATCH_URL: service.url, KEEPWATCH_API_KEY: 'kw_test' };
  return onTerminal(['rollouts', ...parameters], { environment, isTerminal });
}
afterEach(() => service.close());

test('the list of rollouts shows the change and progress of each, and JSON output is complete', async () => {
  const data = [
    rollout({
      id: 'rol_3',
      state: 'waiting',
      waitsFor: 'rol_2',
      cause: { type: 'profile', key: 'eu' },
    }),
    rollout({
      id: 'rol_2',
      state: 'running',
      cause: { type: 'undo', rolloutId: 'rol_1' },
      progress: { ...rollout().progress, pending: 2 },
    }),
    rollout(),
  ];
  const answers = { 'GET /v1/rollouts': [[200, { data, nextCursor: null }]] } as const;
  const { code, stdout } = await run(['list'], answers);
  expect(code).toBe(0);
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 4))).toEqual([
    ['ID', 'STATE', 'CHANGE', 'BY'],
    ['rol_3', 'waits for rol_2', 'profile eu', 'ann@example.com'],
    ['rol_2', 'running, 1 of 3', 'undo of rol_1', 'ann@example.com'],
    ['rol_1', 'ended', 'interval = 30, group = shop, retries = default', 'ann@example.com'],
    [''],
  ]);
  await service.close();
  const json = await run(['list', '--output', 'json'], answers);
  expect(JSON.parse(json.stdout)).toEqual({ data });
});

test('`rollouts show` lists the unchanged checks with the reason, and the command that undoes the rollout', async () => {
  const { code, stdout } = await run(['show', 'rol_1'], {
    'GET /v1/rollouts/rol_1': [[200, withItems()]],
  });
  expect([code, stdout.trimEnd().split('\n')]).toEqual([
    0,
    [
      'rol_1: ended',
      'interval = 30, group = shop, retries = default',
      '1 changed, 1 unchanged, 1 failed, 0 skipped',
      '  Shop: The plan pro allows 30 seconds or more.',
      'Until 2026-02-01T12:00:00.000Z undo it with: keepwatch rollouts undo rol_1',
    ],
  ]);
});

test('`rollouts show --wait` prints each step of the progress and fails if a check could not be changed', async () => {
  const { code, stderr, stdout } = await run(['show', 'rol_1', '--wait'], {
    'GET /v1/rollouts/rol_1': [
      [200, running(2)],
      [200, running(1)],
      [200, withItems()],
      [200, withItems()],
    ],
  });
  expect(stderr).toBe('running, 1 of 3\nrunning, 2 of 3\n');
  expect([code, stdout.split('\n')[0]]).toEqual([1, 'rol_1: ended']);
});

test('`rollouts undo` starts and shows the rollout that undoes another rollout, and explains a refusal', async () => {
  const cause = { type: 'undo', rolloutId: 'rol_1' };
  const undo = { id: 'rol_2', cause, undoUntil: null };
  const { code, stdout } = await run(['undo', 'rol_1'], {
    'POST /v1/rollouts/rol_1/undo': [[202, rollout(undo)]],
    'GET /v1/rollouts/rol_2': [[200, { ...withItems(undo), items: { data: [] } }]],
  });
  expect([code, stdout.split('\n').slice(0, 2)]).toEqual([0, ['rol_2: ended', 'undo of rol_1']]);
  await service.close();
  const detail = 'It has not ended yet. Undo it after its end.';
  const refused = await run(['undo', 'rol_1'], {
    'POST /v1/rollouts/rol_1/undo': [[409, { code: 'not_undoable', detail }]],
  });
  expect(refused.code).toBe(5);
  expect(refused.stderr).toContain(detail);
});
