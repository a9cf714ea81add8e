/**
 * Tests versions of objects: parallel writers, when `If-Match` refuses a write, and when `If-None-Match` gets a 304.
 *
 * Covers:
 * - services/lists/with-optimistic-retry
 * - services/resources/resource-verbs
 */
import { setTimeout } from 'node:timers/promises';
import request from 'supertest';
import { monitorRecord } from '../../models/example-records';
import { testSize } from '../../support/test-size';
import { accountOfSuite, agentOf, suiteService } from '../test-service';

/** Number of concurrent writers. With so many writers, a few retries per write are not enough. */
const AT_ONCE = testSize('writers', { ci: 5, long: 8 });
const ROUNDS = testSize('rounds', { ci: 3, long: 10 });

// A writer that loses a race waits in real time. The clock of the service is stopped, so retries never reach their
// deadline.
const service = suiteService({ sleep: (ms) => setTimeout(ms) });
const account = accountOfSuite(service);
const as = agentOf(service, account);

const steps = [{ name: 'a', url: 'https://example.com/' }];
const startsAt = new Date(Date.now() + 3_600_000).toISOString();

const KINDS: readonly (readonly [list: string, body: object])[] = [
  ['monitors', { name: 'm', url: 'https://example.com/' }],
  ['scenarios', { name: 's', steps }],
  ['alert-channels', { name: 'c', type: 'email', emails: ['a@example.com'] }],
  [
    'maintenance-windows',
    { name: 'w', mode: 'mute', startsAt, durationMinutes: 5, target: { all: true } },
  ],
  ['status-pages', { slug: 'of-versions', title: 'p' }],
  ['saved-views', { name: 'v', isShared: true }],
];

async function create(list: string, body: object): Promise<string> {
  const { body: created } = await as().post(`/v1/${list}`).send(body);
  return `/v1/${list}/${created.id}`;
}

const monitor = () => create('monitors', { name: 'm', url: 'https://example.com/' });

describe('without If-Match', () => {
  it.each(KINDS)(
    'without If-Match, no parallel PATCH of %s is refused or lost',
    async (list, body) => {
      const path = await create(list, body);
      const field = list === 'status-pages' ? 'title' : 'name';
      const patched = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) =>
          as()
            .patch(path)
            .send({ [field]: `n${index}` }),
        ),
      );
      expect(patched.map(({ status }) => status)).toEqual(patched.map(() => 200));
      const versions = patched
        .map(({ body: { version } }) => Number(version))
        .sort((a, b) => a - b);
      expect(versions).toEqual(patched.map((_, index) => index + 2));
    },
  );

  it('no parallel PUT of a monitor is refused', async () => {
    const path = await monitor();
    const put = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        as()
          .put(path)
          .send({ name: `n${index}`, url: 'https://example.com/' }),
      ),
    );
    expect(put.map(({ status }) => status)).toEqual(put.map(() => 200));
  });

  it('parallel writes of new values to a secret all succeed', async () => {
    const put = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        as()
          .put('/v1/secrets/TOKEN')
          .send({ value: `value ${index}` }),
      ),
    );
    const created = put.filter(({ status }) => status === 201);
    const replaced = put.filter(({ status }) => status === 200);
    expect([created.length, replaced.length]).toEqual([1, AT_ONCE - 1]);
  });

  it('a DELETE during a parallel pause succeeds', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const path = await monitor();
      const [paused, deleted] = await Promise.all([as().post(`${path}/pause`), as().delete(path)]);
      expect(deleted.status).toBe(204);
      expect([200, 404]).toContain(paused.status);
      expect((await as().get(path)).status).toBe(404);
    }
  });
});

it.each(KINDS)(
  'If-Match on %s accepts the full ETag or the version in quotes, and refuses older versions',
  async (list, body) => {
    const path = await create(list, { ...body, ...(list === 'status-pages' && { slug: 'again' }) });
    const field = list === 'status-pages' ? 'title' : 'name';
    const read = await as().get(path);
    const tag = read.headers['etag'] ?? '';
    expect(tag).toMatch(/^"1\.[\w-]{16}"$/);
    const patch = (name: string, ifMatch: string) =>
      as()
        .patch(path)
        .set('If-Match', ifMatch)
        .send({ [field]: name });
    expect((await patch('whole', tag)).status).toBe(200);
    const stale = await patch('stale', tag);
    expect(stale.body).toMatchObject({ status: 412, code: 'version_mismatch' });
    expect((await patch('plain', '"2"')).body).toMatchObject({ [field]: 'plain', version: 3 });
    expect((await patch('older', '"1", "2"')).status).toBe(412);
  },
);

describe('a DELETE during a write by someone else', () => {
  const KINDS_AND_SECRET = [...KINDS, ['secrets', { value: 'first value' }] as const];

  /** Creates an application in which `writeMeanwhile` runs once, just before the first write of the application. */
  function racingApp(writeMeanwhile: () => Promise<unknown>) {
    let isWritten = false;
    const raced =
      <Args extends unknown[]>(write: (...args: Args) => Promise<boolean>) =>
      async (...args: Args): Promise<boolean> => {
        if (!isWritten) {
          isWritten = true;
          await writeMeanwhile();
        }
        return write(...args);
      };
    const { stores } = service.services;
    const { monitors, scenarios, alertChannels, maintenanceWindows, secrets } = stores;
    const { savedViews, statusPages } = stores;
    return service.appWith({
      stores: {
        ...stores,
        monitors: { ...monitors, replace: raced(monitors.replace) },
        scenarios: { ...scenarios, replace: raced(scenarios.replace) },
        alertChannels: { ...alertChannels, remove: raced(alertChannels.remove) },
        maintenanceWindows: { ...maintenanceWindows, replace: raced(maintenanceWindows.replace) },
        statusPages: { ...statusPages, remove: raced(statusPages.remove) },
        savedViews: { ...savedViews, remove: raced(savedViews.remove) },
        secrets: { ...secrets, remove: raced(secrets.remove) },
      },
    });
  }

  async function make(list: string, body: object, name: string) {
    const path = list === 'secrets' ? `/v1/secrets/${name}` : '';
    if (list === 'secrets') await as().put(path).send(body).expect(201);
    const made =
      path || (await create(list, { ...body, ...(list === 'status-pages' && { slug: name }) }));
    const field = list === 'status-pages' ? 'title' : 'name';
    const write = () =>
      list === 'secrets'
        ? as().put(made).send({ value: 'second value' }).expect(200)
        : as()
            .patch(made)
            .send({ [field]: 'newer' })
            .expect(200);
    const remove = () =>
      request(racingApp(write)).delete(made).set('Authorization', `Bearer ${account.key}`);
    return { path: made, remove };
  }

  it.each(KINDS_AND_SECRET)(
    'a DELETE with If-Match during a write by someone else does not remove a newer version of %s',
    async (list, body) => {
      const { path, remove } = await make(list, body, 'raced-with');
      const refused = await remove().set('If-Match', '"1"');
      expect(refused.body).toMatchObject({ status: 412, code: 'version_mismatch' });
      expect((await as().get(path)).body).toMatchObject({ version: 2 });
    },
  );

  it.each(KINDS_AND_SECRET)(
    'a DELETE without If-Match during a write by someone else removes %s',
    async (list, body) => {
      const { path, remove } = await make(list, body, 'raced-without');
      expect((await remove()).status).toBe(204);
      expect((await as().get(path)).status).toBe(404);
    },
  );
});

it('a conditional GET gets 304 only while the response is unchanged', async () => {
  const path = await monitor();
  const { headers, body } = await as().get(path);
  const again = () =>
    as()
      .get(path)
      .set('If-None-Match', headers['etag'] ?? '');
  expect((await again()).status).toBe(304);
  await service.recorder.recordMonitorCheck(
    monitorRecord({
      accountId: account.id,
      monitorId: body.id,
      slotMs: service.clock.nowMs,
      health: 'down',
    }),
  );
  const down = await again();
  expect(down.body).toMatchObject({ version: 1, health: 'down' });
  // If-Match compares only the version, so a check that was recorded in between does not matter.
  const patched = await as()
    .patch(path)
    .set('If-Match', headers['etag'] ?? '')
    .send({ name: 'n' });
  expect(patched.status).toBe(200);
});
