/**
 * Tests a rollout over hundreds of monitors, which are checked in the meantime, on the whole service. Each process is
 * killed in the middle of the rollout. Each slot is checked once or named as missed, and the undo restores the same
 * export, byte by byte.
 */
import { z } from 'zod';
import { type ApiClient, createApiClient, type Result } from '../support/api-client';
import { type CountingTarget, startCountingTarget } from '../support/counting-target';
import { startService, type TestService } from '../support/service';
import { testSize } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const MONITORS = testSize('monitors', { ci: 60, long: 500 });
const INTERVAL_MS = 60_000;
const ANY = z.looseObject({});
const rolloutShape = z.object({
  id: z.string(),
  state: z.string(),
  progress: z.object({
    total: z.number(),
    pending: z.number(),
    changed: z.number(),
    failed: z.number(),
  }),
});
type Rollout = z.output<typeof rolloutShape>;

let service: TestService;
let target: CountingTarget;
let api: ApiClient;
let apiKey: string;

beforeAll(async () => {
  target = await startCountingTarget();
  service = await startService({ regions: ['eu-west'] });
  ({ apiKey } = await service.setup());
  api = createApiClient(service.url, apiKey);
});
afterAll(async () => {
  await service?.stop();
  await target?.close();
});

const readRollout = (id: string) =>
  api.call(
    { method: 'GET', path: `/v1/rollouts/${id}?limit=1` },
    { status: 200, shape: rolloutShape },
  );

const start = (path: string, body: object) =>
  api.call({ method: 'POST', path, body }, { status: 202, shape: rolloutShape });

/** Returns the export as text, because the undo must restore it byte by byte. */
async function readExport(): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}` };
  return (await fetch(`${service.url}/v1/export`, { headers })).text();
}

/** Kills the process after the rollout has changed some resources, and restarts the process. */
async function killMidway(name: string, id: string): Promise<Rollout> {
  const midway = await waitUntil('a part is changed', async () => {
    const found = await readRollout(id);
    return found.progress.changed > 0 && found;
  });
  await service.kill(name);
  await service.start(name);
  return midway;
}

const untilEnded = (id: string) =>
  waitUntil('the end of the rollout', async () => {
    const found = await readRollout(id);
    return found.state === 'ended' && found;
  });

/** Upper bound of the share of monitors that may miss a slot on a slow machine. */
const MISSING_PART_MAX = 0.1;

/**
 * Expects that each slot is at most an interval after the previous slot, or after the gap that names the missing slots.
 * Returns true if slots were missed.
 */
function requireUnbroken(results: readonly Result[]): boolean {
  const spans = results
    .map(({ slot, gap }) => ({ fromMs: Date.parse(slot), toMs: Date.parse(gap?.to ?? slot) }))
    .sort((a, b) => a.fromMs - b.fromMs);
  expect(new Set(spans.map(({ fromMs }) => fromMs)).size).toBe(spans.length);
  const isBad = ({ gap, status }: Result): boolean => (status === 'up') === (gap !== null);
  expect(results.filter(isBad)).toEqual([]);
  const broken = spans.filter(({ fromMs }, index) => {
    const before = spans[index - 1];
    return before !== undefined && fromMs - before.toMs > INTERVAL_MS;
  });
  expect({ broken, results: broken.length === 0 ? [] : results }).toEqual({
    broken: [],
    results: [],
  });
  return results.some(({ gap }) => gap !== null);
}

test('a rollout survives kills: each monitor changes once, no slot is lost, and the undo is exact', async () => {
  const monitors = Array.from({ length: MONITORS }, (_, index) => ({
    key: `m${index}`,
    name: `Monitor ${index}`,
    url: `${target.url}/${index}`,
    interval: INTERVAL_MS / 1_000,
    retries: 0,
    tags: ['rolled'],
  }));
  const body = { monitors };
  await api.call({ method: 'POST', path: '/v1/apply', body }, { status: 200, shape: ANY });
  await waitUntil('the first checks', () =>
    monitors.every((_, index) => target.countOf(`/${index}`) > 0),
  );
  const before = await readExport();

  const faster = { filter: { tag: 'rolled' }, action: 'set', set: { interval: 30 } };
  const { id } = await start('/v1/monitors/bulk', faster);
  const midway = await killMidway('orchestrator', id);
  expect(midway.progress.pending).toBeGreaterThan(0);
  expect(await untilEnded(id)).toMatchObject({ progress: { changed: MONITORS, failed: 0 } });
  expect(await readExport()).not.toBe(before);

  const undo = await start(`/v1/rollouts/${id}/undo`, {});
  await killMidway('api', undo.id);
  await killMidway('orchestrator', undo.id);
  expect(await untilEnded(undo.id)).toMatchObject({ progress: { changed: MONITORS, failed: 0 } });
  expect(await readExport()).toBe(before);

  const page = z.object({
    data: z.array(z.object({ id: z.string(), url: z.string(), version: z.number() })),
  });
  const listed = await api.call(
    { method: 'GET', path: '/v1/monitors?limit=500' },
    { status: 200, shape: page },
  );
  expect(listed.data).toHaveLength(MONITORS);
  let missing = 0;
  for (const { id: monitorId, url, version } of listed.data) {
    expect(version).toBe(3);
    const made = target.countOf(new URL(url).pathname);
    const results = await api.resultsOf(monitorId);
    if (requireUnbroken(results)) missing += 1;
    // Each of the two changes may have cancelled a check in flight. One more check may not be stored yet.
    const measured = results.filter(({ gap }) => gap === null);
    expect(made - measured.length).toBeLessThanOrEqual(3);
  }
  expect(missing).toBeLessThanOrEqual(MONITORS * MISSING_PART_MAX);
});
