/**
 * Tests two versions of the workflows at the same time: an upgrade, the death of the only orchestrator with the new
 * version, and in the long form a rollback of two orchestrators. The new version adds a command, so neither version can
 * replay histories of the other version.
 */
import { Client, Connection } from '@temporalio/client';
import { z } from 'zod';
import { listOlderBuilds } from '../../src/temporal/upgrade/builds';
import { type ApiClient, createApiClient } from '../support/api-client';
import { never } from '../support/never';
import { makeOtherBuild, type OtherBuild } from '../support/other-build';
import { startService, type TestService } from '../support/service';
import { readSlots } from '../support/slots';
import { type SwitchableTarget, startSwitchableTarget } from '../support/switchable-target';
import { isLongForm, testSize } from '../support/test-size';
import { waitUntil } from '../support/wait-until';

const INTERVAL_S = 10;
const BUSY = testSize('busy', { ci: 3, long: 8 });
const IS_CURRENT = 'this build takes new workflows';

let newer: OtherBuild;
let target: SwitchableTarget;
let service: TestService;
let client: Client;
let ids: readonly string[];
let api: ApiClient;

beforeAll(async () => {
  newer = makeOtherBuild('99.0.0', '_workflow.upsertMemo({ upgraded: true })');
  target = await startSwitchableTarget();
  service = await startService({ regions: ['eu-west'] });
  if (isLongForm) await service.startOrchestrator('second');
  const connection = Connection.lazy({ address: service.temporalAddress });
  client = new Client({ connection, namespace: service.suite });
  api = createApiClient(service.url, (await service.setup()).apiKey);
  const create = (name: string, interval: number) =>
    api.createMonitor({ name, url: `${target.url}/${name}`, interval });
  await untilCurrent('orchestrator', 'second');
  const made: string[] = [];
  for (let index = 0; index < BUSY; index += 1)
    made.push(await create(`busy-${index}`, INTERVAL_S));
  // The last workflow sleeps for an hour, so only a signal wakes it.
  ids = [...made, await create('asleep', 3_600)];
  for (const id of ids)
    await waitUntil(`${id} is checked`, async () => (await api.resultsOf(id)).length > 0);
});
afterAll(async () => {
  await client?.connection.close();
  await service?.stop();
  await target?.close();
  newer?.remove();
});

/** Resolves when one of these orchestrators reports that its build is current. All of them have the same build. */
async function untilCurrent(...names: readonly string[]): Promise<void> {
  await waitUntil(`${names.join(' or ')} is current`, () =>
    names.some((name) => service.logOf(name).includes(IS_CURRENT)),
  );
}

/** Resolves when every busy monitor has a result for a slot after the instant. */
async function untilChecked(sinceMs: number): Promise<void> {
  for (const id of ids.slice(0, BUSY))
    await waitUntil(`${id} is checked`, async () => {
      const [last] = await api.resultsOf(id);
      return last !== undefined && Date.parse(last.slot) > sinceMs;
    });
}

/**
 * Resolves when the workflow of every monitor, even the sleeping one, runs on a build of the
 * release.
 */
async function untilAllOn(release: string): Promise<void> {
  const isThere = `TemporalWorkerDeploymentVersion STARTS_WITH 'keepwatch:${release}'`;
  const query = `WorkflowType = 'monitorWorkflow' AND ExecutionStatus = 'Running' AND ${isThere}`;
  await waitUntil(`all workflows are on ${release}`, async () => {
    return (await client.workflow.count(query)).count === ids.length;
  });
}

/**
 * Returns true for problems that a busy machine may cause. It may miss slots and record this, but must never report a
 * target as down.
 */
const isLateCode = (code: string | undefined): boolean =>
  code === 'missed' || code === 'region_unavailable';

/** Reads the problems that are recorded for slots of the busy monitors. */
async function readFaults() {
  const all = await Promise.all(ids.map(api.resultsOf));
  const busy = all.slice(0, BUSY);
  const ledgers = busy.map((results) =>
    readSlots(results, { region: 'eu-west', intervalMs: INTERVAL_S * 1_000 }),
  );
  return {
    unnamed: ledgers.flatMap(({ unnamed }) => unnamed),
    doubled: ledgers.flatMap(({ doubled }) => doubled),
    notUp: all
      .flat()
      .filter(({ status, failure }) => status !== 'up' && !isLateCode(failure?.code)),
  };
}

async function expectNoFaults(): Promise<void> {
  const { notUp, ...slots } = await readFaults();
  await never(() => expect(slots).toEqual({ unnamed: [], doubled: [] }));
  expect(notUp).toEqual([]);
}

/** Requests a check of each monitor, even the sleeping one, and waits for its result. */
async function checkAllNow(): Promise<void> {
  const shape = z.looseObject({ id: z.string() });
  for (const id of ids) {
    const run = { method: 'POST', path: `/v1/monitors/${id}/run` };
    const { id: requestId } = await api.call(run, { status: 202, shape });
    const asked = { method: 'GET', path: `/v1/monitors/${id}/results?requestId=${requestId}` };
    const page = z.object({ data: z.array(z.unknown()) });
    await waitUntil(`the check of ${id}`, async () => {
      return (await api.call(asked, { status: 200, shape: page })).data.length > 0;
    });
  }
}

if (isLongForm) {
  test('an upgrade and a rollback of two orchestrators under load do not lose or stop a workflow', async () => {
    await service.startOrchestrator('newer', newer.folder);
    await service.startOrchestrator('newer second', newer.folder);
    await untilCurrent('newer', 'newer second');
    await untilAllOn('99.0.0');
    await Promise.all(['orchestrator', 'second'].map((name) => service.kill(name, 'SIGTERM')));
    await untilChecked(Date.now());

    await service.start('orchestrator');
    await untilAllOn('0.');
    await Promise.all(['newer', 'newer second'].map((name) => service.kill(name, 'SIGTERM')));
    await untilChecked(Date.now());
    await expectNoFaults();
    const logs = ['orchestrator', 'second', 'newer', 'newer second'].map(service.logOf).join('');
    expect(logs).not.toMatch(/nondetermin/i);
    expect(logs).not.toMatch(/"restarted":[1-9]/);
  });

  test('a Temporal server that has lost the current build gets the build again, and checks continue', async () => {
    const older = await waitUntil('builds that are needed but not current', async () => {
      await client.workflowService.setWorkerDeploymentCurrentVersion({
        namespace: service.suite,
        deploymentName: 'keepwatch',
        buildId: '',
        ignoreMissingTaskQueues: true,
      });
      const found = await listOlderBuilds(client, 100);
      return found.length > 0 && found;
    });
    const monitors = older.map(({ workflows }) => workflows.get('monitorWorkflow') ?? 0);
    expect(monitors.reduce((sum, count) => sum + count)).toBe(ids.length);
    await waitUntil('a build is current again', async () => {
      const { workerDeploymentInfo } = await client.workflowService.describeWorkerDeployment({
        namespace: service.suite,
        deploymentName: 'keepwatch',
      });
      const build = workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId ?? '';
      return build !== '';
    });
    await untilChecked(Date.now());
    await expectNoFaults();
  });
}

test('an upgrade and the death of the only new orchestrator do not lose or stop a workflow', async () => {
  await service.startOrchestrator('newer', newer.folder);
  await untilAllOn('99.0.0');
  const old = [...service.processes.keys()].filter((name) => /^(orchestrator|second)$/.test(name));
  await Promise.all(old.map((name) => service.kill(name, 'SIGTERM')));
  await checkAllNow();
  const logs = [...old, 'newer'].map(service.logOf).join('');
  expect(logs).not.toMatch(/nondetermin/i);
  expect(logs).not.toMatch(/"restarted":[1-9]/);

  for (const name of old) await service.start(name);
  await service.kill('newer');
  await untilAllOn('0.');
  await checkAllNow();
  await expectNoFaults();
});
