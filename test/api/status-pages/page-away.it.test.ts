/**
 * Status pages while the database is away.
 *
 * Covers:
 * - platform/last-good
 */
import type { Express } from 'express';
import request from 'supertest';
import { createStores } from '../../../src/models';
import type { Database } from '../../../src/models/store/database';
import { type FaultyLink, openFaultyLink } from '../../models/faulty-link';
import { connectTo } from '../../models/test-database';
import { waitUntil } from '../../support/wait-until';
import { arranged } from '../arranged';
import { accountOfSuite, agentOf, suiteService } from '../test-service';

const DEADLINES = { callMs: 300, connectMs: 200 };
const service = suiteService();
const as = agentOf(service, accountOfSuite(service));
let link: FaultyLink;
let linked: Database;
let app: Express;

beforeAll(async () => {
  link = await openFaultyLink(service.database.uri);
  linked = await connectTo(link.uri, service.database.name, DEADLINES);
  app = service.appWith({ stores: createStores(linked, service.services.clock) });
});
afterEach(() => link.heal());
afterAll(async () => {
  await linked.close();
  await link.close();
});

async function newPage(slug: string): Promise<string> {
  const { id } = await arranged(
    as().post('/v1/monitors').send({ name: 'inner', url: 'http://example.com' }),
  );
  const groups = [{ name: 'Shop', items: [{ id, name: 'Payments' }] }];
  const page = { slug, title: 'Shop status', isPublic: true, showBadges: true, groups };
  return (await arranged(as().post('/v1/status-pages').send(page))).id;
}

/** What was read is kept for ten seconds whatever becomes of the database. */
async function visit(path: string) {
  service.clock.nowMs += 10_001;
  const { status, text, body } = await request(app).get(path);
  return { status, shown: text ?? String(body) };
}

it.each(['cut', 'freeze'] as const)(
  'a page is shown as it was read last (%s), and as it is once the database is back',
  async (fault) => {
    const slug = `away-${fault}`;
    const id = await newPage(slug);
    await newPage(`unread-${fault}`);
    const paths = ['', '/embed', '/feed.json', '/api/v2/summary.json'].map(
      (path) => `/status/${slug}${path}`,
    );
    for (const path of paths) expect([path, (await visit(path)).status]).toEqual([path, 200]);
    link[fault]();
    for (const path of paths) {
      const { status, shown } = await visit(path);
      expect([path, status]).toEqual([path, 200]);
      expect(shown).toContain('Payments');
    }
    expect((await visit(`/status/unread-${fault}`)).status).toBe(503);
    const { version } = (await as().get(`/v1/status-pages/${id}`)).body;
    const changed = await as()
      .patch(`/v1/status-pages/${id}`)
      .set('If-Match', `"${version}"`)
      .send({ title: 'Shop, renamed' });
    expect(changed.status).toBe(200);
    link.heal();
    await waitUntil('the page as it is', async () =>
      (await visit(`/status/${slug}`)).shown.includes('Shop, renamed'),
    );
  },
);

it('a page that is no longer public disappears once the database is back', async () => {
  const slug = 'hidden-meanwhile';
  const id = await newPage(slug);
  expect((await visit(`/status/${slug}`)).status).toBe(200);
  link.cut();
  expect((await visit(`/status/${slug}`)).status).toBe(200);
  const { version } = (await as().get(`/v1/status-pages/${id}`)).body;
  await as()
    .patch(`/v1/status-pages/${id}`)
    .set('If-Match', `"${version}"`)
    .send({ isPublic: false });
  link.heal();
  await waitUntil('nothing there', async () => (await visit(`/status/${slug}`)).status === 404);
});
