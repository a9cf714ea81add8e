/**
 * Tests status pages whose access is restricted by password, membership or network.
 *
 * Covers:
 * - services/status-pages/page-access
 * - api/pages/status-page-visit
 */
import request from 'supertest';
import { PASS_LIFETIME_MS } from '../../../src/services/status-pages/page-access';
import { arranged } from '../arranged';
import { accountOfEach, agentOf, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfEach(service);
const as = agentOf(service, account);
const PASSWORD = 'open sesame';
let slugs = 0;

async function newPage(access: object) {
  slugs += 1;
  const slug = `private-${slugs}`;
  const monitor = await arranged(
    as().post('/v1/monitors').send({ name: 'inner', url: 'http://example.com' }),
  );
  const groups = [{ name: 'Inner group', items: [{ id: monitor.id, name: 'Payroll' }] }];
  const body = { slug, title: 'Secret shop', isPublic: true, showBadges: true, groups, access };
  const page = await arranged(as().post('/v1/status-pages').send(body));
  return { id: page.id, slug, itemId: monitor.id };
}

type Page = Awaited<ReturnType<typeof newPage>>;

const pathsOf = ({ slug, itemId }: Page): readonly string[] => [
  `/status/${slug}`,
  `/status/${slug}/embed`,
  `/status/${slug}/history/${new Date(service.clock.nowMs).toISOString().slice(0, 7)}`,
  `/status/${slug}/feed.json`,
  `/status/${slug}/feed.atom`,
  `/status/${slug}/feed.rss`,
  `/badges/${slug}/overall.svg`,
  `/badges/${slug}/${itemId}.svg`,
];

const visit = (path: string, headers: Record<string, string> = {}) =>
  request(service.app).get(path).set(headers);

const enter = (slug: string, password: string, headers: Record<string, string> = {}) =>
  request(service.app).post(`/status/${slug}`).type('form').send({ password }).set(headers);

async function passOf(slug: string, password = PASSWORD): Promise<string> {
  const answer = await enter(slug, password);
  expect(answer.status).toBe(303);
  expect(answer.headers['location']).toBe(`/status/${slug}`);
  const [cookie = ''] = answer.get('Set-Cookie') ?? [];
  expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
  return cookie.replace(/;.*/, '');
}

async function expectNothingShown(page: Page, headers: Record<string, string> = {}) {
  for (const path of pathsOf(page)) {
    const { status, text, body, headers: sent } = await visit(path, headers);
    const shown = `${text}${Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body)}`;
    expect([path, status]).toEqual([
      path,
      path.endsWith(page.slug) || path.includes('/history/') ? expect.any(Number) : 404,
    ]);
    expect(status).toBeGreaterThanOrEqual(403);
    expect(shown).not.toMatch(/Secret shop|Payroll|Inner group/);
    expect(sent['cache-control']).toMatch(/no-store/);
  }
}

async function expectAllShown(page: Page, headers: Record<string, string>) {
  for (const path of pathsOf(page)) {
    const { status, headers: sent } = await visit(path, headers);
    expect([path, status]).toEqual([path, 200]);
    expect(sent['cache-control']).toBe('private, no-store');
    expect(sent['etag']).toBeUndefined();
    expect(sent['access-control-allow-origin']).toBeUndefined();
  }
}

describe('access to a status page by password', () => {
  it('access by password hides the page, its feeds and its badges from visitors without the password', async () => {
    const page = await newPage({ type: 'password', password: PASSWORD });
    await expectNothingShown(page);
    const form = await visit(`/status/${page.slug}`);
    expect(form.status).toBe(403);
    expect(form.text).toContain('type="password"');
    expect(form.text).toContain(`action="/status/${page.slug}"`);
    expect(form.headers['content-security-policy']).toContain("form-action 'self'");
    await expectAllShown(page, { Cookie: await passOf(page.slug) });
  });

  it('access by password never puts the password or its hash into responses, audit trail or exports', async () => {
    const { id } = await newPage({ type: 'password', password: PASSWORD });
    const texts = await Promise.all(
      [`/v1/status-pages/${id}`, '/v1/status-pages', '/v1/export', '/v1/audit-events'].map(
        async (path) => JSON.stringify((await as().get(path)).body),
      ),
    );
    expect(texts[0]).toContain('"access":{"type":"password"}');
    const stored = await service.services.stores.statusPages.find(account.id, id);
    const hash = stored?.access.type === 'password' ? stored.access.passwordHash : '';
    expect(hash).not.toBe('');
    for (const text of texts) {
      expect(text).not.toContain(PASSWORD);
      expect(text).not.toContain(hash);
    }
  });

  it('a wrong page password is refused, and many wrong passwords are throttled', async () => {
    const { slug } = await newPage({ type: 'password', password: PASSWORD });
    const wrong = await enter(slug, 'not this one');
    expect(wrong.status).toBe(403);
    expect(wrong.text).toContain('Wrong password.');
    expect(wrong.get('Set-Cookie')).toBeUndefined();
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1)
      statuses.push((await enter(slug, 'not this one')).status);
    expect(statuses).toContain(429);
    const held = await enter(slug, PASSWORD);
    expect(held.status).toBe(429);
    expect(held.headers['retry-after']).toBeDefined();
    service.clock.nowMs += 61_000;
    await passOf(slug);
  });

  it('access to a status page by password is refused if another site sends the form', async () => {
    const { slug } = await newPage({ type: 'password', password: PASSWORD });
    const answer = await enter(slug, PASSWORD, { 'Sec-Fetch-Site': 'cross-site' });
    expect(answer.status).toBe(403);
    expect(answer.get('Set-Cookie')).toBeUndefined();
  });

  it('access by password ends when its cookie expires or the password changes, and covers one page only', async () => {
    const page = await newPage({ type: 'password', password: PASSWORD });
    const other = await newPage({ type: 'password', password: PASSWORD });
    const Cookie = await passOf(page.slug);
    await expectAllShown(page, { Cookie });
    await expectNothingShown(other, { Cookie: Cookie.replace(page.id, other.id) });

    const patch = (access: object) => as().patch(`/v1/status-pages/${page.id}`).send({ access });
    const before = (await as().get(`/v1/status-pages/${page.id}`)).body.version;
    expect((await patch({ type: 'password', password: PASSWORD })).body.version).toBe(before);
    expect((await patch({ type: 'password' })).body.version).toBe(before);
    await expectAllShown(page, { Cookie });
    await patch({ type: 'password', password: 'another one' });
    await expectNothingShown(page, { Cookie });

    const fresh = { Cookie: await passOf(page.slug, 'another one') };
    service.clock.nowMs += PASS_LIFETIME_MS;
    await expectNothingShown(page, fresh);
  });

  it('a switch to password access is refused if no password is stored or sent', async () => {
    const { id } = await newPage({ type: 'members' });
    const answer = await as()
      .patch(`/v1/status-pages/${id}`)
      .send({ access: { type: 'password' } });
    expect(answer.body).toMatchObject({
      status: 400,
      errors: [{ path: 'access.password', code: 'required' }],
    });
  });
});

describe('access to a status page by membership', () => {
  it('access by membership shows the page to API keys of the account, and a link to the login to everyone else', async () => {
    const page = await newPage({ type: 'members' });
    await expectNothingShown(page);
    const stranger = await service.newAccount();
    await expectNothingShown(page, { Authorization: `Bearer ${stranger.key}` });
    await expectAllShown(page, { Authorization: `Bearer ${account.key}` });
    const lock = await visit(`/status/${page.slug}`);
    expect(lock.text).toContain(`/login?next=/status/${page.slug}`);
  });
});

describe('access to a status page by network', () => {
  it('access by network shows the page to visitors from the listed networks, and gives a 404 to all others', async () => {
    const inside = await newPage({ type: 'ips', ranges: ['127.0.0.0/8', '::1'] });
    await expectAllShown(inside, {});
    const outside = await newPage({ type: 'ips', ranges: ['203.0.113.0/24'] });
    await expectNothingShown(outside);
    const none = await visit('/status/there-is-none');
    const refused = await visit(`/status/${outside.slug}`);
    expect([refused.status, refused.text]).toEqual([404, none.text]);
    await expectNothingShown(outside, { 'X-Forwarded-For': '203.0.113.7' });
    await expectAllShown(outside, { Authorization: `Bearer ${account.key}` });
  });

  it('access by network can be replaced by another access type with a PATCH, and no old fields remain', async () => {
    const { id } = await newPage({ type: 'ips', ranges: ['203.0.113.0/24'] });
    const patched = await as()
      .patch(`/v1/status-pages/${id}`)
      .send({ access: { type: 'members' } });
    expect(patched.body.access).toEqual({ type: 'members' });
    const taken = await as().patch(`/v1/status-pages/${id}`).send({ access: null });
    expect(taken.body.access).toEqual({ type: 'public' });
  });

  it('access by network is refused with invalid ranges, and the refusal names each of these ranges', async () => {
    const ranges = ['10.0.0.0/8', 'office', '10.0.0.0/64', '2001:db8::/32'];
    const answer = await as()
      .post('/v1/status-pages')
      .send({ slug: 'ranges', title: 't', access: { type: 'ips', ranges } });
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'access.ranges[1]',
      'access.ranges[2]',
    ]);
  });
});

it('a status page without access settings is public, and apply keeps or changes its access settings', async () => {
  const { id, slug } = await newPage({ type: 'public' });
  expect((await visit(`/status/${slug}`)).headers['cache-control']).toBe('public, max-age=30');
  const entry = { id, slug, title: 'Secret shop', isPublic: true };
  const apply = async (access: object) => {
    const answer = await as()
      .post('/v1/apply')
      .send({ statusPages: [{ ...entry, access }] });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  await apply({ type: 'password', password: PASSWORD });
  const Cookie = await passOf(slug);
  const kept = await apply({ type: 'password' });
  expect(JSON.stringify(kept)).not.toContain('(another value)');
  expect((await visit(`/status/${slug}`, { Cookie })).status).toBe(200);
  const changed = await apply({ type: 'password', password: 'another one' });
  expect(JSON.stringify(changed)).toContain('(another value)');
  expect(JSON.stringify(changed)).not.toContain('another one');
  expect((await visit(`/status/${slug}`, { Cookie })).status).toBe(403);
});
