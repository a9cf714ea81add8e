/**
 * Quiet checks on the whole service: probes, API and orchestrator are killed while monitors are quiet.
 * No slot is lost, and what is seen in the engine is what is so.
 */
import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow';
import { z } from 'zod';
import { monitorWorkflowId } from '../../src/contracts/workflows';
import { createTemporalClient } from '../../src/temporal/connect';
import { type ApiClient, createApiClient, type Result } from '../support/api-client';
import { startService, type TestService } from '../support/service';
import { readSlots } from '../support/slots';
import { type SwitchableTarget, startSwitchableTarget } from '../support/switchable-target';
import { waitUntil } from '../support/wait-until';

const INTERVAL_MS = 10_000;
const REGIONS = ['eu-west', 'us-east'];
const KILLED = ['/a', '/b', '/c', '/d'];
const MONITORS = [...KILLED, '/failing', '/deleted'];
/** Three slots that look alike come first. */
const QUIET_WITHIN_MS = 5 * INTERVAL_MS + 20_000;

let service: TestService;
let target: SwitchableTarget;
let api: ApiClient;
let client: Client;
/** All become quiet at the same time, so that nobody waits twice. */
const idOf = new Map<string, string>();

beforeAll(async () => {
  const secretKey = randomBytes(32).toString('hex');
  const environment = { KEEPWATCH_QUIET_CHECKS: 'on', KEEPWATCH_SECRET_KEY: secretKey };
  [service, target] = await Promise.all([
    startService({ regions: REGIONS, environment }),
    startSwitchableTarget(),
  ]);
  api = createApiClient(service.url, (await service.setup()).apiKey);
  const { temporalAddress: address, suite: namespace } = service;
  client = createTemporalClient({ address, namespace }, [secretKey]);
  for (const path of MONITORS) idOf.set(path, await create(path));
});
afterAll(async () => {
  await client?.connection.close();
  await Promise.all([service?.stop(), target?.close()]);
});

const create = (path: string) => {
  const bounds = { interval: INTERVAL_MS / 1_000, timeoutMs: 4_000, retries: 0 };
  return api.createMonitor({ name: path, url: target.url + path, ...bounds });
};

/** Of its quiet checks by region: the last outcome in words, and the number of the attempt. */
async function readQuiet(id: string) {
  const { raw } = await client.workflow.getHandle(monitorWorkflowId(id)).describe();
  const pending = (raw.pendingActivities ?? []).filter(
    ({ activityType }) => activityType?.name === 'checkWhileQuiet',
  );
  return Promise.all(
    pending.map(async ({ attempt, lastFailure }) => {
      const { loadedDataConverter } = client.options;
      const failure = await decodeOptionalFailureToOptionalError(loadedDataConverter, lastFailure);
      return { attempt, said: failure?.message ?? '' };
    }),
  );
}

async function isQuiet(id: string): Promise<boolean> {
  const regions = (await readQuiet(id)).filter(({ attempt }) => (attempt ?? 0) > 1);
  return regions.length === REGIONS.length;
}

async function untilAllQuiet(ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await waitUntil(`quiet checks of ${id}`, () => isQuiet(id), QUIET_WITHIN_MS);
}

/** A result in each region for a slot that is due later than now. */
async function untilLaterSlot(id: string): Promise<readonly Result[]> {
  const sinceMs = Date.now();
  return waitUntil(
    'a later slot',
    async () => {
      const rows = await api.resultsOf(id);
      const isLater = (region: string): boolean =>
        rows.some(
          (row) => row.region === region && Date.parse(row.slot) > sinceMs && row.gap === null,
        );
      return REGIONS.every(isLater) && rows;
    },
    4 * INTERVAL_MS + 20_000,
  );
}

test('quiet monitors lose no slot while probes, API and orchestrator are killed', async () => {
  const ids = KILLED.flatMap((path) => idOf.get(path) ?? []);
  const [first = ''] = ids;
  await untilAllQuiet(ids);
  for (const { said } of await readQuiet(first))
    expect(said).toMatch(/^up 200 in \d+ ms, slot \d\d:\d\d:\d\dZ$/);
  for (const name of ['probe-eu-west', 'api', 'orchestrator']) {
    await service.kill(name);
    await service.start(name);
    await untilLaterSlot(first);
  }
  for (const id of ids) {
    const results = await untilLaterSlot(id);
    for (const region of REGIONS) {
      const { doubled, unnamed } = readSlots(results, { region, intervalMs: INTERVAL_MS });
      expect({ id, region, doubled, unnamed }).toEqual({ id, region, doubled: [], unnamed: [] });
    }
    expect(results.filter(({ status }) => status === 'down')).toEqual([]);
  }
}, 300_000);

test('a quiet monitor whose target fails is down at the next slot, and quiet again after it recovers', async () => {
  const id = idOf.get('/failing') ?? '';
  await untilAllQuiet([id]);
  const failedMs = Date.now();
  target.failing.add('/failing');
  const isDown = async () => (await api.resultsOf(id)).some(({ status }) => status === 'down');
  await waitUntil('the failure', isDown, INTERVAL_MS + 15_000);
  const down = (await api.resultsOf(id)).filter(({ status }) => status === 'down');
  const slots = down.map(({ slot }) => Date.parse(slot));
  expect(Math.min(...slots) - failedMs).toBeLessThanOrEqual(INTERVAL_MS);
  target.failing.delete('/failing');
  await untilAllQuiet([id]);
}, 200_000);

test('a quiet monitor that is deleted sends nothing more, and its workflow ends', async () => {
  const id = idOf.get('/deleted') ?? '';
  const other = idOf.get('/failing') ?? '';
  await untilAllQuiet([id]);
  const request = { method: 'DELETE', path: `/v1/monitors/${id}` };
  await api.call(request, { status: 204, shape: z.undefined() });
  await client.workflow.getHandle(monitorWorkflowId(id)).result();
  // An attempt that was in flight has ended when others come to a later slot.
  await untilLaterSlot(other);
  const sent = target.countOf('/deleted');
  await untilLaterSlot(other);
  expect(target.countOf('/deleted')).toBe(sent);
}, 120_000);
