/**
 * Kills processes at random points of runs with five steps and a POST in the middle. Afterwards the requests that the
 * target received must match the records. KEEPWATCH_TEST_KILLS sets the number of points. KEEPWATCH_TEST_SEED repeats
 * the points of a failed run.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type ApiClient, createApiClient } from '../support/api-client';
import { createRandom } from '../support/random';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { startService, type TestService } from '../support/service';
import { testSeed } from '../support/test-seed';
import { testSize } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const POINTS = testSize('kills', { ci: 9, long: 60 });
const SEED = testSeed();
/** Number of runs that each kill hits, each at another point. A scenario accepts at most 20 runs at a time. */
const RUNS_PER_KILL = 4;
const ANSWER_MS = 150;
/** Duration of a run in milliseconds: five responses and the pauses between them. */
const RUN_MS = 1_300;

const VICTIMS = {
  probe: ['probe-eu-west'],
  orchestrator: ['orchestrator'],
  everything: ['api', 'orchestrator', 'probe-eu-west'],
} as const;
type Victim = keyof typeof VICTIMS;

const stepShape = z.object({
  name: z.string(),
  status: z.string(),
  finishedAt: z.string().nullable(),
  extracted: z.array(z.object({ name: z.string(), value: z.unknown() })),
});
const runShape = z.object({
  id: z.string(),
  status: z.string(),
  finishedAt: z.string().nullable(),
  failure: z.object({ code: z.string(), stepName: z.string().nullable() }).nullable(),
  steps: z.array(stepShape),
});
type Run = z.output<typeof runShape>;

let service: TestService;
let target: RecordingTarget;
let api: ApiClient;
let scenarioId: string;

const random = createRandom(SEED);

beforeAll(async () => {
  target = await startRecordingTarget(({ url, method }, response) => {
    const runId = url.split('/')[2] ?? '';
    setTimeout(() => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ token: `t-${runId}`, id: `o-${runId}`, method }));
    }, ANSWER_MS);
  });
  service = await startService({ regions: ['eu-west'] });
  api = createApiClient(service.url, (await service.setup()).apiKey);
  const at = (path: string) => `${target.origin}/r/{{$runId}}${path}`;
  const headers = { authorization: '{{token}}' };
  const quick = { timeoutMs: 1_000 };
  const steps = [
    { name: 'log in', url: at('/login'), extract: { token: '$.token' }, ...quick },
    { name: 'read shop', url: at('/shop'), headers, ...quick },
    {
      name: 'order',
      method: 'POST',
      url: at('/orders'),
      headers,
      extract: { id: '$.id' },
      ...quick,
    },
    { name: 'change', method: 'PUT', url: at('/orders/{{id}}'), headers, ...quick },
    { name: 'tidy', method: 'DELETE', url: at('/all'), headers, always: true, ...quick },
  ];
  const body = { name: 'killed', interval: 604_800, enabled: false, steps };
  const request = { method: 'POST', path: '/v1/scenarios', body };
  scenarioId = (await api.call(request, { status: 201, shape: z.object({ id: z.string() }) })).id;
});
afterAll(async () => {
  await service?.stop();
  await target?.close();
});

async function trigger(): Promise<string> {
  const request = { method: 'POST', path: `/v1/scenarios/${scenarioId}/run` };
  return (await api.call(request, { status: 202, shape: z.object({ id: z.string() }) })).id;
}

function readRun(id: string): Promise<Run> {
  const request = { method: 'GET', path: `/v1/scenarios/${scenarioId}/results/${id}` };
  return api.call(request, { status: 200, shape: runShape });
}

const seenOf = (runId: string) =>
  target.received.filter(({ url }) => url.startsWith(`/r/${runId}/`));

/** Starts runs so that the kill hits them at points spread over their whole duration. */
async function hit(victim: Victim): Promise<readonly string[]> {
  const offsets = Array.from({ length: RUNS_PER_KILL }, () => random() * RUN_MS).toSorted(
    (a, b) => b - a,
  );
  const started: Promise<string>[] = [];
  for (const [index, offset] of offsets.entries()) {
    started.push(trigger());
    await sleep(offset - (offsets[index + 1] ?? 0));
  }
  const ids = await Promise.all(started);
  await Promise.all(VICTIMS[victim].map((name) => service.kill(name)));
  return ids;
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** Checks everything that must hold for a run after any kill. Returns the violations in words. */
function faultsOf(run: Run, victim: Victim): readonly string[] {
  const sent = seenOf(run.id);
  const times = (method: string, path: string) =>
    sent.filter((one) => one.method === method && one.url.endsWith(path)).length;
  const counts = [
    times('GET', '/login'),
    times('GET', '/shop'),
    times('POST', '/orders'),
    times('PUT', `/orders/o-${run.id}`),
    times('DELETE', '/all'),
  ];
  const isLost = run.failure?.code === 'worker_lost' && run.status === 'error';
  const most = victim === 'orchestrator' ? [1, 1, 1, 1, 1] : [2, 2, 1, 2, 2];
  const unauthorised = sent.filter(
    ({ url, headers }) => !url.endsWith('/login') && headers.authorization !== `t-${run.id}`,
  );
  const statuses = run.steps.map(({ status }) => status);
  return [
    ...(run.status === 'passed' || (isLost && victim !== 'orchestrator') ? [] : ['its status']),
    ...(counts.every((count, index) => count <= (most[index] ?? 0)) ? [] : ['repeated steps']),
    ...(counts.reduce((sum, count) => sum + count, 0) === sent.length ? [] : ['foreign requests']),
    ...(run.status !== 'passed' || counts.every((count) => count > 0) ? [] : ['missing steps']),
    ...((counts[0] ?? 0) === 0 || (counts[4] ?? 0) > 0 ? [] : ['no clean-up']),
    ...(unauthorised.length === 0 ? [] : ['lost values']),
    ...(statuses.every((status) => ['passed', 'error', 'skipped'].includes(status))
      ? []
      : ['open steps']),
    ...(isLost && statuses.filter((status) => status === 'error').length === 0 ? ['no cause'] : []),
  ].map((fault) => `${fault}: ${run.status} ${statuses.join()} seen ${counts.join()}`);
}

test(`kills at ${POINTS} random points lose no run, send no POST twice and skip no clean-up (seed ${SEED})`, async () => {
  const victims = ['probe', 'orchestrator', 'everything'] as const;
  const faults: string[] = [];
  let hits = 0;
  const ends = new Map<string, number>();
  const places = new Map<string, number>();
  for (let round = 0; hits < POINTS; round += 1) {
    const victim = victims[round % victims.length] ?? 'probe';
    const ids = await hit(victim);
    for (const id of ids) count(places, `${seenOf(id).length} sent`);
    for (const name of VICTIMS[victim]) await service.start(name);
    for (const id of ids) {
      const run = await waitUntil(
        `the end of ${id} after a kill of ${victim} (seed ${SEED})`,
        async () => {
          const seen = await readRun(id);
          return seen.finishedAt === null ? undefined : seen;
        },
      );
      faults.push(...faultsOf(run, victim).map((fault) => `${victim}, ${fault}`));
      count(ends, `${victim} ${run.status}`);
      hits += 1;
    }
  }
  const seen = [places, ends].map((counts) => JSON.stringify(Object.fromEntries(counts)));
  process.stderr.write(`seed ${SEED}, ${hits} points: ${seen.join(' ')}\n`);
  expect(faults).toEqual([]);
}, 3_600_000);
