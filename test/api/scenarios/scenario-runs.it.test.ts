/**
 * Tests runs that pipelines request, on the real application and database: limits, waits, results, and tests of
 * scenarios.
 *
 * Covers:
 * - services/scenarios/runs
 * - services/scenarios/test-scenario
 * - services/secrets/seal-run-variables
 */
import type { RunRecord } from '../../../src/contracts/records';
import type { ScenarioRunInput } from '../../../src/contracts/scenario-run';
import { createRunWatch } from '../../../src/services/live/run-watch';
import { runRecord } from '../../models/example-records';
import { manyTimes } from '../../support/many-times';
import { accountOfEach, agentOf, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfEach(service);
const as = agentOf(service, account);
let runs: string;
let scenarioId: string;

const STEP = { name: 'open', url: 'https://shop.example.com/' };

beforeEach(async () => {
  const { body } = await as()
    .post('/v1/scenarios')
    .send({ name: 'Login', steps: [STEP] });
  scenarioId = body.id;
  runs = `/v1/scenarios/${scenarioId}/results`;
});
afterEach(() => {
  service.gateway.away = null;
  service.gateway.underWay.clear();
});

const trigger = (body: object = {}, query = '') =>
  as().post(`/v1/scenarios/${scenarioId}/run${query}`).send(body);

async function storedRun(runId: string): Promise<RunRecord> {
  const run = await service.services.stores.runs.find(account.id, runId);
  if (run === null) throw new Error('no such run');
  return run;
}

/** Stores the end of a run as the workflow does. */
async function finish(runId: string, status: RunRecord['status'] = 'passed'): Promise<void> {
  const run = await storedRun(runId);
  const finishedAtMs = service.clock.nowMs;
  await service.services.stores.runs.save(account.id, {
    ...run,
    status,
    sequence: run.sequence + 1,
    startedAtMs: run.queuedAtMs,
    finishedAtMs,
  });
}

async function all(page = runs): Promise<{ id: string; status: string; label: string | null }[]> {
  return (await as().get(`${page}?limit=200`)).body.data;
}

describe('a request for runs', () => {
  it('a request for runs starts a run in each named region with one signal', async () => {
    const { status, body } = await trigger({ regions: ['us-east', 'eu-west', 'us-east'] });
    expect(status).toBe(202);
    expect(body.runs.map(({ region }: { region: string }) => region)).toEqual([
      'us-east',
      'eu-west',
    ]);
    expect(body).toMatchObject({ id: body.runs[0].id, region: 'us-east', status: 'queued' });
    const calls = service.gateway.calls.filter(
      ({ name, id }) => name === 'runScenarioNow' && id === scenarioId,
    );
    expect(calls).toMatchObject([{ request: { runs: [{ region: 'us-east' }, {}] } }]);
    expect(await all()).toHaveLength(2);
  });

  it('a request for runs responds with 200 only when every region has ended', async () => {
    const { sleep } = service.services;
    const begun = (await trigger({ regions: ['eu-west', 'us-east'] })).body.runs;
    expect(begun).toHaveLength(2);
    await sleep(1);
    const waiting = trigger({ regions: ['eu-west', 'us-east'] }, '?wait=60');
    const late = await waiting;
    expect(late.status).toBe(202);
    for (const { id } of late.body.runs) await finish(id);
    expect((await as().get(`${runs}/${late.body.id}?wait=60`)).body.status).toBe('passed');
  });

  it('a request for runs is refused while 20 runs are unfinished, and accepted once one has ended', async () => {
    const begun: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      service.clock.nowMs += 1;
      begun.push((await trigger({ label: `${count}` })).body.id);
    }
    service.clock.nowMs += 1;
    const refused = await trigger();
    expect([refused.status, refused.body.code]).toEqual([409, 'run_in_progress']);
    expect(await all()).toHaveLength(20);
    await finish(begun[3] ?? '');
    service.clock.nowMs += 1;
    expect((await trigger()).status).toBe(202);
    const other = await as()
      .post('/v1/scenarios')
      .send({ name: 'Other', steps: [STEP] });
    expect((await as().post(`/v1/scenarios/${other.body.id}/run`)).status).toBe(202);
  });

  it('a request for runs reports correctly whether its run was accepted, even among fifty requests', async () => {
    const answers = await manyTimes(50, async () => trigger());
    const statuses = answers.map(({ status }) => status);
    // The limit is 20. A run may be counted late, so more than 20 runs may be accepted, but never fewer.
    expect(new Set(statuses)).toEqual(new Set([202, 409]));
    expect(statuses.filter((status) => status === 202).length).toBeGreaterThanOrEqual(20);
    const kept = (await all()).map(({ id }) => id);
    const told = answers.filter(({ status }) => status === 202).map(({ body }) => body.id);
    expect(new Set(kept)).toEqual(new Set(told));
  });

  it('a request for runs that is sent many times at once starts one run per Idempotency-Key', async () => {
    const sendOnce = () => trigger({ label: 'once' }).set('Idempotency-Key', 'deploy-7');
    // On a busy machine, a caller may get a 503 after a long wait. The caller retries.
    const send = async () => {
      let answer = await sendOnce();
      while (answer.status === 503) answer = await sendOnce();
      return answer;
    };
    const answers = await Promise.all(Array.from({ length: 50 }, send));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const begun = service.gateway.callsOf(scenarioId).filter((name) => name === 'runScenarioNow');
    expect(begun).toHaveLength(1);
    expect(await all()).toHaveLength(1);
  });

  it.each([
    [{ variables: { 'no-name': 1 } }, 'variables.no-name'],
    [{ source: { url: 'javascript:alert(1)' } }, 'source.url'],
    [{ source: { colour: 'x' } }, 'source.colour'],
    [{ regions: [] }, 'regions'],
    [{ label: ' ' }, 'label'],
  ])('a request for runs refuses %j and starts nothing', async (body, path) => {
    const answer = await trigger(body);
    expect(answer.body).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(answer.body.errors[0].path).toBe(path);
    expect(await all()).toEqual([]);
  });

  it('a request for runs refuses variables of more than 32 KiB and starts nothing', async () => {
    const { body } = await trigger({ variables: { a: 'x'.repeat(33_000) } });
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'variables' }] });
    expect(await all()).toEqual([]);
  });
});

describe('the list of runs', () => {
  it('the list of runs is filtered by several statuses, and is oldest first on request', async () => {
    const ends = ['failed', 'passed', 'timed_out', 'failed'] as const;
    const ids: string[] = [];
    for (const status of ends) {
      service.clock.nowMs += 1_000;
      const { id } = (await trigger()).body;
      await finish(id, status);
      ids.push(id);
    }
    const idsOf = async (query: string): Promise<readonly string[]> =>
      (await as().get(`${runs}?${query}`)).body.data.map(({ id }: { id: string }) => id);
    const failed = [ids[0], ids[2], ids[3]];
    expect(await idsOf('status=failed,timed_out&order=oldest')).toEqual(failed);
    expect(await idsOf('status=failed,timed_out')).toEqual(failed.toReversed());
    expect(await idsOf('status=passed')).toEqual([ids[1]]);
    const first = await as().get(`${runs}?order=oldest&limit=3`);
    const rest = `cursor=${first.body.nextCursor}&order=oldest&limit=3`;
    expect(await idsOf(rest)).toEqual([ids[3]]);
    for (const query of ['status=failed,gone', 'order=random', `cursor=${first.body.nextCursor}`])
      expect((await as().get(`${runs}?${query}`)).status).toBe(400);
  });
});

describe('cancelling a run', () => {
  it('cancelling a run that has begun sends the cancellation to Temporal, and leaves its record to the workflow', async () => {
    const { body } = await trigger();
    const run = await storedRun(body.id);
    const begun = { ...run, status: 'running', sequence: 1, startedAtMs: run.queuedAtMs } as const;
    await service.services.stores.runs.save(account.id, begun);
    service.gateway.underWay.add(body.id);
    const answer = await as().post(`${runs}/${body.id}/cancel`);
    expect([answer.status, answer.body.status]).toEqual([202, 'running']);
    expect(service.gateway.callsOf(scenarioId).at(-1)).toBe('cancelRun');
  });

  it('cancelling a queued run records its end at once', async () => {
    const { body } = await trigger();
    service.gateway.underWay.add(body.id);
    const answer = await as().post(`${runs}/${body.id}/cancel`);
    expect(answer.body).toMatchObject({
      status: 'cancelled',
      failure: { code: 'cancelled' },
      steps: [{ status: 'skipped', skippedReason: 'the run was cancelled' }],
    });
    expect((await as().get(`${runs}/${body.id}`)).body).toEqual(answer.body);
  });

  it('cancelling a run that has ended is refused', async () => {
    const { body } = await trigger();
    await finish(body.id, 'failed');
    const answer = await as().post(`${runs}/${body.id}/cancel`);
    expect([answer.status, answer.body.code]).toEqual([409, 'already_finished']);
  });

  it('cancelling a run fails without changing the run while Temporal is away', async () => {
    const { body } = await trigger();
    service.gateway.away = 'work';
    expect((await as().post(`${runs}/${body.id}/cancel`)).status).toBe(503);
    expect((await storedRun(body.id)).status).toBe('queued');
  });
});

describe('a long poll', () => {
  it('a long poll of many clients queries the database no more often than a long poll of one client', async () => {
    const scenario = { accountId: 'acc_1', scenarioId: 'scn_1' };
    const wanted = Array.from({ length: 200 }, () => runRecord(scenario).runId);
    const half = new Set(wanted.slice(0, 100));
    const clock = { nowMs: 0 };
    let looks = 0;
    const watch = createRunWatch({
      clock: { now: () => clock.nowMs },
      sleep: async (ms) => {
        clock.nowMs += ms;
      },
      runs: {
        findEnded: async (_accountId, ids) => {
          looks += 1;
          return new Set(clock.nowMs >= 5_000 ? ids.filter((id) => half.has(id)) : []);
        },
      },
    });
    await Promise.all(wanted.map((runId) => watch.untilEnded('acc_1', runId, 10_000)));
    expect(clock.nowMs).toBe(10_000);
    expect(looks).toBe(40);
  });

  it('a long poll fails for all waiting clients if the database fails, and works again later', async () => {
    let isAway = true;
    const watch = createRunWatch({
      clock: { now: () => 0 },
      sleep: async () => undefined,
      runs: {
        findEnded: async (_accountId, ids) => {
          if (isAway) throw new Error('away');
          return new Set(ids);
        },
      },
    });
    const two = ['run_1', 'run_2'].map((id) => watch.untilEnded('acc_1', id, 1_000));
    const ends = await Promise.allSettled(two);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    await expect(watch.untilEnded('acc_1', 'run_3', 1_000)).resolves.toBeUndefined();
  });
});

it('a secret variable of a run is encrypted', async () => {
  const { body: scenario } = await as()
    .post('/v1/scenarios')
    .send({ name: 's', steps: [STEP] });
  const run = (variables: object) =>
    as().post(`/v1/scenarios/${scenario.id}/run`).send({ variables });
  const marked = {
    pin: { value: 'very secret', secret: true },
    plain: { value: 7, secret: false },
  };
  expect((await run({ ...marked, json: { value: 1 } })).status).toBe(202);
  const { request: sent } = service.gateway.calls.at(-1) ?? {};
  expect(sent).toMatchObject({
    runs: [
      {
        variables: [
          { name: 'pin', secret: true },
          { name: 'plain', value: 7 },
          { name: 'json', value: { value: 1 } },
        ],
      },
    ],
  });
  expect(JSON.stringify(sent)).not.toContain('very secret');
  for (const pin of [
    { value: 7_000_000, secret: true },
    { value: 'abc', secret: true },
  ]) {
    const refused = await run({ pin });
    expect(refused.body).toMatchObject({ status: 400, code: 'validation_failed' });
  }
});

describe('a test of an unsaved scenario', () => {
  const BODY = {
    name: 'Draft',
    steps: [{ ...STEP, retries: 3, waitSeconds: 5 }],
    variables: { pin: { value: 'very secret', secret: true } },
    timeoutSeconds: 86_400,
    region: 'us-east',
  };
  const tryOut = (body: object = BODY) => as().post('/v1/scenarios/test').send(body);
  const answerWith = (run: ScenarioRunInput): RunRecord => ({
    ...runRecord({ accountId: account.id, scenarioId: run.scenarioId }),
    trigger: 'test',
    status: 'passed',
  });

  it('a test of an unsaved scenario returns its run, which no list shows', async () => {
    let input: ScenarioRunInput | undefined;
    service.gateway.testRun = async (run) => {
      input = run;
      const { revisions } = service.services.stores;
      const stored = await revisions.find(account.id, 'scenario', run.scenarioId, run.revision);
      expect(stored).toMatchObject({ steps: [{ url: STEP.url, retries: 0 }] });
      return answerWith(run);
    };
    const { status, body } = await tryOut();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: null,
      scenarioId: null,
      kind: 'test',
      trigger: 'test',
      status: 'passed',
      links: { self: null },
    });
    expect(input).toMatchObject({ region: 'us-east', trigger: 'test', timeoutSeconds: 90 });
    expect(input?.steps).toMatchObject([{ name: 'open', waitMs: 5_000, budgetMs: 10_000 }]);
    expect((await as().get('/v1/scenarios')).body.data).toHaveLength(1);
    const { revisions, runs: stored } = service.database.database.models;
    expect(await revisions.countDocuments({ accountId: account.id })).toBe(1);
    expect(await stored.countDocuments({ accountId: account.id })).toBe(0);
  });

  it.each([
    [{ region: 'mars' }, 'unknown_region', 'region'],
    [{ steps: [{ name: 'a', url: 'http://169.254.169.254/' }] }, 'blocked_target', 'steps[0].url'],
    [{ steps: [{ ...STEP, url: 'https://{{x}}/' }] }, 'unknown_variable', 'steps[0].url'],
    [{ variables: { pin: { secret: true } } }, 'validation_failed', 'variables.pin.value'],
  ])('a test of an unsaved scenario refuses %j and sends nothing', async (change, code, path) => {
    const { body } = await tryOut({ ...BODY, ...change });
    expect(body).toMatchObject({ status: 400, code, errors: [{ path }] });
    expect(service.gateway.calls.at(-1)?.name).not.toBe('testScenario');
  });

  it('a test of an unsaved scenario responds with an error if Temporal does not end the test in time', async () => {
    service.gateway.away = 'work';
    expect((await tryOut()).body).toMatchObject({ status: 503, code: 'unavailable' });
  });
});
