/**
 * Tests status pages under custom domains: what is served under which host, and how a host is verified.
 *
 * Covers:
 * - services/status-pages/page-domains
 * - api/pages/custom-domains
 */
import request from 'supertest';
import {
  type DomainNeeds,
  verifyDueDomains,
} from '../../../src/services/status-pages/page-domains';
import { arranged } from '../arranged';
import { accountOfEach, agentOf, suiteService } from '../test-service';

const MINUTE = 60_000;
const service = suiteService();
const account = accountOfEach(service);
const as = agentOf(service, account);
const { signal } = new AbortController();
let count = 0;

async function newPage(fields: object = {}) {
  count += 1;
  const host = `status-${count}.example.com`;
  const monitor = await arranged(
    as().post('/v1/monitors').send({ name: 'inner', url: 'http://example.com' }),
  );
  const groups = [{ name: 'Shop', items: [{ id: monitor.id, name: 'Payments' }] }];
  const body = {
    slug: `own-${count}`,
    title: 'Shop status',
    isPublic: true,
    showBadges: true,
    groups,
    domains: [host],
    ...fields,
  };
  const { id } = await arranged(as().post('/v1/status-pages').send(body));
  return { id, host, slug: body.slug, itemId: monitor.id };
}

const at = (host: string, path = '/') => request(service.app).get(path).set('Host', host);

/** Returns dependencies with which only these hosts lead to the service. A request to another host fails. */
function needsWith(hosts: readonly string[]): DomainNeeds & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    stores: service.services.stores,
    clock: service.services.clock,
    sealer: service.services.sealers.stored,
    newNonce: () => `nonce-${asked.length}`,
    ask: async ({ url, headers, body }) => {
      asked.push(url);
      const { hostname, pathname, protocol } = new URL(url);
      if (!hosts.includes(hostname) || protocol !== 'http:')
        return { failure: { message: 'The name cannot be resolved.' } };
      const [type] = headers;
      const { status, text } = await request(service.app)
        .post(pathname)
        .set('Host', hostname)
        .set('Content-Type', type?.value ?? '')
        .send(body);
      return { status, text };
    },
  };
}

async function verify(hosts: readonly string[]) {
  const needs = needsWith(hosts);
  await verifyDueDomains(needs, signal);
  // Moves the clock, because the page of a host is cached for ten seconds.
  service.clock.nowMs += 10_001;
  return needs.asked;
}

it('a status page is served under its own domains only after these domains are verified', async () => {
  const { id, host } = await newPage();
  expect((await at(host)).text).not.toContain('Shop status');
  expect((await at('keepwatch.test', `/internal/tls-ask?domain=${host}`)).status).toBe(404);
  await verify([]);
  const states = await as().get(`/v1/status-pages/${id}/domains`);
  expect(states.body.data).toMatchObject([
    { host, isVerified: false, verifiedAt: null, problem: 'The name cannot be resolved.' },
  ]);
  expect((await at(host)).text).not.toContain('Shop status');

  service.clock.nowMs += MINUTE;
  await verify([host]);
  const shown = await at(host);
  expect([shown.status, shown.text.includes('Shop status')]).toEqual([200, true]);
  expect((await at('keepwatch.test', `/internal/tls-ask?domain=${host}`)).status).toBe(200);
  expect((await as().get(`/v1/status-pages/${id}/domains`)).body.data).toMatchObject([
    { host, isVerified: true, nextCheckAt: null, problem: null },
  ]);
  service.clock.nowMs += MINUTE;
  expect(await verify([])).toEqual([]);
});

it('a domain of a status page serves only the page, its feeds, badges and API', async () => {
  // On a custom domain, the path contains no slug. The missing slug must not be read as the slug `null`.
  const { host, slug, itemId } = await newPage({ slug: 'null' });
  await verify([host]);
  const month = new Date(service.clock.nowMs).toISOString().slice(0, 7);
  const page = await at(host);
  expect(page.text).toContain('href="feed.rss"');
  for (const path of [
    '/embed',
    `/history/${month}`,
    '/feed.json',
    '/api/v2/summary.json',
    '/badges/overall.svg',
    `/badges/${itemId}.svg?metric=uptime`,
  ])
    expect([path, (await at(host, path)).status]).toEqual([path, 200]);
  const summary = await at(host, '/api/v2/summary.json');
  expect(summary.body.page.url).toBe(`http://${host}`);
  for (const path of ['/login', `/status/${slug}`, '/dashboard'])
    expect([path, (await at(host, path)).status]).toEqual([path, 404]);
  const main = await request(service.app).get(`/status/${slug}`);
  expect(main.text).toContain(`href="${slug}/feed.rss"`);
});

it('the access settings of a page apply under its domain, too', async () => {
  const { host } = await newPage({ access: { type: 'password', password: 'open sesame' } });
  await verify([host]);
  const locked = await at(host);
  expect([locked.status, locked.text.includes('Shop status')]).toEqual([403, false]);
  const entered = await request(service.app)
    .post('/')
    .set('Host', host)
    .type('form')
    .send({ password: 'open sesame' });
  expect([entered.status, entered.headers['location']]).toEqual([303, '/']);
  const [cookie = ''] = entered.get('Set-Cookie') ?? [];
  expect((await at(host).set('Cookie', cookie.replace(/;.*/, ''))).text).toContain('Shop status');
});

it('a domain belongs to the first status page that verifies the domain', async () => {
  const { id, host } = await newPage();
  await verify([]);
  const other = await service.newAccount();
  const claim = (slug: string, key: string) =>
    as(key)
      .post('/v1/status-pages')
      .send({ slug, title: 'Other status', isPublic: true, domains: [host] });
  const theirs = await arranged(claim(`other-${count}`, other.key));
  const twice = await claim(`twice-${count}`, other.key);
  expect(twice.body).toMatchObject({ status: 409, code: 'key_taken' });
  expect(twice.body.detail).toContain('domains');

  await verify([host]);
  expect((await at(host)).text).toContain('Other status');
  service.clock.nowMs += MINUTE;
  await verify([host]);
  expect((await as().get(`/v1/status-pages/${id}/domains`)).body.data).toMatchObject([
    { host, isVerified: false, problem: expect.stringContaining('another status page') },
  ]);
  const third = await service.newAccount();
  const late = await claim(`late-${count}`, third.key);
  expect(late.body).toMatchObject({ status: 409, code: 'key_taken' });

  expect((await at(host)).text).toContain('Other status');
  await arranged(
    as(other.key)
      .patch(`/v1/status-pages/${theirs.id}`)
      .set('If-Match', `"${theirs.version}"`)
      .send({ domains: [] }),
  );
  // The page of the previous owner disappears at once, even though the cache still maps the host to it.
  expect((await at(host)).text).not.toContain('Other status');
  service.clock.nowMs += MINUTE;
  await verify([host]);
  expect((await at(host)).text).toContain('Shop status');
});

it('the API and other program paths stay available on a host that also belongs to the service', async () => {
  const { host } = await newPage();
  await verify([host]);
  expect((await at(host, '/v1/monitors')).status).toBe(401);
  for (const path of ['/internal/probe/none', '/hooks/none', '/mcp', '/metrics']) {
    const { status } = await at('keepwatch.test', path);
    expect([path, (await at(host, path)).status]).toEqual([path, status]);
  }
});

it('requests for any number of unknown hosts read the verified domains from the database once', async () => {
  const { statusPages } = service.services.stores;
  let reads = 0;
  const listVerifiedDomains = () => {
    reads += 1;
    return statusPages.listVerifiedDomains();
  };
  const counted = { ...statusPages, listVerifiedDomains };
  const app = service.appWith({ stores: { ...service.services.stores, statusPages: counted } });
  for (let index = 0; index < 20; index += 1)
    await request(app).get('/feed.json').set('Host', `made-up-${index}.example.com`);
  expect(reads).toBe(1);
});

it('requests for a page at its own domain are limited in the same way as at the service', async () => {
  const { host, slug } = await newPage();
  await verify([host]);
  const none = { atOnce: 0, waitingMax: 0, waitMaxMs: 0 };
  const app = service.appWith({}, { loadBounds: { pings: none, requests: none } });
  for (const path of ['/', '/feed.json', '/subscribe', '/badges/overall.svg']) {
    const { status } = await request(app).get(path).set('Host', host);
    expect([path, status]).toEqual([path, 503]);
  }
  expect((await request(app).get(`/status/${slug}`)).status).toBe(503);
  expect((await request(app).get('/login')).status).not.toBe(503);
});

it('a host that leads to another installation is not verified as a domain', async () => {
  const { id, host } = await newPage();
  const needs = needsWith([host]);
  const forge = async () => ({ status: 200, text: 'AQEBAQ' });
  await verifyDueDomains({ ...needs, ask: forge }, signal);
  const { body } = await as().get(`/v1/status-pages/${id}/domains`);
  expect(body.data).toMatchObject([
    { isVerified: false, problem: expect.stringContaining('does not lead to this service') },
  ]);
});

it('the refusal of a status page names every invalid domain', async () => {
  const domains = [
    'status.example.com',
    'https://x.example.com',
    'status.example.com',
    'localhost',
  ];
  const wrong = await as().post('/v1/status-pages').send({ slug: 'wrong', title: 't', domains });
  expect(wrong.body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
    'domains[1]',
    'domains[2]',
    'domains[3]',
  ]);
  const own = await as()
    .post('/v1/status-pages')
    .send({ slug: 'wrong', title: 't', domains: ['keepwatch.test'] });
  expect(own.body.errors).toMatchObject([{ path: 'domains[0]' }]);
});
