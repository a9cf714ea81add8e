/**
 * Sets of objects while database and engine fail now and then, before a write or after it: what is
 * answered as done stays, and what is not is done by the next apply.
 *
 * Covers:
 * - services/lists/or-undo
 * - services/resources/save-resource
 */
import fc from 'fast-check';
import request from 'supertest';
import { createHousekeeping } from '../../../src/models';
import { AppError } from '../../../src/platform/errors';
import { type ApplyBody, applyBody } from '../../../src/schemas/apply';
import type { AppliedSet } from '../../../src/schemas/responses/apply';
import { applySet } from '../../../src/services/apply/apply-set';
import type { Dependencies } from '../../../src/services/ports/dependencies';
import { propertyOptions } from '../../support/property-runs';
import { suiteService, type TestAccount } from '../test-service';

const RUNS = 4;

/** One that hangs is named, instead of the whole test. */
const RUN_MS_MAX = 30_000;

const service = suiteService();

/** What fails: the nth call, before it does anything or when it has done it. */
interface Fault {
  readonly call: number;
  readonly isDone: boolean;
}

type Call = (...given: readonly unknown[]) => unknown;

/** The service as it is while these faults happen, each once. */
function servicesWith(faults: readonly Fault[]): Dependencies {
  const { services } = service;
  let calls = 0;
  const failing = (act: Call): Call => {
    return async (...given) => {
      calls += 1;
      const fault = faults.find(({ call }) => call === calls);
      if (fault === undefined) return act(...given);
      if (fault.isDone) await act(...given);
      throw new AppError('unavailable', 'There was no answer.');
    };
  };
  const failingAll = <Part extends object>(part: Part): Part =>
    Object.assign(
      { ...part },
      ...Object.entries(part)
        .filter(([, act]) => typeof act === 'function')
        .map(([name, act]) => ({ [name]: failing(act) })),
    );
  const stores = Object.assign(
    { ...services.stores },
    ...Object.entries(services.stores).map(([name, store]) => ({ [name]: failingAll(store) })),
  );
  return { ...services, stores, gateway: failingAll(services.gateway) };
}

const steps = [{ name: 'open', url: 'https://shop.example.com/' }];

/** Objects that name each other, from the first to the last and back. */
function setOf(slug: string) {
  const monitor = (index: number) => ({
    key: `m${index}`,
    name: `M ${index}`,
    url: 'https://shop.example.com/',
    dependsOn: index % 3 === 2 ? [] : [`m${index + 1}`],
    alerts: { channels: ['ops'] },
  });
  return {
    alertChannels: [{ key: 'ops', name: 'Ops', type: 'email', emails: ['ops@example.com'] }],
    alertPolicies: [
      {
        key: 'calls',
        name: 'Calls',
        steps: [{ afterMinutes: 0, notify: ['ops'] }],
        lastResort: 'ops',
      },
    ],
    maintenanceWindows: [
      {
        key: 'w',
        name: 'W',
        startsAt: '2030-01-01T00:00:00Z',
        durationMinutes: 60,
        mode: 'pause',
        target: { all: true },
      },
    ],
    monitors: Array.from({ length: 6 }, (_, index) => monitor(index)),
    scenarios: [{ key: 's', name: 'S', steps, dependsOn: ['m0'] }],
    statusPages: [
      {
        key: 'p',
        slug,
        title: 'P',
        groups: [{ name: 'G', items: [{ monitor: 'm5', name: 'M' }] }],
      },
    ],
  };
}

const OBJECTS = Object.values(setOf('')).flat().length;

const LISTS = [
  ['alertChannel', 'alertChannels'],
  ['alertPolicy', 'alertPolicies'],
  ['maintenanceWindow', 'maintenanceWindows'],
  ['monitor', 'monitors'],
  ['scenario', 'scenarios'],
  ['statusPage', 'statusPages'],
] as const;

/** Fails for what the answer says is there and is not, now and once the sweeper went over it. */
async function expectThere({ key: apiKey }: TestAccount, { objects }: AppliedSet): Promise<void> {
  const { database, services } = service;
  await createHousekeeping(database.database, services.clock).sweepRemovals(5_000);
  const asked = request(service.app).get('/v1/export');
  const { body } = await asked.set('Authorization', `Bearer ${apiKey}`);
  const done = objects.filter(({ outcome }) => outcome === 'done');
  for (const [kind, list] of LISTS) {
    const keys = body[list].map(({ key }: { readonly key: string }) => key);
    const wanted = done.filter((object) => object.kind === kind).map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(wanted));
    expect(new Set(keys).size).toBe(keys.length);
  }
  if (isAllDone({ objects })) expectDependencies(body);
}

/** What it made or changed. */
const changesIn = ({ objects }: AppliedSet) =>
  objects.flatMap(({ key, action, changes }) =>
    action === 'unchanged' ? [] : [{ key, action, changes }],
  );

function isAllDone({ objects }: Pick<AppliedSet, 'objects'>): boolean {
  return objects.length === OBJECTS && objects.every(({ outcome }) => outcome === 'done');
}

function madeBy({ objects, ...end }: AppliedSet): AppliedSet {
  return { ...end, objects: objects.filter(({ action }) => action !== 'unchanged') };
}

/** Each depends on what it was to depend on. */
function expectDependencies(
  exported: Readonly<Record<'monitors' | 'scenarios', readonly Exported[]>>,
): void {
  const { monitors, scenarios } = setOf('');
  const wanted = new Map([...monitors, ...scenarios].map(({ key, dependsOn }) => [key, dependsOn]));
  for (const { key, dependsOn = [] } of [...exported.monitors, ...exported.scenarios])
    expect({ key, dependsOn }).toEqual({ key, dependsOn: wanted.get(key) });
}

interface Exported {
  readonly key: string;
  readonly dependsOn?: readonly string[];
}

/** null: it answered as a whole that it can not be done now. */
async function applyWith(
  faults: readonly Fault[],
  { id }: TestAccount,
  body: ApplyBody,
): Promise<AppliedSet | null> {
  try {
    return await applySet(servicesWith(faults), id, body);
  } catch (reason) {
    if (reason instanceof AppError && reason.code === 'unavailable') return null;
    throw reason;
  }
}

const fault = fc.record({ call: fc.integer({ min: 1, max: 120 }), isDone: fc.boolean() });
const faultsOf = fc.array(fault, { minLength: 1, maxLength: 25 });
/** Of two at once, no run is like another: a smaller one says nothing. */
const unshrunk = fc.noShrink(faultsOf);
let count = 0;

it('what is answered as done is there and stays, whatever fails before or after it was written', async () => {
  await fc.assert(
    fc.asyncProperty(faultsOf, async (faults) => {
      count += 1;
      const account = await service.newAccount();
      const body = applyBody.shape.parse(setOf(`faults-${count}`));
      const first = await applyWith(faults, account, body);
      if (first !== null) await expectThere(account, first);
      const second = await applySet(service.services, account.id, body);
      expect(second.objects.flatMap(({ problem }) => problem ?? [])).toEqual([]);
      await expectThere(account, second);
      if (first?.summary.failed === 0) expect(changesIn(second)).toEqual([]);
      const third = await applySet(service.services, account.id, body);
      expect(changesIn(third)).toEqual([]);
    }),
    { ...propertyOptions(RUNS), timeout: RUN_MS_MAX },
  );
});

it('of two at once that both fail now and then, what one of them answers as done is there', async () => {
  await fc.assert(
    fc.asyncProperty(unshrunk, unshrunk, async (faults, others) => {
      count += 1;
      const account = await service.newAccount();
      const body = applyBody.shape.parse(setOf(`faults-${count}`));
      const ends = await Promise.all(
        [faults, others].map((given) => applyWith(given, account, body)),
      );
      const isSound = ends.every((end) => end !== null && isAllDone(end));
      // What one finds unchanged may be what the other, which fails in the end, takes back.
      for (const end of ends)
        if (end !== null) await expectThere(account, isSound ? end : madeBy(end));
      const last = await applySet(service.services, account.id, body);
      expect(last.objects.flatMap(({ problem }) => problem ?? [])).toEqual([]);
      expect(changesIn(await applySet(service.services, account.id, body))).toEqual([]);
    }),
    { ...propertyOptions(RUNS), timeout: RUN_MS_MAX },
  );
});

it('leaves alone what somebody changed before its creation failed', async () => {
  const account = await service.newAccount();
  const authorized = (call: request.Test) =>
    call.set('Authorization', `Bearer ${account.key}`).set('Content-Type', 'application/json');
  const body = { name: 'ours', url: 'https://shop.example.com/' };
  let id = '';
  const configureMonitor: Dependencies['gateway']['configureMonitor'] = async (config) => {
    id = config.id;
    const url = `/v1/monitors/${id}`;
    await authorized(request(service.app).put(url))
      .send({ ...body, name: 'theirs' })
      .expect(200);
    throw new AppError('unavailable', 'There was no answer.');
  };
  const app = service.appWith({ gateway: { ...service.gateway, configureMonitor } });
  await authorized(request(app).post('/v1/monitors')).send(body).expect(503);
  const found = await authorized(request(service.app).get(`/v1/monitors/${id}`));
  expect(found.body).toMatchObject({ name: 'theirs', version: 2 });
});
