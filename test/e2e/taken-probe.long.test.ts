/**
 * Tests an attacker who has compromised a probe of one region. The attacker has the key of the probe and its access to
 * Temporal and the API. Until the key is revoked, the attacker can read only what the region executes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { z } from 'zod';
import { type ProbeKey, parseProbeKey } from '../../src/contracts/probe-key';
import {
  type DefinitionReference,
  definitionPath,
  deliveryContext,
  PROBE_HELLO_PATH,
  PROBE_KEYS_PATH,
  PROBE_RESULTS_PATH,
  secretsPath,
} from '../../src/contracts/probe-protocol';
import { monitorWorkflowId } from '../../src/contracts/workflows';
import { createTemporalClient } from '../../src/temporal/connect';
import { createRegionCodec } from '../../src/temporal/payload-codec';
import { passingOutcome } from '../models/example-records';
import { type ApiClient, createApiClient } from '../support/api-client';
import { asProbe } from '../support/as-probe';
import { type CountingTarget, startCountingTarget } from '../support/counting-target';
import { startService, type TestService } from '../support/service';
import { waitUntil } from '../support/wait-until';

const REGIONS = ['eu-west', 'us-east'];

let service: TestService;
let target: CountingTarget;
let api: ApiClient;
let client: Client;
let apiKey: string;
let key: ProbeKey;
let keyId: string;
let keyText: string;
/** The keys of the region, as the compromised probe has read them. */
let takenKeys: readonly string[];
/** Ids of the monitors by region. Each region has one monitor with its own secret. */
const idOf = new Map<string, string>();
let accountId: string;

beforeAll(async () => {
  const secretKey = randomBytes(32).toString('hex');
  [service, target] = await Promise.all([
    startService({ regions: REGIONS, environment: { KEEPWATCH_SECRET_KEY: secretKey } }),
    startCountingTarget(),
  ]);
  ({ apiKey } = await service.setup());
  api = createApiClient(service.url, apiKey);
  accountId = (
    await api.call(
      { method: 'GET', path: '/v1/account' },
      { status: 200, shape: z.looseObject({ id: z.string() }) },
    )
  ).id;
  for (const region of REGIONS) idOf.set(region, await watch(region));
  const made = await api.call(
    { method: 'POST', path: '/v1/probe-keys', body: { region: 'eu-west' } },
    { status: 201, shape: z.looseObject({ id: z.string(), key: z.string() }) },
  );
  [keyId, keyText] = [made.id, made.key];
  const parsed = parseProbeKey(made.key);
  if (parsed === null) throw new Error('no key was made');
  key = parsed;
  const { temporalAddress: address, suite: namespace } = service;
  client = createTemporalClient({ address, namespace }, [secretKey]);
  for (const id of idOf.values())
    await waitUntil(
      'a first result',
      async () => (await api.resultsOf(id)).length > 0 || undefined,
    );
});
afterAll(async () => {
  await client?.connection.close();
  await Promise.all([service?.stop(), target?.close()]);
});

const nameOf = (region: string) => `TOKEN_${region.replace('-', '_')}`;

async function watch(region: string): Promise<string> {
  const path = `/v1/secrets/${nameOf(region)}`;
  await api.call(
    { method: 'PUT', path, body: { value: `value-of-${region}` } },
    { status: 201, shape: z.unknown() },
  );
  return api.createMonitor({
    name: region,
    url: `${target.url}/${region}`,
    regions: [region],
    interval: 10,
    headers: { 'X-Token': `{{secret:${nameOf(region)}}}` },
  });
}

function referenceIn(region: string): DefinitionReference {
  return { accountId, kind: 'monitor', id: idOf.get(region) ?? '', revision: 1 };
}

/** Sends a request with the compromised key. Resolves to the decrypted response, or to the status if it is not 200. */
async function ask(path: string, headers = asProbe(key).headers): Promise<unknown> {
  const answer = await fetch(service.url + path, { headers });
  const body = Buffer.from(await answer.arrayBuffer());
  return answer.status === 200 ? asProbe(key).open(body, path) : answer.status;
}

async function send(path: string, body: Buffer | string, headers: Record<string, string>) {
  const options = { method: 'POST', headers: { ...asProbe(key).headers, ...headers } };
  return fetch(service.url + path, { ...options, body: new Uint8Array(Buffer.from(body)) });
}

it('a stolen key of a probe reads only definitions and secrets of its own region', async () => {
  const [ours, theirs] = [referenceIn('eu-west'), referenceIn('us-east')];
  expect(await ask(definitionPath(ours))).toMatchObject({ definition: { id: ours.id } });
  expect(await ask(secretsPath(ours, [nameOf('eu-west')]))).toEqual({
    secrets: [{ name: nameOf('eu-west'), value: 'value-of-eu-west' }],
  });
  expect(await ask(definitionPath(theirs))).toBe(404);
  expect(await ask(secretsPath(theirs, [nameOf('us-east')]))).toBe(404);
  // Even if a definition of this region names a secret of another region, the region gets no access to this secret.
  expect(await ask(secretsPath(ours, [nameOf('us-east')]))).toEqual({ secrets: [] });
});

it('a stolen key of a probe cannot register, read keys or report results for another region', async () => {
  const elsewhere = { 'x-keepwatch-region': 'us-east' };
  expect(await ask(PROBE_KEYS_PATH, { ...asProbe(key).headers, ...elsewhere })).toBe(401);
  const json = { 'content-type': 'application/json' };
  const hello = JSON.stringify({ region: 'us-east', identity: 'taken' });
  expect((await send(PROBE_HELLO_PATH, hello, json)).status).toBe(401);
  const id = idOf.get('us-east') ?? '';
  const before = await api.resultsOf(id);
  const slotMs = Date.parse(before[0]?.slot ?? '') + 3_600_000;
  const forged = {
    accountId,
    monitorId: id,
    revision: 1,
    slotMs,
    nextSlotMs: slotMs + 10_000,
    gap: null,
    outcome: passingOutcome(),
  };
  for (const region of REGIONS) {
    const plain = Buffer.from(JSON.stringify({ region, results: [forged] }));
    const sealer = asProbe(key).sealer('probe-delivery');
    const sealed = sealer.seal(plain, deliveryContext('results', 'eu-west'));
    const type = { 'content-type': 'application/octet-stream' };
    const answer = await send(PROBE_RESULTS_PATH, sealed, type);
    if (region === 'us-east') expect(answer.status).toBe(401);
    else {
      const receipts = Buffer.from(await answer.arrayBuffer());
      expect(asProbe(key).open(receipts, deliveryContext('receipts', region))).toEqual({
        receipts: ['outdated'],
      });
    }
  }
  const slots = (await api.resultsOf(id)).map(({ slot }) => Date.parse(slot));
  expect(slots).not.toContain(slotMs);
});

it('a stolen key of a probe decrypts only the payloads of its region, not the state of workflows', async () => {
  const answer = z.object({ keys: z.array(z.string()) }).parse(await ask(PROBE_KEYS_PATH));
  takenKeys = answer.keys;
  const codec = takenCodec();
  const ours = await payloadsOf(idOf.get('eu-west') ?? '');
  const theirs = await payloadsOf(idOf.get('us-east') ?? '');
  const [opened] = await codec.decode(ours.probe);
  expect(opened === undefined ? null : defaultPayloadConverter.fromPayload(opened)).toMatchObject({
    id: idOf.get('eu-west'),
  });
  for (const payload of [...theirs.probe, ...theirs.state, ...ours.state])
    await expect(codec.decode([payload])).rejects.toThrow('sealed for another region or activity');
  expect([ours, theirs].flatMap(({ probe, state }) => [probe.length, state.length])).toEqual([
    2, 1, 2, 1,
  ]);
});

/** Creates a codec with the keys of the compromised probe. It decrypts only what the probe can decrypt by itself. */
function takenCodec() {
  const ring = { region: 'eu-west', keys: () => takenKeys, renew: async () => undefined };
  return createRegionCodec(ring, service.suite);
}

/** Returns payloads of a workflow: the input and result of its first check, and the input of the workflow. */
async function payloadsOf(id: string) {
  const { events } = await client.workflow.getHandle(monitorWorkflowId(id)).fetchHistory();
  const probe: Payload[] = [];
  const state: Payload[] = [];
  for (const event of events ?? []) {
    const { workflowExecutionStartedEventAttributes: started } = event;
    state.push(...(started?.input?.payloads ?? []));
    if (probe.length >= 2) continue;
    probe.push(...(event.activityTaskScheduledEventAttributes?.input?.payloads ?? []));
    probe.push(...(event.activityTaskCompletedEventAttributes?.result?.payloads ?? []));
  }
  return { probe, state };
}

it('a key of a probe works for its region without other keys, until it is revoked', async () => {
  const id = idOf.get('eu-west') ?? '';
  await service.kill('probe-eu-west', 'SIGTERM');
  const taken = startProbe();
  const output = textOf(taken);
  try {
    const startedAtMs = Date.now();
    await waitUntil('a result from the new probe', async () => {
      const [newest] = await api.resultsOf(id);
      const isNew = Date.parse(newest?.slot ?? '') > startedAtMs;
      return (isNew && newest?.status === 'up') || undefined;
    });
    const ended = once(taken, 'exit');
    const revoke = { method: 'DELETE', path: `/v1/probe-keys/${keyId}` };
    await api.call(revoke, { status: 204, shape: z.unknown() });
    expect(await ask(definitionPath(referenceIn('eu-west')))).toBe(401);
    expect(await ask(PROBE_KEYS_PATH)).toBe(401);
    expect(await ended).toEqual([2, null]);
    expect(output()).toContain('the key of this probe was revoked');
  } finally {
    taken.kill('SIGKILL');
  }
});

it("after a rotation of a region's key, a stolen key decrypts nothing new", async () => {
  const id = idOf.get('eu-west') ?? '';
  const rotate = { method: 'POST', path: '/v1/regions/rotate-key', body: { region: 'eu-west' } };
  const rotated = await api.call(rotate, { status: 200, shape: z.looseObject({ id: z.string() }) });
  expect(rotated).toMatchObject({ id: 'eu-west', rotations: 1 });
  await service.start('probe-eu-west');
  const codec = takenCodec();
  await waitUntil('a check that it cannot decrypt', async () => {
    // Requests checks until one uses the new keys. A region without missed checks continues slot by slot, so it first
    // runs checks that were requested before the rotation.
    await checkNow(id);
    const { events } = await client.workflow.getHandle(monitorWorkflowId(id)).fetchHistory();
    const asked = (events ?? []).flatMap(
      (event) => event.activityTaskScheduledEventAttributes?.input?.payloads ?? [],
    );
    return codec.decode(asked.slice(-1)).then(
      () => false,
      () => true,
    );
  });
  const sinceMs = Date.now();
  await waitUntil('a result after the rotation', async () => {
    const [newest] = await api.resultsOf(id);
    return newest?.status === 'up' && Date.parse(newest.slot) > sinceMs;
  });
});

/** Requests a check. Resolves when the result is stored. */
async function checkNow(id: string): Promise<void> {
  const run = { method: 'POST', path: `/v1/monitors/${id}/run` };
  const shape = z.looseObject({ id: z.string() });
  const requested = await api.call(run, { status: 202, shape });
  const path = `/v1/monitors/${id}/results?requestId=${requested.id}`;
  await waitUntil('the result of the requested check', async () => {
    const page = await api.call(
      { method: 'GET', path },
      { status: 200, shape: z.looseObject({ data: z.array(z.unknown()) }) },
    );
    return page.data.length > 0;
  });
}

function startProbe(): ChildProcess {
  const root = String(process.env['KEEPWATCH_TEST_ROOT']);
  return spawn(process.execPath, [join(root, 'dist', 'main', 'probe.js')], {
    env: {
      PATH: process.env['PATH'],
      KEEPWATCH_PROBE_KEY: keyText,
      KEEPWATCH_API_URL: service.url,
      KEEPWATCH_ALLOWED_PRIVATE_TARGETS: '127.0.0.0/8',
      TEMPORAL_ADDRESS: service.temporalAddress,
      TEMPORAL_NAMESPACE: service.suite,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

function textOf({ stderr }: ChildProcess): () => string {
  let text = '';
  stderr?.on('data', (chunk) => {
    text += String(chunk);
  });
  return () => text;
}
