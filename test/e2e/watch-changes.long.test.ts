/**
 * Tests watches in a complete service: people change monitors, targets fail, and regions lose their probes. Each test
 * has its own monitors. Tests that lose a probe have their own region, so all tests can run at once.
 */
import { z } from 'zod';
import { monitorWorkflowId } from '../../src/contracts/workflows';
import type { Result } from '../support/api-client';
import { waitUntil } from '../support/wait-until';
import { startWatchService, type WatchService } from '../support/watch-service';

const BOTH = ['eu-west', 'us-east'];
const CHANGED = ['/paused', '/edited', '/asked', '/deleted-in-flight'] as const;
const ANY = z.looseObject({});

let watched: WatchService;

beforeAll(async () => {
  const both = ['/failing', '/deleted', ...CHANGED].map((path) => [path, BOTH]);
  watched = await startWatchService({
    ...Object.fromEntries(both),
    '/lost': ['sa-east'],
    '/suspended': ['ap-south'],
    '/shared': ['ca-central'],
  });
  await watched.service.startAnother('probe-second', 'probe-ca-central');
});
afterAll(() => watched?.stop());

const resultsOf = (path: string): Promise<readonly Result[]> =>
  watched.api.resultsOf(watched.idOf(path));

const pathOf = (path: string): string => `/v1/monitors/${watched.idOf(path)}`;

async function endOfWorkflow(path: string): Promise<void> {
  await watched.client.workflow.getHandle(monitorWorkflowId(watched.idOf(path))).result();
}

test.concurrent('a failing monitor is down at the next slot, and watches check it while it stays down', async () => {
  const { target, untilAllWatched } = watched;
  await untilAllWatched(['/failing']);
  const failedMs = Date.now();
  target.failing.add('/failing');
  const isDown = async () => (await resultsOf('/failing')).some(({ status }) => status === 'down');
  await waitUntil('the failure', isDown);
  const isOver = ({ slot }: Result) => Date.parse(slot) > failedMs;
  const after = (await resultsOf('/failing')).filter(isOver);
  expect(after.filter(({ status }) => status !== 'down')).toEqual([]);
  await waitUntil('watches that store failures', async () => {
    const watches = await untilAllWatched(['/failing']);
    const sinceMs = Math.max(...(watches['/failing'] ?? []).map(({ startedAtMs }) => startedAtMs));
    const rows = await resultsOf('/failing');
    return rows.some(({ status, slot }) => status === 'down' && Date.parse(slot) > sinceMs);
  });
  target.failing.delete('/failing');
  await waitUntil('watches that store passing results', async () => {
    const watches = await untilAllWatched(['/failing']);
    const sinceMs = Math.max(...(watches['/failing'] ?? []).map(({ startedAtMs }) => startedAtMs));
    const rows = await resultsOf('/failing');
    return rows.some(({ status, slot }) => status === 'up' && Date.parse(slot) > sinceMs);
  });
  expect(await watched.findFaults('/failing')).toEqual({});
});

test.concurrent('deleting a monitor with a watch stops its checks and ends its workflow', async () => {
  const { api, target } = watched;
  await watched.untilAllWatched(['/deleted']);
  const request = { method: 'DELETE', path: pathOf('/deleted') };
  await api.call(request, { status: 204, shape: z.undefined() });
  await endOfWorkflow('/deleted');
  // Waits until other monitors reach a later slot. By then, a check that was in flight has ended.
  await watched.untilLaterSlot('/shared');
  const sent = target.countOf('/deleted');
  await watched.untilLaterSlot('/shared');
  expect(target.countOf('/deleted')).toBe(sent);
});

/** Makes the target hang. Resolves when both regions have a check of the monitor in flight. */
async function hangInFlight(path: string): Promise<void> {
  const { target } = watched;
  const before = target.countOf(path);
  target.hanging.add(path);
  const isHanging = () => target.countOf(path) >= before + BOTH.length;
  await waitUntil('checks that hang', isHanging);
  target.hanging.delete(path);
}

/** For each path of CHANGED, what people do to its monitor. Each function resolves when the change has taken effect. */
const changes: Readonly<Record<(typeof CHANGED)[number], (path: string) => Promise<unknown>>> = {
  '/paused': async (path) => {
    const request = { method: 'POST', path: `${pathOf(path)}/pause` };
    await watched.api.call(request, { status: 200, shape: ANY });
    await waitUntil('no probe has a watch', async () => {
      return (await watched.readWatches(path)).length === 0;
    });
  },
  '/edited': async (path) => {
    const { api, target } = watched;
    const body = { url: `${target.url}/edited-to` };
    await api.call({ method: 'PATCH', path: pathOf(path), body }, { status: 200, shape: ANY });
    await waitUntil('the new target', () => target.countOf('/edited-to') >= BOTH.length);
  },
  '/asked': async (path) => {
    const request = { method: 'POST', path: `${pathOf(path)}/run` };
    await watched.api.call(request, { status: 202, shape: ANY });
    const isManual = ({ trigger }: Result) => trigger === 'manual';
    await waitUntil('its result', async () => (await resultsOf(path)).some(isManual));
  },
  '/deleted-in-flight': async (path) => {
    const request = { method: 'DELETE', path: pathOf(path) };
    await watched.api.call(request, { status: 204, shape: z.undefined() });
    await endOfWorkflow(path);
  },
};

test.concurrent('a pause, an edit, a deletion and a requested check take effect while a watch runs', async () => {
  await watched.untilAllWatched(CHANGED);
  await Promise.all(
    CHANGED.map(async (path) => {
      await hangInFlight(path);
      await changes[path](path);
    }),
  );
  await expectChanged();
});

/**
 * Expects that a check in flight counts for the definition for which it was sent, and that nothing more is sent for the
 * old definition.
 */
async function expectChanged(): Promise<void> {
  const { api, target } = watched;
  const countsOf = () => ['/paused', '/edited', '/deleted-in-flight'].map(target.countOf);
  const sent = countsOf();
  await watched.untilLaterSlot('/asked');
  expect(countsOf()).toEqual(sent);
  for (const path of ['/paused', '/edited', '/asked'])
    expect([path, await watched.findFaults(path)]).toEqual([path, {}]);
  const edited = await resultsOf('/edited');
  const versionsOf = (isOf: (result: Result) => boolean) => [
    ...new Set(edited.filter(isOf).map(({ revision }) => revision)),
  ];
  // A check of version 1 may have failed, because it was cancelled a second after the change. Or it had ended before.
  expect([[], [1]]).toContainEqual(versionsOf(({ failure }) => failure !== null));
  expect(versionsOf(({ trigger }) => trigger === 'save')).toEqual([2, 1]);
  const { health } = await api.call(
    { method: 'GET', path: pathOf('/edited') },
    { status: 200, shape: z.looseObject({ health: z.string() }) },
  );
  expect(health).toBe('up');
  await api.call(
    { method: 'GET', path: pathOf('/deleted-in-flight') },
    { status: 404, shape: ANY },
  );
}

test.concurrent('a region becomes unavailable when the only probe of its watches dies', async () => {
  const { service } = watched;
  await watched.untilAllWatched(['/lost']);
  await service.kill('probe-sa-east');
  await waitUntil('the loss', async () => (await resultsOf('/lost')).some(isUnavailable));
  await service.start('probe-sa-east');
  await watched.untilAllWatched(['/lost']);
  expect(await watched.findLaterFaults(['/lost'])).toEqual({});
});

const isUnavailable = ({ failure }: Result): boolean => failure?.code === 'region_unavailable';

test.concurrent('while the only probe of a region is suspended, the region is unavailable, and no result is stored twice afterwards', async () => {
  const { service, target } = watched;
  await watched.untilAllWatched(['/suspended']);
  const before = target.countOf('/suspended');
  target.hanging.add('/suspended');
  await waitUntil('a check that hangs', () => target.countOf('/suspended') > before);
  const probe = service.processes.get('probe-ap-south');
  probe?.kill('SIGSTOP');
  target.hanging.delete('/suspended');
  await waitUntil('the loss', async () => (await resultsOf('/suspended')).some(isUnavailable));
  probe?.kill('SIGCONT');
  await watched.untilAllWatched(['/suspended']);
  expect(await watched.findLaterFaults(['/suspended'])).toEqual({});
});

test.concurrent('another probe of the region takes over the watch of a killed probe, without an unknown slot', async () => {
  const { service } = watched;
  const [watch] = (await watched.untilAllWatched(['/shared']))['/shared'] ?? [];
  const holds = (name: string): boolean =>
    watch?.identity.startsWith(`${service.processes.get(name)?.pid}@`) === true;
  const name = ['probe-ca-central', 'probe-second'].find(holds) ?? 'nobody';
  expect(name).not.toBe('nobody');
  await service.kill(name);
  await waitUntil('the same watch at another probe', async () => {
    const [now] = await watched.readWatches('/shared');
    return now?.activityId === watch?.activityId && now?.identity !== watch?.identity;
  });
  expect(await watched.findLaterFaults(['/shared'])).toEqual({});
  expect((await resultsOf('/shared')).filter(isUnavailable)).toEqual([]);
});
