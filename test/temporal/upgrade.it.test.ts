/**
 * Two versions of the workflows side by side: an upgrade and a rollback under load, and the death of the
 * only orchestrator of the new version. The new one adds a command, so that neither can replay the other.
 */
import { Client, Connection } from '@temporalio/client';
import { listOlderBuilds } from '../../src/temporal/upgrade/builds';
import { createApiClient, type Result } from '../support/api-client';
import { makeOtherBuild, type OtherBuild } from '../support/other-build';
import { startService, type TestService } from '../support/service';
import { readSlots } from '../support/slots';
import { type SwitchableTarget, startSwitchableTarget } from '../support/switchable-target';
import { waitUntil } from '../support/wait-until';

const INTERVAL_S = 10;
const BUSY = 8;
const IS_CURRENT = 'this build takes new workflows';

let newer: OtherBuild;
let target: SwitchableTarget;
let service: TestService;
let client: Client;
let ids: readonly string[];
let resultsOf: (id: string) => Promise<readonly Result[]>;

beforeAll(async () => {
  newer = makeOtherBuild('99.0.0', '_workflow.upsertMemo({ upgraded: true })');
  target = await startSwitchableTarget();
  service = await startService({ regions: ['eu-west'] });
  await service.startOrchestrator('second');
  const connection = Connection.lazy({ address: service.temporalAddress });
  client = new Client({ connection, namespace: service.suite });
  const api = createApiClient(service.url, (await service.setup()).apiKey);
  resultsOf = api.resultsOf;
  const create = (name: string, interval: number) =>
    api.createMonitor({ name, url: `${target.url}/${name}`, interval });
  await untilCurrent('orchestrator', 'second');
  const made: string[] = [];
  for (let index = 0; index < BUSY; index += 1)
    made.push(await create(`busy-${index}`, INTERVAL_S));
  // Nothing but a signal moves a workflow that sleeps for an hour.
  ids = [...made, await create('asleep', 3_600)];
  await untilChecked(0);
}, 200_000);
afterAll(async () => {
  await client?.connection.close();
  await service?.stop();
  await target?.close();
  newer?.remove();
});

/** One of several of the same build says so. */
async function untilCurrent(...names: readonly string[]): Promise<void> {
  await waitUntil(`${names.join(' or ')} is current`, () =>
    names.some((name) => service.logOf(name).includes(IS_CURRENT)),
  );
}

/** Every busy monitor has a result of a slot after the instant. */
async function untilChecked(sinceMs: number): Promise<void> {
  for (const id of sinceMs === 0 ? ids : ids.slice(0, BUSY))
    await waitUntil(`${id} is checked`, async () => {
      const [last] = await resultsOf(id);
      return last !== undefined && Date.parse(last.slot) > sinceMs;
    });
}

/** Every monitor's workflow, the sleeping one too, has come over to a build of the release. */
async function untilAllOn(release: string): Promise<void> {
  const isThere = `TemporalWorkerDeploymentVersion STARTS_WITH 'keepwatch:${release}'`;
  const query = `WorkflowType = 'monitorWorkflow' AND ExecutionStatus = 'Running' AND ${isThere}`;
  await waitUntil(`all workflows are on ${release}`, async () => {
    return (await client.workflow.count(query)).count === ids.length;
  });
}

/** A machine that has too much to do names what it did not begin in time, and never calls it down. */
const isLateCode = (code: string | undefined): boolean =>
  code === 'missed' || code === 'region_unavailable';

/** What was noted about the slots of the busy monitors. */
async function readFaults() {
  const all = await Promise.all(ids.map(resultsOf));
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

const NONE = { unnamed: [], doubled: [], notUp: [] };

test('an upgrade and a rollback of two orchestrators under load lose and stop no workflow', async () => {
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
  expect(await readFaults()).toEqual(NONE);
  const logs = ['orchestrator', 'second', 'newer', 'newer second'].map(service.logOf).join('');
  expect(logs).not.toMatch(/nondetermin/i);
  expect(logs).not.toMatch(/"begunAnew":[1-9]/);
}, 200_000);

test('a server that has lost which build is current is told again, and checks go on', async () => {
  const older = await waitUntil('builds that are needed and not current', async () => {
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
  expect(await readFaults()).toEqual(NONE);
}, 200_000);

test('after the death of the only orchestrator of a new version the old one goes on, with every workflow', async () => {
  await service.startOrchestrator('newer', newer.folder);
  await untilAllOn('99.0.0');
  await untilChecked(Date.now());
  await service.kill('newer');
  await untilAllOn('0.');
  await untilChecked(Date.now());
  expect(await readFaults()).toEqual(NONE);
}, 200_000);
