/**
 * Tests status pages while the database is down.
 *
 * Covers:
 * - platform/last-good
 */
import type { Express } from 'express';
import request from 'supertest';
import { createStores } from '../../../src/models';
import type { Database } from '../../../src/models/store/database';
import { type Copies, createCopies } from '../../../src/platform/last-good';
import { type FaultyLink, openFaultyLink } from '../../models/faulty-link';
import { connectTo } from '../../models/test-database';
import { waitUntil } from '../../support/wait-until';
import { arranged } from '../arranged';
import { accountOfSuite, agentOf, suiteService } from '../test-service';

const MINUTE = 60_000;
const DEADLINES = { callMs: 300, connectMs: 200 };
const PASSWORD = { access: { type: 'password', password: 'open sesame' } };
const service = suiteService();
const as = agentOf(service, accountOfSuite(service));
let link: FaultyLink;
let linked: Database;
let copies: Copies;
let app: Express;

beforeAll(async () => {
  link = await openFaultyLink(service.database.uri);
  linked = await connectTo(link.uri, service.database.name, DEADLINES);
  copies = createCopies(service.services.clock);
  app = service.appWith({ stores: createStores(linked, service.services.clock) }, { copies });
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

async function change(id: string, fields: object): Promise<void> {
  const { version } = (await as().get(`/v1/status-pages/${id}`)).body;
  await arranged(as().patch(`/v1/status-pages/${id}`).set('If-Match', `"${version}"`).send(fields));
}

/**
 * Reads the page after its cached copy has expired. Reads are cached for ten seconds, even while the database is down.
 */
async function visit(path: string) {
  service.clock.nowMs += 10_001;
  const { status, text, body } = await request(app).get(path);
  return { status, shown: text ?? String(body) };
}

/** Waits until the page is available. After a test with a broken connection, this may take a moment. */
const waitForPage = (path: string) =>
  waitUntil('the page', async () => (await visit(path)).status === 200);

/** Moves the clock by a minute and confirms all copies. The API process does this once a minute. */
async function confirm(): Promise<void> {
  service.clock.nowMs += MINUTE;
  await waitUntil('all copies are read again', copies.confirm);
}

it.each(['cut', 'freeze'] as const)(
  'while the database is away (%s), a page is shown as last read',
  async (fault) => {
    const slug = `away-${fault}`;
    const id = await newPage(slug);
    await newPage(`unread-${fault}`);
    const paths = ['', '/embed', '/feed.json', '/api/v2/summary.json'].map(
      (path) => `/status/${slug}${path}`,
    );
    for (const path of paths) await waitForPage(path);
    link[fault]();
    for (const path of paths) {
      const { status, shown } = await visit(path);
      expect([path, status]).toEqual([path, 200]);
      expect(shown).toContain('Payments');
    }
    expect((await visit(`/status/unread-${fault}`)).status).toBe(503);
    await change(id, { title: 'Shop, renamed' });
    link.heal();
    await waitUntil('the current page is shown', async () =>
      (await visit(`/status/${slug}`)).shown.includes('Shop, renamed'),
    );
  },
);

it('a status page that was unpublished during an outage of the database disappears once the database is back', async () => {
  const slug = 'hidden-meanwhile';
  const id = await newPage(slug);
  await waitForPage(`/status/${slug}`);
  link.cut();
  expect((await visit(`/status/${slug}`)).status).toBe(200);
  await change(id, { isPublic: false });
  link.heal();
  await waitUntil('nothing there', async () => (await visit(`/status/${slug}`)).status === 404);
});

describe('a page that no one has visited since its last change', () => {
  it.each([
    ['unpublished', 503, (id: string) => change(id, { isPublic: false })],
    ['given a password', 403, (id: string) => change(id, PASSWORD)],
    ['deleted', 503, (id: string) => arranged(as().delete(`/v1/status-pages/${id}`))],
  ] as const)(
    'while the database is away, a page that was %s before the outage shows none of its content',
    async (what, expected, act) => {
      const path = `/status/${what.replaceAll(' ', '-')}-before`;
      const id = await newPage(path.replace('/status/', ''));
      await waitForPage(path);
      await act(id);
      await confirm();
      link.cut();
      for (const part of ['', '/feed.json', '/embed', '/api/v2/summary.json']) {
        const { status, shown } = await visit(`${path}${part}`);
        expect([part, status === 200, shown.includes('Payments')]).toEqual([part, false, false]);
      }
      expect((await visit(path)).status).toBe(expected);
    },
  );

  it('while the database is away, a page shows posts written before the outage, but no posts deleted before the outage', async () => {
    const path = '/status/posts-before';
    const pageId = await newPage('posts-before');
    const write = (title: string) =>
      arranged(
        as()
          .post('/v1/status-page-posts')
          .send({ pageId, title, text: 'We look into it.', publish: true }),
      );
    const { id } = await write('Cards fail');
    await waitForPage(path);
    await arranged(as().delete(`/v1/status-page-posts/${id}`));
    await write('Search fails');
    await confirm();
    link.cut();
    const { status, shown } = await visit(path);
    expect([status, shown.includes('Cards fail'), shown.includes('Search fails')]).toEqual([
      200,
      false,
      true,
    ]);
  });

  it('while the database is away, a copy of a page is not shown if it was last confirmed two minutes ago', async () => {
    const path = '/status/unconfirmed-before';
    await newPage('unconfirmed-before');
    await waitForPage(path);
    service.clock.nowMs += 2 * MINUTE;
    link.cut();
    expect((await visit(path)).status).toBe(503);
  });
});
