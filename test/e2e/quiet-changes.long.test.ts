/**
 * Quiet checks on the whole service: people's changes, failures and lost regions while monitors are quiet.
 * Each has monitors of its own, and what loses a probe a region of its own, so that all go on at once.
 */
import { z } from 'zod';
import { monitorWorkflowId } from '../../src/contracts/workflows';
import type { Result } from '../support/api-client';
import { INTERVAL_MS, type QuietService, startQuietService } from '../support/quiet-service';
import { waitUntil } from '../support/wait-until';

const BOTH = ['eu-west', 'us-east'];
const CHANGED = ['/paused', '/edited', '/asked', '/deleted-in-flight'] as const;
/** A kill takes effect well before. */
const SOON_MS = 3_000;
const ANY = z.looseObject({});

let quiet: QuietService;

beforeAll(async () => {
  const both = ['/failing', '/deleted', ...CHANGED].map((path) => [path, BOTH]);
  quiet = await startQuietService({
    ...Object.fromEntries(both),
    '/lost': ['sa-east'],
    '/suspended': ['ap-south'],
  });
}, 400_000);
afterAll(() => quiet?.stop());

const resultsOf = (path: string): Promise<readonly Result[]> =>
  quiet.api.resultsOf(quiet.idOf(path));

const pathOf = (path: string): string => `/v1/monitors/${quiet.idOf(path)}`;

async function endOfWorkflow(path: string): Promise<void> {
  await quiet.client.workflow.getHandle(monitorWorkflowId(quiet.idOf(path))).result();
}

test.concurrent('a quiet monitor whose target fails is down at the next slot, and quiet again after it recovers', async () => {
  const { target } = quiet;
  await quiet.untilAllQuiet(['/failing']);
  const failedMs = Date.now();
  target.failing.add('/failing');
  const isDown = async () => (await resultsOf('/failing')).some(({ status }) => status === 'down');
  await waitUntil('the failure', isDown);
  const down = (await resultsOf('/failing')).filter(({ status }) => status === 'down');
  const slots = down.map(({ slot }) => Date.parse(slot));
  expect(Math.min(...slots) - failedMs).toBeLessThanOrEqual(INTERVAL_MS);
  target.failing.delete('/failing');
  await quiet.untilAllQuiet(['/failing']);
}, 400_000);

test.concurrent('a quiet monitor that is deleted sends nothing more, and its workflow ends', async () => {
  const { api, target } = quiet;
  await quiet.untilAllQuiet(['/deleted']);
  const request = { method: 'DELETE', path: pathOf('/deleted') };
  await api.call(request, { status: 204, shape: z.undefined() });
  await endOfWorkflow('/deleted');
  // An attempt that was in flight has ended when others come to a later slot.
  await quiet.untilLaterSlot('/failing');
  const sent = target.countOf('/deleted');
  await quiet.untilLaterSlot('/failing');
  expect(target.countOf('/deleted')).toBe(sent);
}, 400_000);

/** Resolves when it has a check under way in both regions that the target does not answer. */
async function hangInFlight(path: string): Promise<void> {
  const { target } = quiet;
  const before = target.countOf(path);
  target.hanging.add(path);
  const isHanging = () => target.countOf(path) >= before + BOTH.length;
  await waitUntil('checks that hang', isHanging);
  target.hanging.delete(path);
}

/** What people do to each of CHANGED; resolves when it has taken effect. */
const changes: Readonly<Record<(typeof CHANGED)[number], (path: string) => Promise<unknown>>> = {
  '/paused': async (path) => {
    const request = { method: 'POST', path: `${pathOf(path)}/pause` };
    await quiet.api.call(request, { status: 200, shape: ANY });
    await waitUntil('no check is pending', async () => {
      return (await quiet.readQuiet(quiet.idOf(path))).length === 0;
    });
  },
  '/edited': async (path) => {
    const { api, target } = quiet;
    const body = { url: `${target.url}/edited-to` };
    await api.call({ method: 'PATCH', path: pathOf(path), body }, { status: 200, shape: ANY });
    await waitUntil('the new target', () => target.countOf('/edited-to') >= BOTH.length);
  },
  '/asked': async (path) => {
    const request = { method: 'POST', path: `${pathOf(path)}/run` };
    await quiet.api.call(request, { status: 202, shape: ANY });
    const isManual = ({ trigger }: Result) => trigger === 'manual';
    await waitUntil('its result', async () => (await resultsOf(path)).some(isManual));
  },
  '/deleted-in-flight': async (path) => {
    const request = { method: 'DELETE', path: pathOf(path) };
    await quiet.api.call(request, { status: 204, shape: z.undefined() });
    await endOfWorkflow(path);
  },
};

test.concurrent('pause, edit, delete and a request to check act on a quiet monitor whose attempt is in flight', async () => {
  await quiet.untilAllQuiet(CHANGED);
  await Promise.all(
    CHANGED.map(async (path) => {
      await hangInFlight(path);
      await changes[path](path);
    }),
  );
  await expectChanged();
}, 400_000);

/** What was in flight counts for the definition that it was sent for, and nothing is sent for the old one. */
async function expectChanged(): Promise<void> {
  const { api, target } = quiet;
  const countsOf = () => ['/paused', '/edited', '/deleted-in-flight'].map(target.countOf);
  const sent = countsOf();
  await quiet.untilLaterSlot('/asked');
  expect(countsOf()).toEqual(sent);
  for (const path of ['/paused', '/edited', '/asked'])
    expect([path, await quiet.findFaults(path)]).toEqual([path, {}]);
  const edited = await resultsOf('/edited');
  const versionsOf = (isOf: (result: Result) => boolean) => [
    ...new Set(edited.filter(isOf).map(({ revision }) => revision)),
  ];
  expect(versionsOf(({ failure }) => failure?.code === 'timeout')).toEqual([1]);
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

test.concurrent('a quiet region without a probe is unavailable at its slot', async () => {
  const { service } = quiet;
  await quiet.untilAllQuiet(['/lost']);
  // One in flight would be missed as lost with its probe, and only then the slot after it.
  await waitUntil('no attempt in flight, nor soon', async () => {
    const [newest] = await resultsOf('/lost');
    const isSoon = Date.now() + SOON_MS > Date.parse(newest?.slot ?? '') + INTERVAL_MS;
    const regions = await quiet.readQuiet(quiet.idOf('/lost'));
    return !isSoon && regions.every(({ isWaiting }) => isWaiting);
  });
  const lostMs = Date.now();
  await service.kill('probe-sa-east');
  const isUnavailable = ({ failure }: Result) => failure?.code === 'region_unavailable';
  const found = await waitUntil('the loss', async () =>
    (await resultsOf('/lost')).find(isUnavailable),
  );
  expect(Date.parse(found.slot) - lostMs).toBeLessThanOrEqual(INTERVAL_MS);
  await service.start('probe-sa-east');
  expect(await quiet.findLaterFaults(['/lost'])).toEqual({});
}, 400_000);

test.concurrent('a suspended probe with an attempt in flight is missed by its heartbeat, and no slot goes unnamed', async () => {
  const { service, target } = quiet;
  await quiet.untilAllQuiet(['/suspended']);
  const before = target.countOf('/suspended');
  target.hanging.add('/suspended');
  await waitUntil('a check that hangs', () => target.countOf('/suspended') > before);
  const probe = service.processes.get('probe-ap-south');
  probe?.kill('SIGSTOP');
  target.hanging.delete('/suspended');
  const isUnknown = ({ status, gap }: Result) => status === 'unknown' && gap === null;
  const found = await waitUntil('the loss', async () =>
    (await resultsOf('/suspended')).find(isUnknown),
  );
  expect(found.failure?.code).toBe('worker_lost');
  probe?.kill('SIGCONT');
  expect(await quiet.findLaterFaults(['/suspended'])).toEqual({});
}, 400_000);
