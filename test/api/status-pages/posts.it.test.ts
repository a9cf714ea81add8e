/**
 * Tests posts of status pages over HTTP. They are written by people, or by the service about incidents.
 *
 * Covers:
 * - services/status-pages/posts
 * - services/status-pages/public-posts
 * - services/status-pages/incident-posts
 * - services/status-pages/post-problems
 * - services/status-pages/post-writes
 * - services/status-pages/window-posts
 * - services/status-pages/write-status-posts
 */
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { POSTS_MAX } from '../../../src/services/status-pages/posts';
import { writeStatusPosts } from '../../../src/services/status-pages/write-status-posts';
import { onTerminal } from '../../cli/terminal';
import { monitorRecord } from '../../models/example-records';
import { arranged } from '../arranged';
import { accountOfEach, agentOf, suiteService } from '../test-service';

const MINUTE = 60_000;
const DAY_MS = 86_400_000;
const service = suiteService();
const account = accountOfEach(service);
const as = agentOf(service, account);
const { signal } = new AbortController();
let slugs = 0;
let monitorId: string;
let page: { readonly id: string; readonly slug: string };

beforeEach(async () => {
  service.clock.nowMs = Math.ceil(service.clock.nowMs / DAY_MS) * DAY_MS + DAY_MS / 3;
  const monitor = await arranged(
    as().post('/v1/monitors').send({ name: 'inner', url: 'http://example.com' }),
  );
  monitorId = monitor.id;
  page = await newPage();
});

async function newPage(posts: object = {}, items = [{ id: monitorId, name: 'Payments' }]) {
  slugs += 1;
  const slug = `posts-${slugs}`;
  const groups = [{ name: 'Shop', items }];
  const body = { slug, title: 'Shop status', isPublic: true, groups, posts };
  const { id } = await arranged(as().post('/v1/status-pages').send(body));
  return { id, slug };
}

const write = (fields: object = {}) =>
  as()
    .post('/v1/status-page-posts')
    .send({ pageId: page.id, title: 'Cards fail', text: 'We look into it.', ...fields });

const newPost = async (fields: object = {}) => arranged(write(fields));

const PATH = '/v1/status-page-posts';

async function visit(path = ''): Promise<string> {
  service.clock.nowMs += 10_001;
  return (await request(service.app).get(`/status/${page.slug}${path}`)).text;
}

const postsOf = async (query = '') =>
  (await as().get(`${PATH}?pageId=${page.id}${query}`)).body.data;

describe('a post', () => {
  it('a post starts as a draft that the public cannot see until it is published', async () => {
    const { id } = await newPost({ affected: [monitorId] });
    expect(await visit()).not.toContain('Cards fail');
    const answer = await as().post(`${PATH}/${id}/publish`);
    expect(answer.body).toMatchObject({
      state: 'published',
      status: 'investigating',
      affected: [monitorId],
      updates: [{ isDraft: false, by: 'test (API key)' }],
    });
    expect(await visit()).toMatch(
      /An incident is ongoing.*Announcements.*Cards fail.*Affects <bdi>Payments<\/bdi>/s,
    );
    expect(await visit('/feed.json')).toContain('Cards fail (Investigating)');
    const again = await as().post(`${PATH}/${id}/publish`);
    expect(again.body.version).toBe(answer.body.version);
    const preview = as().post(`/v1/status-pages/preview?pageId=${page.id}`);
    const { html } = (await preview.send({ slug: 'preview', title: 'Changed' })).body;
    expect(html).toMatch(/Changed.*Announcements.*Cards fail/s);
  });

  it('a post is refused with all its problems at once', async () => {
    const answer = await write({
      affected: ['mon_strange'],
      publishAt: new Date(service.clock.nowMs - 1).toISOString(),
    });
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'affected[0]',
      'publishAt',
    ]);
    const shape = await write({
      type: 'maintenance',
      state: 'resolved',
      title: 'x'.repeat(201),
      text: '',
    });
    const paths = shape.body.errors.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(['title', 'text']));
    expect((await write({ type: 'maintenance', state: 'resolved' })).body.errors).toMatchObject([
      { path: 'state' },
    ]);
  });

  it('a post is refused for a page of another account in the same way as for an unknown page', async () => {
    const other = await service.newAccount();
    const body = { pageId: page.id, title: 't', text: 'x' };
    const answer = await as(other.key).post(PATH).send(body);
    expect(answer.body).toMatchObject({
      status: 400,
      errors: [{ path: 'pageId', code: 'unknown_id' }],
    });
  });

  it('an ended post accepts no update, and the refusal says what to do instead', async () => {
    const { id } = await newPost({ publish: true });
    const add = (body: object) => as().post(`${PATH}/${id}/updates`).send(body);
    expect((await add({ state: 'resolved', text: 'Fixed.' })).body.status).toBe('resolved');
    const refused = await add({ state: 'monitoring', text: 'x' });
    expect(refused.body).toMatchObject({ status: 409, code: 'already_finished' });
    expect(refused.body.detail).toMatch(/postMortem.*remove the last update.*new post/);
    const learned = await as().patch(`${PATH}/${id}`).send({ postMortem: 'A disk was full.' });
    expect(learned.body.postMortem).toBe('A disk was full.');
    const shown = await visit();
    expect(shown).toMatch(/Past announcements.*A disk was full\..*Fixed\./s);
  });

  it('a post accepts only states of its own type, and a post-mortem only after its end', async () => {
    const { id } = await newPost();
    const early = await as().patch(`${PATH}/${id}`).send({ postMortem: 'x' });
    expect(early.body.errors).toMatchObject([{ path: 'postMortem' }]);
    const wrong = await as().post(`${PATH}/${id}/updates`).send({ state: 'started', text: 'x' });
    expect(wrong.body.errors).toMatchObject([{ path: 'state' }]);
  });

  it('a post is open again when its last update is removed', async () => {
    const { id } = await newPost({ publish: true });
    const over = await as()
      .post(`${PATH}/${id}/updates`)
      .send({ state: 'resolved', text: 'Fixed.' });
    const [first] = over.body.updates;
    const open = await as()
      .patch(`${PATH}/${id}`)
      .send({ updates: [first] });
    expect(open.body).toMatchObject({ status: 'investigating', updates: [{ id: first.id }] });
    const strange = await as()
      .patch(`${PATH}/${id}`)
      .send({ updates: [{ ...first, id: 'upd_strange' }] });
    const paths = strange.body.errors.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(['updates[0].id', 'updates']);
  });

  it('sending back the GET response of a post changes nothing', async () => {
    const { id } = await newPost({ publish: true, affected: [monitorId] });
    const { body } = await as().get(`${PATH}/${id}`);
    expect((await as().patch(`${PATH}/${id}`).send(body)).body).toEqual(body);
  });

  it('a post hides its draft updates from the public', async () => {
    const { id } = await newPost({ publish: true });
    await as()
      .post(`${PATH}/${id}/updates`)
      .send({ state: 'resolved', text: 'Not yet told.', draft: true });
    for (const path of ['', '/feed.json', '/feed.rss', '/feed.atom'])
      expect(await visit(path)).not.toContain('Not yet told.');
    await as().post(`${PATH}/${id}/publish`);
    expect(await visit()).toContain('Not yet told.');
  });

  it('a post can be previewed without saving anything', async () => {
    const body = { pageId: page.id, title: 'Cards fail', text: '**bold** <b>', affected: [] };
    const { html } = (await as().post(`${PATH}/preview`).send(body)).body;
    expect(html).toMatch(/Cards fail.*<strong>bold<\/strong> &lt;b&gt;/s);
    expect(await postsOf()).toEqual([]);
  });

  it('a post is refused above the limit of posts per page, and an update above the limit per post', async () => {
    const { id } = await newPost();
    const { models } = service.database.database;
    const stored = await models.statusPagePosts.findOne({ _id: id }).lean();
    if (stored === null) throw new Error('the post is stored');
    const copies = Array.from({ length: POSTS_MAX - 1 }, (_, at) => ({
      ...stored,
      _id: `pst_${at}`,
    }));
    await models.statusPagePosts.insertMany(copies);
    expect((await write()).body).toMatchObject({ status: 403, code: 'limit_reached' });
    const updates = Array.from({ length: 100 }, (_, at) => ({
      ...stored.updates[0],
      id: `upd_${at}`,
    }));
    await models.statusPagePosts.updateOne({ _id: id }, { $set: { updates } });
    const more = await as().post(`${PATH}/${id}/updates`).send({ state: 'monitoring', text: 'x' });
    expect(more.body).toMatchObject({ status: 403, code: 'limit_reached' });
  });

  it('a post is deleted with its page', async () => {
    await newPost();
    await as().delete(`/v1/status-pages/${page.id}`);
    expect((await as().get(PATH)).body.data).toEqual([]);
  });
});

describe('the page of a month', () => {
  it('the status page links to the newest month with posts, which shows them, and visitors get a 404 for impossible months', async () => {
    await newPost({ publish: true });
    service.clock.nowMs += 40 * DAY_MS;
    const [, month = ''] = /\/history\/([\d-]+)">Announcements/.exec(await visit()) ?? [];
    expect(await visit(`/history/${month}`)).toContain('Cards fail');
    const now = new Date(service.clock.nowMs).toISOString().slice(0, 7);
    expect(await visit(`/history/${now}`)).toMatch(/No incidents in .*No announcements in /s);
    for (const other of ['2020-01', '2999-01', '2026-13', 'x'])
      expect(await visit(`/history/${other}`)).toContain('Page not found');
  });
});

interface Outage {
  readonly id: string;
  readonly openedAtMs: number;
}

/** Records an incident as checks do. */
async function recordIncident(
  { id, openedAtMs }: Outage,
  closedAtMs: number | null,
  ofMonitor = monitorId,
): Promise<void> {
  const cause = { code: 'timeout', message: 'slow' } as const;
  const incident = { id, openedAtMs, closedAtMs, cause, regions: ['eu-west'], firstRunId: null };
  const health = closedAtMs === null ? 'down' : 'up';
  const record = monitorRecord({
    accountId: account.id,
    monitorId: ofMonitor,
    slotMs: closedAtMs ?? openedAtMs,
    health,
    healthSinceMs: closedAtMs ?? openedAtMs,
    currentIncidentId: closedAtMs === null ? id : null,
    incident,
  });
  await service.recorder.recordMonitorCheck(record);
}

async function goDown(ofMonitor = monitorId): Promise<Outage> {
  const outage = { id: service.services.newId('incident'), openedAtMs: service.clock.nowMs };
  await recordIncident(outage, null, ofMonitor);
  return outage;
}

const pass = async (minutes = 1) => {
  service.clock.nowMs += minutes * MINUTE;
  // With `sinceMs: null`, each pass also does the hourly work.
  const look = { beganAtMs: service.clock.nowMs, sinceMs: null };
  return writeStatusPosts(service.services, look, signal);
};

const goUp = (outage: Outage) => recordIncident(outage, service.clock.nowMs);

describe('the automatic post of an incident', () => {
  it('the automatic post of an incident is not written on a page without drafts enabled', async () => {
    await goDown();
    expect(await pass()).toEqual({ drafted: 0, announced: 0, followed: 0, published: 0 });
  });

  it('the automatic post of an incident is a draft that a person publishes', async () => {
    page = await newPage({ drafts: true });
    const outage = await goDown();
    expect((await pass()).drafted).toBe(1);
    expect((await pass()).drafted).toBe(0);
    const [draft] = await postsOf();
    expect(draft).toMatchObject({
      state: 'draft',
      title: 'Problem with Payments',
      affected: [monitorId],
      incidentIds: [outage.id],
      publishAt: null,
      updates: [{ by: null }],
    });
    expect(await postsOf(`&incidentId=${outage.id}`)).toHaveLength(1);
    await as().post(`${PATH}/${draft.id}/publish`);
    await goUp(outage);
    expect((await pass()).followed).toBe(1);
    const [ended] = await postsOf();
    expect(ended.status).toBe('investigating');
    expect(ended.updates[1]).toMatchObject({ state: 'resolved', isDraft: true });
    expect(await visit()).not.toContain('is resolved');
  });

  it('the automatic post of an incident is published at its time, and resolved with its incident', async () => {
    page = await newPage({ drafts: true, autoPublishAfterMinutes: 5 });
    const outage = await goDown();
    await pass();
    expect((await pass(4)).published).toBe(0);
    expect((await pass(1)).published).toBe(1);
    expect(await visit()).toContain('We are looking into a problem with Payments.');
    await goUp(outage);
    await pass();
    const [post] = await postsOf();
    expect(post).toMatchObject({ status: 'resolved', state: 'published' });
    const trail = await as().get(`/v1/audit-events?resourceId=${post.id}`);
    const actions = trail.body.data.map(({ action, actor }: Record<string, { type: string }>) => [
      action,
      actor?.type,
    ]);
    expect(actions).toEqual([
      ['status_page_post.update', 'system'],
      ['status_page_post.publish', 'system'],
      ['status_page_post.create', 'system'],
    ]);
  });

  it('the automatic post of an incident that ends early never appears on the page', async () => {
    page = await newPage({ drafts: true, autoPublishAfterMinutes: 5 });
    const outage = await goDown();
    await pass();
    await goUp(outage);
    expect(await pass(30)).toMatchObject({ followed: 1, published: 0 });
    expect((await postsOf())[0].state).toBe('draft');
    await pass(15 * 1_440);
    expect(await postsOf()).toEqual([]);
  });

  it('the automatic post of an incident stays a draft if a person removes its publishing time', async () => {
    page = await newPage({ drafts: true, autoPublishAfterMinutes: 5 });
    await goDown();
    await pass();
    const [draft] = await postsOf();
    expect(draft.publishAt).not.toBeNull();
    await as().patch(`${PATH}/${draft.id}`).send({ publishAt: null });
    expect((await pass(60)).published).toBe(0);
  });

  it("an incident's automatic post also covers a second incident, and ends when both have ended", async () => {
    const second = await arranged(
      as().post('/v1/monitors').send({ name: 'b', url: 'http://example.com' }),
    );
    const items = [
      { id: monitorId, name: 'Payments' },
      { id: second.id, name: 'Search' },
    ];
    page = await newPage({ drafts: true }, items);
    const one = await goDown();
    await pass();
    const two = await goDown(second.id);
    await pass();
    const drafts = await postsOf();
    expect(drafts).toMatchObject([
      { title: 'Problem with Payments, Search', incidentIds: [one.id, two.id] },
    ]);
    await goUp(one);
    expect((await pass()).followed).toBe(0);
    await recordIncident(two, service.clock.nowMs, second.id);
    expect((await pass()).followed).toBe(1);
  });

  it('the automatic post of an incident is not written again after a person deleted the post', async () => {
    page = await newPage({ drafts: true });
    const outage = await goDown();
    await pass();
    const [draft] = await postsOf();
    await as().delete(`${PATH}/${draft.id}`);
    expect((await as().get(`${PATH}/${draft.id}`)).status).toBe(404);
    await pass();
    expect(await postsOf()).toEqual([]);
    await goUp(outage);
    await pass();
    expect(
      await service.database.database.models.statusPagePosts.find({ pageId: page.id }),
    ).toEqual([]);
  });

  it('the automatic post of an incident is written in the language of the page', async () => {
    const templates = [{ name: 'a', use: 'opened', title: 'Störung', text: '{{items}} klemmt.' }];
    page = await newPage({ drafts: true, templates });
    await goDown();
    await pass();
    expect(await postsOf()).toMatchObject([
      { title: 'Störung', updates: [{ text: 'Payments klemmt.' }] },
    ]);
  });
});

describe('the automatic post of maintenance', () => {
  const plan = (fields: object) =>
    arranged(
      as()
        .post('/v1/maintenance-windows')
        .send({
          name: 'inside name',
          mode: 'mute',
          startsAt: new Date(service.clock.nowMs + 30 * 60 * MINUTE).toISOString(),
          durationMinutes: 60,
          timeZone: 'UTC',
          target: { ids: [monitorId] },
          ...fields,
        }),
    );
  const states = async () => {
    const posts = await postsOf();
    return posts.map(({ updates }: { updates: { state: string }[] }) =>
      updates.map(({ state }) => state),
    );
  };

  it('the automatic post of maintenance is published a day before, and updated at its start and its end', async () => {
    page = await newPage({ maintenance: true });
    const { id } = await plan({});
    expect((await pass()).announced).toBe(0);
    expect((await pass(6 * 60)).announced).toBe(1);
    expect((await pass()).announced).toBe(0);
    const text = await visit();
    expect(text).toMatch(/Announcements.*Maintenance of.*Payments.*Planned from/s);
    expect(text).not.toContain('inside name');
    expect((await postsOf())[0].windowId).toBe(id);
    await pass(24 * 60);
    await pass(60);
    expect(await states()).toEqual([['scheduled', 'started', 'completed']]);
  });

  it('the automatic post of maintenance follows a rescheduled window, and is cancelled with its window', async () => {
    page = await newPage({ maintenance: true });
    const { id } = await plan({});
    await pass(7 * 60);
    const startsAt = new Date(service.clock.nowMs + 100 * 60 * MINUTE).toISOString();
    await arranged(as().patch(`/v1/maintenance-windows/${id}`).send({ startsAt }));
    await pass();
    await pass();
    expect(await states()).toEqual([['scheduled', 'scheduled']]);
    await as().delete(`/v1/maintenance-windows/${id}`);
    await pass();
    await pass();
    expect(await states()).toEqual([['scheduled', 'scheduled', 'cancelled']]);
  });

  it('the automatic post of maintenance is not written again after a person deleted the post', async () => {
    page = await newPage({ maintenance: true });
    await plan({});
    await pass(7 * 60);
    const [post] = await postsOf();
    await as().delete(`${PATH}/${post.id}`);
    expect((await pass()).announced).toBe(0);
    await pass(48 * 60);
    const { models } = service.database.database;
    expect(await models.statusPagePosts.countDocuments({ pageId: page.id })).toBe(0);
  });

  it('the automatic post of maintenance is written only on pages that enable it and show an affected item', async () => {
    await plan({});
    const other = await arranged(
      as().post('/v1/monitors').send({ name: 'b', url: 'http://example.com' }),
    );
    await newPage({ maintenance: true }, [{ id: other.id, name: 'Other' }]);
    expect((await pass(7 * 60)).announced).toBe(0);
  });
});

test('posts that a crash left behind on a deleted page are removed', async () => {
  await newPost();
  await service.database.database.models.statusPages.deleteOne({ _id: page.id });
  await pass();
  expect((await as().get(PATH)).body.data).toEqual([]);
});

test('a draft post is published at the time that its writer chose', async () => {
  const publishAt = new Date(service.clock.nowMs + 10 * MINUTE).toISOString();
  await newPost({ publishAt });
  expect((await pass(9)).published).toBe(0);
  expect((await pass(1)).published).toBe(1);
  expect(await visit()).toContain('Cards fail');
});

test('two templates of posts with the same name or for the same draft are refused', async () => {
  const template = { name: 'a', use: 'opened', title: 't', text: 'x' };
  const posts = { templates: [template, template] };
  const answer = await as().patch(`/v1/status-pages/${page.id}`).send({ posts });
  expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual([
    'posts.templates[1].name',
    'posts.templates[1].use',
  ]);
});

test('the command line writes, updates and resolves a post', async () => {
  const { port } = service.app.address() as AddressInfo;
  const environment = { KEEPWATCH_URL: `http://127.0.0.1:${port}`, KEEPWATCH_API_KEY: account.key };
  const posts = (words: string) =>
    onTerminal(`posts ${words} --output json`.split(' '), { isTerminal: false, environment });
  const written = await posts('write --title Slow --affected Payments --text Looking. --publish');
  const { id } = JSON.parse(written.stdout);
  await posts(`update ${id} --state identified --text Found.`);
  await posts(`resolve ${id} --text Over.`);
  await posts(`post-mortem ${id} --text Learned.`);
  const updates = [{}, {}, {}];
  expect(await postsOf()).toMatchObject([{ status: 'resolved', postMortem: 'Learned.', updates }]);
  expect((await posts(`delete ${id} --yes`)).code).toBe(0);
});
