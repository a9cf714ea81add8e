/**
 * Tests the loss of all of Temporal's data during escalations. Each escalation continues at its next step, no step is
 * repeated or skipped, and acknowledgements stay. Everyone who was notified also gets the recovery.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { EscalationState } from '../../src/contracts/escalation';
import { connectTo } from '../models/test-database';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { startService, type TestService } from '../support/service';
import { waitUntil } from '../support/wait-until';

const MINUTE = 60_000;
const SECOND_STEP_MINUTES = 30;
const CHANNELS = ['one', 'two'] as const;
/**
 * The policy of each escalation. The first step of `early` is due at once, the first step of `late` after ten minutes.
 */
const POLICIES = {
  'goes-on': 'early',
  acknowledged: 'early',
  snoozed: 'early',
  recovers: 'early',
  waits: 'late',
} as const;
type Name = keyof typeof POLICIES;
const NAMES = Object.keys(POLICIES) as Name[];
const environment = { KEEPWATCH_SECRET_KEY: randomBytes(32).toString('hex') };

const ANY = z.looseObject({});
const incidentPage = z.object({
  data: z.array(z.object({ id: z.string(), resourceName: z.string() })),
});
const eventShape = z.object({ type: z.string(), resource: z.object({ name: z.string() }) });

let service: TestService;
let api: ApiClient;
let target: LoopbackServer;
let receiver: RecordingTarget;
const broken = new Set<string>();
const told: { readonly channel: string; readonly name: string; readonly kind: string }[] = [];

beforeAll(async () => {
  target = await startLoopbackServer(({ url }, response) => {
    response.statusCode = broken.has(url ?? '') ? 500 : 200;
    response.end('ok');
  });
  receiver = await startRecordingTarget(({ url, body }, response) => {
    const { type, resource } = eventShape.parse(JSON.parse(body));
    told.push({ channel: url.slice(1), name: resource.name, kind: type.replace('alert.', '') });
    response.end();
  });
  service = await startService({ regions: ['eu-west'], environment });
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([target?.close(), receiver?.close()]);
});

const post = (path: string, body: object = {}, status = 201) =>
  api.call({ method: 'POST', path, body }, { status, shape: ANY });
const kindsAt = (channel: (typeof CHANNELS)[number], name: Name): readonly string[] =>
  told.filter((one) => one.channel === channel && one.name === name).map(({ kind }) => kind);

async function startFailing(): Promise<ReadonlyMap<Name, string>> {
  for (const key of CHANNELS) {
    const url = `${receiver.origin}/${key}`;
    await post('/v1/alert-channels', { key, name: key, type: 'webhook', url, isDefault: false });
  }
  const second = { afterMinutes: SECOND_STEP_MINUTES, notify: ['two'] };
  for (const [key, afterMinutes] of Object.entries({ early: 0, late: 10 })) {
    const steps = [{ afterMinutes, notify: ['one'] }, second];
    await post('/v1/alert-policies', { key, name: key, steps });
  }
  const ids = new Map<Name, string>();
  for (const name of NAMES) {
    broken.add(`/${name}`);
    const alerts = { channels: [], policy: POLICIES[name] };
    const own = { name, url: `${target.url}/${name}`, interval: 86_400, retries: 0, alerts };
    ids.set(name, await api.createMonitor(own));
  }
  return ids;
}

async function incidentsByName(): Promise<ReadonlyMap<string, string>> {
  const request = { method: 'GET', path: '/v1/incidents?state=unresolved' };
  const { data } = await api.call(request, { status: 200, shape: incidentPage });
  return new Map(data.map(({ id, resourceName }) => [resourceName, id]));
}

/**
 * Restarts the service on the same database with an empty Temporal. Before the start, moves all escalations except one
 * back by half an hour, so that their second step is due.
 */
async function loseTemporal(apiKey: string): Promise<void> {
  await service.stop();
  const database = await connectTo(service.mongodbUri, service.suite);
  try {
    for (const { _id, state } of await database.models.escalations.find().lean()) {
      const stored: EscalationState = JSON.parse(state);
      // This escalation is not moved. Its second step is not due, so it sends only the recovery.
      if (stored.alert.resourceName === 'recovers') continue;
      const startedAtMs = stored.startedAtMs - SECOND_STEP_MINUTES * MINUTE;
      const moved = JSON.stringify({ ...stored, startedAtMs });
      await database.models.escalations.updateOne({ _id }, { $set: { state: moved } });
    }
  } finally {
    await database.close();
  }
  service = await startService({ regions: ['eu-west'], environment, database: service.suite });
  api = createApiClient(service.url, apiKey);
}

async function whenStored(done: Readonly<Record<Name, number>>): Promise<void> {
  const database = await connectTo(service.mongodbUri, service.suite);
  try {
    await waitUntil('the escalations are stored', async () => {
      const rows = await database.models.escalations.find().lean();
      const states = rows.map(({ state }): EscalationState => JSON.parse(state));
      return NAMES.every((name) =>
        states.some(
          ({ alert, done: over }) => alert.resourceName === name && over.length === done[name],
        ),
      );
    });
  } finally {
    await database.close();
  }
}

test('after Temporal has lost its data, escalations without a response continue, and everyone notified gets the recovery', async () => {
  const { apiKey } = await service.setup();
  api = createApiClient(service.url, apiKey);
  const ids = await startFailing();
  const early = NAMES.filter((name) => POLICIES[name] === 'early');
  await waitUntil('the first steps', () =>
    early.every((name) => kindsAt('one', name).length === 1),
  );
  const incidents = await waitUntil('the incidents', async () => {
    const found = await incidentsByName();
    return found.size === NAMES.length && found;
  });
  const answer = (name: Name, how: string, body: object = {}) =>
    post(`/v1/incidents/${incidents.get(name)}/${how}`, body, 200);
  await answer('acknowledged', 'acknowledge');
  await answer('snoozed', 'snooze', { minutes: 60, reason: 'being mended' });
  await whenStored({ 'goes-on': 1, acknowledged: 1, snoozed: 1, recovers: 1, waits: 0 });

  await loseTemporal(apiKey);
  const recover = async (name: Name): Promise<void> => {
    broken.delete(`/${name}`);
    await post(`/v1/monitors/${ids.get(name)}/run`, {}, 202);
  };
  await waitUntil('its end', async () => {
    if (kindsAt('one', 'recovers').length < 2) await recover('recovers');
    return kindsAt('one', 'recovers').includes('recovery');
  });
  await waitUntil('the steps that are due', () =>
    (['goes-on', 'waits'] as const).every((name) => kindsAt('two', name).length > 0),
  );
  expect(kindsAt('two', 'acknowledged')).toEqual([]);
  await answer('acknowledged', 'unacknowledge');
  await waitUntil('the step that waited', () => kindsAt('two', 'acknowledged').length > 0);
  for (const name of NAMES) if (name !== 'recovers') await recover(name);
  await waitUntil('all ends', () =>
    NAMES.every((name) => kindsAt('one', name).at(-1) === 'recovery'),
  );
  await waitUntil('every recovery at the second step', () =>
    (['goes-on', 'waits', 'acknowledged'] as const).every(
      (name) => kindsAt('two', name).at(-1) === 'recovery',
    ),
  );
  const both = ['failure', 'recovery'];
  expect(NAMES.map((name) => [name, kindsAt('one', name), kindsAt('two', name)])).toEqual(
    NAMES.map((name) => [name, both, name === 'snoozed' || name === 'recovers' ? [] : both]),
  );
});
