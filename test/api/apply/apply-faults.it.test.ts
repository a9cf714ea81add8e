/**
 * Tests apply while calls to the database and Temporal sometimes fail, before or after a write. Objects reported as
 * done are stored, and the next apply completes the rest. Also tests status pages that name monitors and scenarios of
 * the same set by key.
 *
 * Covers:
 * - services/status-pages/status-pages
 * - services/lists/run-or-compensate
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
import { ACTOR } from '../../services/rollouts/memory-service';
import { propertyOptions } from '../../support/property-runs';
import { accountOfEach, agentOf, suiteService, type TestAccount } from '../test-service';

const RUNS = 4;

/** Time limit of one run. A run that hangs then fails with its own message, before the whole test times out. */
const RUN_MS_MAX = 30_000;

const service = suiteService();

/** The call with this number fails. If `isDone` is true, it fails after its work is done, otherwise before. */
interface Fault {
  readonly call: number;
  readonly isDone: boolean;
}

type Call = (...given: readonly unknown[]) => unknown;

/** Returns the real service with the faults injected. Each fault happens once. */
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

/** A set whose objects name each other. Some objects come before the objects they name, others after them. */
function setOf(slug: string) {
  const monitor = (index: number) => ({
    key: `m${index}`,
    name: `M ${index}`,
    url: 'https://shop.example.com/',
    dependsOn: index % 3 === 2 ? [] : [`m${index + 1}`],
    alerts: { channels: ['ops'] },
    hours: 'h',
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
    hours: [{ key: 'h', name: 'H', weekly: [{ days: ['mon'], from: '09:00', to: '18:00' }] }],
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
  ['hours', 'hours'],
  ['maintenanceWindow', 'maintenanceWindows'],
  ['monitor', 'monitors'],
  ['scenario', 'scenarios'],
  ['statusPage', 'statusPages'],
] as const;

/** Runs the sweeper, then expects every object that the response reports as done to be stored. */
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

/** Returns the objects that the apply created or changed. */
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

/** Expects that each object depends on the objects it names in `dependsOn`. */
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

/** Resolves to null if the request failed as a whole with a 503. */
async function applyWith(
  faults: readonly Fault[],
  { id }: TestAccount,
  body: ApplyBody,
): Promise<AppliedSet | null> {
  try {
    return await applySet(servicesWith(faults), { accountId: id, actor: ACTOR }, body);
  } catch (reason) {
    if (reason instanceof AppError && reason.code === 'unavailable') return null;
    throw reason;
  }
}

const fault = fc.record({ call: fc.integer({ min: 1, max: 120 }), isDone: fc.boolean() });
const faultsOf = fc.array(fault, { minLength: 1, maxLength: 25 });
/** Disables shrinking, because concurrent runs cannot be repeated exactly. */
const unshrunk = fc.noShrink(faultsOf);
let count = 0;

it('every object that apply reports as applied is stored, even if calls fail', async () => {
  await fc.assert(
    fc.asyncProperty(faultsOf, async (faults) => {
      count += 1;
      const account = await service.newAccount();
      const body = applyBody.shape.parse(setOf(`faults-${count}`));
      const first = await applyWith(faults, account, body);
      if (first !== null) await expectThere(account, first);
      const second = await applySet(
        service.services,
        { accountId: account.id, actor: ACTOR },
        body,
      );
      expect(second.objects.flatMap(({ problem }) => problem ?? [])).toEqual([]);
      await expectThere(account, second);
      if (first?.summary.failed === 0) expect(changesIn(second)).toEqual([]);
      const third = await applySet(service.services, { accountId: account.id, actor: ACTOR }, body);
      expect(changesIn(third)).toEqual([]);
    }),
    { ...propertyOptions(RUNS), timeout: RUN_MS_MAX },
  );
});

it('if two partly failing applies run at the same time, every object that they report as applied is stored', async () => {
  await fc.assert(
    fc.asyncProperty(unshrunk, unshrunk, async (faults, others) => {
      count += 1;
      const account = await service.newAccount();
      const body = applyBody.shape.parse(setOf(`faults-${count}`));
      const ends = await Promise.all(
        [faults, others].map((given) => applyWith(given, account, body)),
      );
      const isSound = ends.every((end) => end !== null && isAllDone(end));
      // One apply may report an object as unchanged, and the other apply may then undo that object after a failure.
      for (const end of ends)
        if (end !== null) await expectThere(account, isSound ? end : madeBy(end));
      const last = await applySet(service.services, { accountId: account.id, actor: ACTOR }, body);
      expect(last.objects.flatMap(({ problem }) => problem ?? [])).toEqual([]);
      expect(
        changesIn(await applySet(service.services, { accountId: account.id, actor: ACTOR }, body)),
      ).toEqual([]);
    }),
    { ...propertyOptions(RUNS), timeout: RUN_MS_MAX },
  );
});

it('apply does not undo a failed creation if someone has changed the object in the meantime', async () => {
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

describe('apply for status pages', () => {
  const account = accountOfEach(service);
  const as = agentOf(service, account);
  /** Slugs are unique across all accounts. */
  let slug: string;
  let count = 0;

  beforeEach(async () => {
    count += 1;
    slug = `shop-${count}`;
  });

  async function apply(body: object) {
    const answer = await as().post('/v1/apply').send(body);
    expect(answer.body).toMatchObject({ objects: expect.any(Array) });
    return answer.body;
  }

  const monitors = [{ key: 'home', name: 'Home', url: 'https://shop.example.com/' }];
  const scenarios = [
    { key: 'home', name: 'Buy', steps: [{ name: 'open', url: 'https://shop.example.com/' }] },
  ];
  const shown = [
    { monitor: 'home', name: 'Shop' },
    { scenario: 'home', name: 'Ordering' },
  ];
  const page = (changes: object = {}) => ({
    key: 'public',
    slug,
    title: 'Shop',
    isPublic: true,
    accent: '#0b6374',
    theme: 'dark',
    groups: [{ name: 'Web', items: shown }],
    ...changes,
  });
  const set = (changes: object = {}) => ({ monitors, scenarios, statusPages: [page(changes)] });

  async function storedPage() {
    const { body } = await as().get('/v1/status-pages');
    expect(body.data).toHaveLength(1);
    return body.data[0];
  }

  it('apply creates a page with its items, and changes nothing when repeated', async () => {
    expect((await apply(set())).summary).toMatchObject({ create: 3, failed: 0 });
    const stored = await storedPage();
    expect(stored).toMatchObject({ key: 'public', slug, isPublic: true, version: 1 });
    expect(stored.groups[0].items).toMatchObject([
      { id: expect.stringMatching(/^mon_/), name: 'Shop' },
      { id: expect.stringMatching(/^scn_/), name: 'Ordering' },
    ]);
    expect((await apply(set())).summary).toMatchObject({ create: 0, update: 0, unchanged: 3 });
  });

  it('a dry run plans a new page and its new items, and creates nothing', async () => {
    const plan = await apply({ ...set(), dryRun: true });
    expect(plan.summary).toMatchObject({ create: 3, failed: 0 });
    const planned = plan.objects.find(({ kind }: { kind: string }) => kind === 'statusPage');
    expect(planned).toMatchObject({ key: 'public', name: 'Shop', action: 'create', id: null });
    expect(JSON.stringify(planned.changes)).toContain('"monitor":"home"');
    expect((await as().get('/v1/status-pages')).body.data).toEqual([]);
  });

  it('apply names each changed field, and items by their keys', async () => {
    await apply(set());
    const changed = await apply({
      ...set({ title: 'The shop', groups: [{ name: 'Web', items: [shown[1]] }] }),
      dryRun: true,
    });
    const planned = changed.objects.at(-1);
    expect(planned).toMatchObject({ kind: 'statusPage', action: 'update' });
    expect(planned.changes).toEqual(
      expect.arrayContaining([{ path: 'title', before: 'Shop', after: 'The shop' }]),
    );
    expect(JSON.stringify(planned.changes)).toContain('groups');
    expect(JSON.stringify(planned.changes)).not.toMatch(/mon_|scn_/);
  });

  it('apply changes nothing when exported pages are applied', async () => {
    await apply(set());
    const { body: bare } = await as()
      .post('/v1/monitors')
      .send({ name: 'no key', url: 'https://x.example.com/' });
    const other = { slug: `${slug}-other`, title: 'By hand', groups: [] };
    const { body: byHand } = await as().post('/v1/status-pages').send(other);
    const stored = (await as().get('/v1/status-pages')).body.data.find(
      ({ key }: { key: string | null }) => key === 'public',
    );
    const groups = [...stored.groups, { name: 'More', items: [{ id: bare.id, name: 'Bare' }] }];
    await as().patch(`/v1/status-pages/${stored.id}`).send({ groups });
    const { body: exported } = await as().get('/v1/export');
    expect(exported.statusPages).toEqual(
      expect.arrayContaining([
        {
          key: 'public',
          slug,
          title: 'Shop',
          isPublic: true,
          accent: '#0b6374',
          theme: 'dark',
          groups: [
            { name: 'Web', items: shown },
            { name: 'More', items: [{ id: bare.id, name: 'Bare' }] },
          ],
        },
        { id: byHand.id, slug: `${slug}-other`, title: 'By hand' },
      ]),
    );
    expect((await apply(exported)).summary).toMatchObject({ create: 0, update: 0, failed: 0 });
  });

  it('apply reports the path of an item that exists neither in the account nor in the set', async () => {
    const items = [
      { monitor: 'home', name: 'Shop' },
      { monitor: 'gone', name: 'Gone' },
      { id: 'mon_00000000000000000000000000', name: 'Strange' },
      { scenario: 'home', monitor: 'home', name: 'Both' },
    ];
    const applied = await apply({ ...set({ groups: [{ name: 'Web', items }] }), dryRun: true });
    const failed = applied.objects.at(-1);
    expect(failed).toMatchObject({ kind: 'statusPage', outcome: 'failed' });
    const paths = failed.problem.errors.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(['groups[0].items[3]']);
    const two = await apply(set({ groups: [{ name: 'Web', items: items.slice(0, 3) }] }));
    expect(two.objects.at(-1).problem.errors).toMatchObject([
      { path: 'groups[0].items[1].monitor', code: 'unknown_key' },
      { path: 'groups[0].items[2].id', code: 'unknown_id' },
    ]);
  });

  it('apply refuses an item that is on a page twice, once by key and once by id', async () => {
    const { objects } = await apply({ monitors });
    const items = [
      { monitor: 'home', name: 'Shop' },
      { id: objects[0].id, name: 'Shop again' },
    ];
    const applied = await apply({
      monitors,
      statusPages: [page({ groups: [{ name: 'W', items }] })],
    });
    expect(applied.objects.at(-1).problem.errors).toMatchObject([
      { path: 'groups[0].items[1].id' },
    ]);
  });

  it('exports and plans omit deleted items of a page, and deleted items do not block other changes', async () => {
    const { objects } = await apply(set());
    await as().delete(`/v1/monitors/${objects[0].id}`);
    await service.services.stores.monitors.remove(account.id, objects[0].id);
    const { body: exported } = await as().get('/v1/export');
    expect(exported.statusPages[0].groups).toEqual([{ name: 'Web', items: [shown[1]] }]);
    const again = await apply({ statusPages: exported.statusPages });
    expect(again.summary).toMatchObject({ unchanged: 1, failed: 0 });
    const [only] = exported.statusPages;
    const renamed = await apply({ statusPages: [{ ...only, title: 'New' }] });
    expect(renamed.summary).toMatchObject({ update: 1, failed: 0 });
  });

  it('apply reports an invalid or duplicate key first, and then the other problems of the object', async () => {
    const faulty = { interval: 1, colour: 'red' };
    const page = (key: string) => ({ key, slug, title: '' });
    const monitor = (key: string, changes = {}) => ({ ...monitors[0], key, ...changes });
    const { objects, summary } = await apply({
      monitors: [monitor('twice', faulty), monitor('twice'), monitor('Bad Key', faulty)],
      statusPages: [
        page('twin'),
        { ...page('twin'), title: 'Twin' },
        { ...page('other'), title: 'Other' },
      ],
    });
    const found = objects.map(({ problem }: AppliedSet['objects'][number]) => {
      const [first, ...others] = problem?.errors ?? [];
      return [first?.path, first?.code, others.map(({ path }) => path).sort()];
    });
    expect(found).toEqual([
      ['key', 'duplicate_key', ['colour', 'interval']],
      ['key', 'duplicate_key', []],
      ['key', 'invalid_value', ['colour', 'interval']],
      ['key', 'duplicate_key', ['title']],
      ['key', 'duplicate_key', []],
      // The refused pages do not take the slug.
      [undefined, undefined, []],
    ]);
    expect(summary).toMatchObject({ create: 1, failed: 5 });
  });

  it('apply prunes only pages that were applied under the name of the set', async () => {
    await apply(set());
    await as()
      .post('/v1/status-pages')
      .send({ slug: `${slug}-hand`, title: 'By hand' });
    const pruned = await apply({ monitors, prune: true });
    expect(pruned.summary).toMatchObject({ delete: 2, unchanged: 1 });
    expect(await storedPage()).toMatchObject({ slug: `${slug}-hand` });
  });

  it('apply keeps the name of the set when a page is changed by hand', async () => {
    await apply(set());
    const { id } = await storedPage();
    await as().patch(`/v1/status-pages/${id}`).send({ title: 'By hand' });
    const { summary } = await apply({ monitors, scenarios, prune: true });
    expect(summary).toMatchObject({ delete: 1 });
  });

  it('apply refuses a slug of another page before any object is created', async () => {
    await as().post('/v1/status-pages').send({ slug, title: 'First' });
    const plan = await apply({ ...set(), dryRun: true });
    expect(plan.objects.at(-1)).toMatchObject({
      outcome: 'failed',
      problem: { code: 'key_taken' },
    });
  });

  it('apply gives a key to a page that is named by its id, and another page cannot take that key', async () => {
    const { body: made } = await as().post('/v1/status-pages').send({ slug, title: 'First' });
    const applied = await apply({
      statusPages: [{ id: made.id, key: 'public', slug, title: 'First' }],
    });
    expect(applied.summary).toMatchObject({ update: 1 });
    expect(await storedPage()).toMatchObject({ id: made.id, key: 'public' });
    const second = await as()
      .post('/v1/status-pages')
      .send({ slug: `${slug}-b`, title: 'Second', key: 'public' });
    expect([second.status, second.body.code]).toEqual([409, 'key_taken']);
  });
});
