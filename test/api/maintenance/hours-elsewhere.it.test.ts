/**
 * Tests the hours of steps of alert policies and of status pages. Also tests the ledger that status pages show.
 *
 * Covers:
 * - services/maintenance/step-hours
 * - services/maintenance/find-hours-key
 * - services/status-pages/service-time
 */
import request from 'supertest';
import { accountOfSuite, agentOf, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);
const as = agentOf(service, account);
let slugs = 0;

beforeAll(async () => {
  const channel = {
    name: 'chat',
    key: 'chat',
    type: 'webhook',
    url: 'https://hooks.example.com/a',
  };
  expect((await as().post('/v1/alert-channels').send(channel)).status).toBe(201);
});

async function publish(changes: object = {}) {
  slugs += 1;
  const slug = `hours-${slugs}`;
  const page = { slug, title: 'Shop status', isPublic: true, showBadges: true, ...changes };
  const made = await as().post('/v1/status-pages').send(page);
  expect(made.body).toMatchObject({ version: 1, slug });
  return { id: String(made.body.id), slug };
}

async function visit(slug: string): Promise<request.Response> {
  // Moves the clock, because reads are cached for ten seconds.
  service.clock.nowMs += 10_001;
  return request(service.app).get(`/status/${slug}`);
}

const policy = (changes: object) => ({ name: 'On call', ...changes });

it('an escalation step names hours by key or id, and hours named by a step cannot be deleted', async () => {
  const weekly = [{ days: ['mon'], from: '09:00', to: '18:00' }];
  const hours = await as().post('/v1/hours').send({ key: 'desk', name: 'Desk', weekly });
  const steps = [
    { afterMinutes: 0, notify: ['chat'], hours: hours.body.id },
    { afterMinutes: 15, notify: ['chat'] },
  ];
  const made = await as()
    .post('/v1/alert-policies')
    .send(policy({ key: 'by-hours', steps }));
  expect(made.body.steps.map((one: { hours: unknown }) => one.hours)).toEqual(['desk', null]);
  const path = `/v1/alert-policies/${made.body.id}`;
  expect((await as().put(path).send(made.body)).body).toEqual(made.body);
  // This is a Sunday evening.
  const at = '2026-03-22T20:00:00.000Z';
  const { body } = await as().post(`${path}/simulate`).send({ at });
  expect(body.notifications.map((one: { at: string; step: number }) => [one.at, one.step])).toEqual(
    [
      ['2026-03-22T20:15:00.000Z', 2],
      ['2026-03-23T09:00:00.000Z', 1],
    ],
  );
  const kept = await as().delete(`/v1/hours/${hours.body.id}`);
  expect([kept.status, kept.body.errors]).toMatchObject([409, [{ path: made.body.id }]]);
  const unknown = [{ ...steps[0], hours: 'nobody' }];
  const refused = await as().patch(path).send({ steps: unknown });
  expect(refused.body.errors).toMatchObject([{ path: 'steps[0].hours', code: 'unknown_key' }]);
  expect((await as().delete(path)).status).toBe(204);
  expect((await as().delete(`/v1/hours/${hours.body.id}`)).status).toBe(204);
});

it('a status page shows the hours in which availability counts, and unknown hours are refused', async () => {
  const weekly = [{ days: ['mon', 'tue'], from: '09:00', to: '18:00' }];
  const hours = { key: 'counter', name: 'Inner name', timeZone: 'Europe/Berlin', weekly };
  const made = await as().post('/v1/hours').send(hours);
  const { id, slug } = await publish({ hours: 'counter' });
  const { text } = await visit(slug);
  expect(text).toContain('Service hours: Mon, Tue 09:00–18:00 (Europe/Berlin)');
  expect(text).not.toContain('Inner name');
  const kept = await as().delete(`/v1/hours/${made.body.id}`);
  expect([kept.status, kept.body.errors]).toMatchObject([409, [{ path: id }]]);
  const refused = await as().patch(`/v1/status-pages/${id}`).send({ hours: 'nobody' });
  expect(refused.body.errors).toMatchObject([{ path: 'hours', code: 'unknown_key' }]);
  await as().patch(`/v1/status-pages/${id}`).send({ hours: null });
  expect((await visit(slug)).text).not.toContain('Service hours');
});

it("a status page shows the ledger of checks and the ledger's badge only if its settings enable them", async () => {
  const { slug } = await publish({ showLedger: true });
  expect((await visit(slug)).text).toContain('At most one missed slot per million');
  const badge = await request(service.app).get(`/badges/${slug}/ledger.svg`);
  expect([badge.status, badge.type]).toEqual([200, 'image/svg+xml']);
  expect(String(badge.body)).toContain('lost of');
  const plain = await publish();
  expect((await visit(plain.slug)).text).not.toContain('At most one missed slot');
  expect((await request(service.app).get(`/badges/${plain.slug}/ledger.svg`)).status).toBe(404);
});
