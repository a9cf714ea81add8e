/**
 * Tests public status pages and badges: what outsiders see, and what they must not see.
 *
 * Covers:
 * - services/objects/object-verbs
 * - services/status-pages/public-status
 */
import request from 'supertest';
import { monitorRecord, scenarioRecord } from '../../models/example-records';
import { accountOfEach, agentOf, suiteService } from '../test-service';

const DAY_MS = 86_400_000;
const service = suiteService();
const account = accountOfEach(service);
const as = agentOf(service, account);
let monitorId: string;
let slugs = 0;

beforeEach(async () => {
  // Sets the clock to 08:00 UTC of a day. Pages group outages by day, so no outage of these tests may cross midnight.
  service.clock.nowMs = Math.ceil(service.clock.nowMs / DAY_MS) * DAY_MS + DAY_MS / 3;
  const created = await as().post('/v1/monitors').send(INSIDE);
  monitorId = created.body.id;
});

const INSIDE = {
  name: 'payments-db-7 behind vpn',
  url: 'https://internal.example.com/secret-path?token=abc',
  group: 'inner circle',
  tags: ['moving'],
};

function newSlug(): string {
  slugs += 1;
  return `page-${slugs}`;
}

async function publish(changes: object = {}) {
  const page = {
    slug: newSlug(),
    title: 'Shop status',
    isPublic: true,
    showBadges: true,
    groups: [{ name: 'Customers', items: [{ id: monitorId, name: 'Payments' }] }],
    ...changes,
  };
  const answer = await as().post('/v1/status-pages').send(page);
  expect(answer.body).toMatchObject({ version: 1, slug: page.slug });
  return { id: answer.body.id as unknown as string, slug: page.slug };
}

async function visit(slug: string): Promise<request.Response> {
  // Moves the clock, because reads are cached for ten seconds.
  service.clock.nowMs += 10_001;
  return request(service.app).get(`/status/${slug}`);
}

/** Records an outage that began an hour ago. If `isOpen` is false, the outage ended half an hour later. */
async function settleOutage(isOpen: boolean): Promise<void> {
  const incidentId = service.services.newId('incident');
  const startMs = service.clock.nowMs;
  service.clock.nowMs += 3_600_000;
  const cause = { code: 'connection_refused', message: '10.1.2.3:5432 refused' } as const;
  const opened = { id: incidentId, openedAtMs: startMs, cause };
  const incident = { ...opened, regions: ['eu-west'], firstRunId: null };
  const record = async (slotMs: number, changes: object) =>
    service.recorder.recordMonitorCheck(
      monitorRecord({ accountId: account.id, monitorId, slotMs, ...changes }),
    );
  const down = { health: 'down', healthSinceMs: startMs, currentIncidentId: incidentId };
  await record(startMs, { ...down, incident: { ...incident, closedAtMs: null } });
  if (isOpen) {
    await record(service.clock.nowMs, down);
    return;
  }
  const closedAtMs = startMs + 1_800_000;
  await record(closedAtMs, { health: 'up', incident: { ...incident, closedAtMs } });
}

/** Records an outage with a start and an end, as checks do. */
async function outage(openedAtMs: number, lengthMs: number): Promise<void> {
  const id = service.services.newId('incident');
  const cause = { code: 'timeout', message: 'slow' } as const;
  const incident = { id, openedAtMs, cause, regions: ['eu-west'], firstRunId: null };
  const closedAtMs = openedAtMs + lengthMs;
  const record = (slotMs: number, changes: object) =>
    service.recorder.recordMonitorCheck(
      monitorRecord({ accountId: account.id, monitorId, slotMs, ...changes }),
    );
  const open = { health: 'down', healthSinceMs: openedAtMs, currentIncidentId: id };
  await record(openedAtMs, { ...open, incident: { ...incident, closedAtMs: null } });
  await record(closedAtMs, { health: 'up', incident: { ...incident, closedAtMs } });
}

function asText(
  response: request.Response,
  done: (error: Error | null, text: string) => void,
): void {
  let text = '';
  response.on('data', (part: Buffer) => {
    text += part.toString();
  });
  response.on('end', () => done(null, text));
}

describe('the status page', () => {
  it('the status page shows chosen names, states, days and outages, readable without a script', async () => {
    await settleOutage(true);
    const { slug } = await publish();
    const { status, text } = await visit(slug);
    expect(status).toBe(200);
    for (const words of ['Shop status', 'Customers', '<bdi>Payments</bdi> is down'])
      expect(text).toContain(words);
    expect(text).toMatch(/Payments<\/bdi> has been <strong class="down">down<\/strong> since/);
    expect(text.match(/<input type="radio" name="d0-0"/g)).toHaveLength(90);
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).toContain('All times are in UTC');
  });

  it('the status page shows the downtime of each day, and a legend of the bars', async () => {
    await settleOutage(false);
    const { text } = await visit((await publish()).slug);
    expect(text).toMatch(/aria-label="\d+ \w+ \d{4}: Down 30 min, \d+(\.\d+)?%"/);
    expect(text).toMatch(/% since \d+ \w+ \d{4}<\/span>/);
    for (const words of ['90 days ago', 'Today', 'No data</span>', 'Payments, last 90 days'])
      expect(text).toContain(words);
  });

  it('the status page shows outages less than five minutes apart as a single outage', async () => {
    const startMs = service.clock.nowMs;
    for (const minutes of [0, 2, 4]) await outage(startMs + minutes * 60_000, 60_000);
    service.clock.nowMs = startMs + 3_600_000;
    const { text } = await visit((await publish()).slug);
    expect(text).toMatch(/Payments<\/bdi> was down 3 times, 3 min in total</);
    expect(text.match(/was down/g)).toHaveLength(1);
  });

  it('the status page shows days and times in one style', async () => {
    const noonMs = Math.ceil(service.clock.nowMs / DAY_MS) * DAY_MS + DAY_MS / 2;
    service.clock.nowMs = noonMs;
    await outage(noonMs, 60_000);
    service.clock.nowMs += 3_600_000;
    const { slug } = await publish();
    const { text } = await visit(slug);
    const times = text.match(/<time [^>]*>[^<]*/g)?.map((time) => time.replace(/.*>/, ''));
    expect(times).toEqual([
      expect.stringMatching(/^\d+ \w+ \d{4}, \d\d:\d\d UTC$/),
      expect.stringMatching(/^\d+ \w+ \d{4}, \d\d:\d\d$/),
      expect.stringMatching(/^\d\d:\d\d$/),
    ]);
    const feed = await request(service.app).get(`/status/${slug}/feed.json`).buffer(true);
    expect(JSON.parse(feed.text).items[0].content_text).toMatch(
      /^Payments was down from \d+ \w+ \d{4}, \d\d:\d\d UTC to \d+ \w+ \d{4}, \d\d:\d\d UTC\.$/,
    );
  });

  it('the status page shows the chosen logo, colour and theme without loading anything else', async () => {
    const logo = 'data:image/png;base64,iVBORw0KGgo=';
    const { slug } = await publish({ logo, accent: '#aa00bb', theme: 'dark' });
    const { text, headers } = await visit(slug);
    expect(text).toContain(`<img class="logo" src="${logo}" alt="">`);
    expect(text).toContain('--accent:#aa00bb');
    expect(text).not.toContain('prefers-color-scheme');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; img-src data:;/,
    );
  });

  it('the status page shows a past outage with its length, but without its cause', async () => {
    await settleOutage(false);
    const { slug } = await publish();
    const { text } = await visit(slug);
    expect(text).toContain('was down for 30 min<');
    expect(text).not.toMatch(/refused|10\.1\.2\.3/);
  });

  it('the status page leaks no internal name, URL, group, tag, id or account', async () => {
    await settleOutage(true);
    await as()
      .post('/v1/maintenance-windows/now')
      .send({ minutes: 5, target: { tags: ['moving'] } });
    const { id, slug } = await publish();
    const { text, headers } = await visit(slug);
    const inside = ['internal.example.com', 'secret-path', 'vpn', 'inner circle', 'moving'];
    for (const word of [
      ...inside,
      monitorId,
      id,
      account.id,
      'http://',
      'https://',
      'inc_',
      'eu-west',
    ])
      expect(text).not.toContain(word);
    expect(JSON.stringify(headers)).not.toContain(account.id);
  });

  it('the status page shows current maintenance and does not count it as an outage', async () => {
    const slotMs = service.clock.nowMs;
    await service.recorder.recordMonitorCheck(
      monitorRecord({ accountId: account.id, monitorId, slotMs }),
    );
    await as()
      .post('/v1/maintenance-windows/now')
      .send({ minutes: 30, target: { ids: [monitorId] } });
    const { text } = await visit((await publish()).slug);
    expect(text).toContain('Maintenance in progress');
    expect(text).toMatch(/In progress<\/strong>.*<bdi>Payments/s);
  });

  it('the status page shows scenarios as well, and paused or deleted items as unknown', async () => {
    const steps = [{ name: 'a', url: 'http://example.com' }];
    const scenario = await as().post('/v1/scenarios').send({ name: 's', steps });
    const scenarioId: string = scenario.body.id;
    const slotMs = service.clock.nowMs;
    await service.recorder.recordScenarioSlot(
      scenarioRecord({ accountId: account.id, scenarioId, slotMs, health: 'degraded' }),
    );
    const items = [
      { id: monitorId, name: 'Gone' },
      { id: scenarioId, name: 'Checkout' },
    ];
    const { slug } = await publish({ groups: [{ name: 'All', items }] });
    await as().delete(`/v1/monitors/${monitorId}`);
    const { text } = await visit(slug);
    expect(text).toMatch(/Gone<\/bdi><\/h3><span class="state unknown">Unknown/);
    expect(text).toMatch(/Checkout<\/bdi><\/h3><span class="state degraded">Degraded/);
  });

  it('the status page is off by default, and is hidden at once when it is turned off', async () => {
    const off = await publish({ isPublic: false });
    const never = await visit('no-such-page');
    const hidden = await visit(off.slug);
    expect([hidden.status, hidden.text]).toEqual([404, never.text]);
    await as().patch(`/v1/status-pages/${off.id}`).send({ isPublic: true });
    expect((await request(service.app).get(`/status/${off.slug}`)).status).toBe(200);
    await as().patch(`/v1/status-pages/${off.id}`).send({ isPublic: false });
    expect((await request(service.app).get(`/status/${off.slug}`)).status).toBe(404);
  });

  it('the status page is cacheable, responds with 304, and allows only its own styles and script', async () => {
    const { slug } = await publish();
    const { headers } = await visit(slug);
    expect(headers['cache-control']).toBe('public, max-age=30');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; base-uri/,
    );
    const again = await request(service.app)
      .get(`/status/${slug}`)
      .set('If-None-Match', headers['etag'] ?? '');
    expect([again.status, again.text]).toEqual([304, '']);
  });
});

describe('the feed of a status page', () => {
  const feedOf = async (slug: string) => {
    service.clock.nowMs += 10_001;
    const answer = await request(service.app).get(`/status/${slug}/feed.json`).buffer(true);
    const { status, headers, text } = answer;
    return { status, headers, text, feed: JSON.parse(text) };
  };

  it('the feed of a status page lists outages as a JSON Feed with stable ids and a link to the page', async () => {
    await settleOutage(false);
    const { slug } = await publish();
    const { feed, headers } = await feedOf(slug);
    expect(headers).toMatchObject({
      'content-type': expect.stringContaining('application/feed+json'),
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=30',
    });
    expect(feed).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Shop status',
      home_page_url: expect.stringMatching(new RegExp(`/status/${slug}$`)),
      _keepwatch: { overall: 'up', groups: [{ items: [{ name: 'Payments', state: 'up' }] }] },
      items: [{ title: 'Payments was down', _keepwatch: { kind: 'outage', names: ['Payments'] } }],
    });
    const [{ date_published: from, date_modified: to }] = feed.items;
    expect(Date.parse(to) - Date.parse(from)).toBe(1_800_000);
    expect((await feedOf(slug)).feed.items[0].id).toBe(feed.items[0].id);
    expect((await visit(slug)).text).toContain(`href="${slug}/feed.json"`);
  });

  it('the feed of a status page lists maintenance, but no internal name, URL, id or account', async () => {
    await settleOutage(true);
    await as()
      .post('/v1/maintenance-windows/now')
      .send({ minutes: 5, target: { tags: ['moving'] } });
    const { id, slug } = await publish();
    const { text, feed } = await feedOf(slug);
    const titles = feed.items.map(({ title }: { title: string }) => title);
    expect(titles).toEqual(['Maintenance of Payments', 'Payments is down']);
    const inside = ['internal.example.com', 'vpn', 'inner circle', 'moving', 'eu-west', 'refused'];
    for (const word of [...inside, monitorId, id, account.id, 'inc_', 'mnt_'])
      expect(text).not.toContain(word);
  });

  it.each([
    ['feed.atom', 'application/atom+xml', '<entry>'],
    ['feed.rss', 'application/rss+xml', '<item>'],
  ])('a feed is also served as %s, well-formed for any text', async (file, type, entry) => {
    await settleOutage(false);
    const { slug } = await publish({
      title: '</title><script>&"',
      groups: [{ name: 'g', items: [{ id: monitorId, name: '<b>&' }] }],
    });
    service.clock.nowMs += 10_001;
    const path = `/status/${slug}/${file}`;
    const { status, headers, body } = await request(service.app)
      .get(path)
      .buffer(true)
      .parse(asText);
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: expect.stringContaining(type),
    });
    const text = String(body);
    expect(text).toContain('&lt;b&gt;&amp; was down');
    expect(text.split(entry)).toHaveLength(2);
    expect(text).not.toMatch(/<b>|<script|&(?!amp;|lt;|gt;|quot;|#39;)/);
    expect((await visit(slug)).text).toContain(`type="${type}"`);
  });

  it('the feed of a status page does not exist while the page is off', async () => {
    const { slug } = await publish({ isPublic: false });
    const [hidden, never] = await Promise.all([feedOf(slug), feedOf('no-such-page')]);
    for (const { status, feed } of [hidden, never])
      expect({ status, code: feed.code }).toEqual({ status: 404, code: 'not_found' });
    expect(hidden.feed.detail).toBe(never.feed.detail);
  });
});

describe('badges of a status page', () => {
  it('badges of a status page show the state or the uptime under the chosen name, even on other sites', async () => {
    await settleOutage(false);
    const { slug } = await publish();
    service.clock.nowMs += 10_001;
    const badge = await request(service.app).get(`/badges/${slug}/${monitorId}.svg`).buffer(true);
    expect(badge.headers).toMatchObject({
      'content-type': expect.stringMatching(/^image\/svg\+xml/),
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=30',
    });
    expect(String(badge.body)).toContain('aria-label="Payments: Operational"');
    const uptime = await request(service.app)
      .get(`/badges/${slug}/${monitorId}.svg?metric=uptime`)
      .buffer(true);
    expect(String(uptime.body)).toMatch(/aria-label="Payments: \d+\.\d+%"/);
  });

  it('badges of a status page do not exist if the page or its badges are off', async () => {
    const off = await publish({ isPublic: false });
    const without = await publish({ showBadges: false });
    const other = await as().post('/v1/monitors').send(INSIDE);
    const page = await publish();
    const paths = [
      `${off.slug}/${monitorId}.svg`,
      `${without.slug}/${monitorId}.svg`,
      `${page.slug}/${other.body.id}.svg`,
      `${page.slug}/${monitorId}`,
      `${page.slug}/__proto__.svg`,
    ];
    for (const path of paths)
      expect((await request(service.app).get(`/badges/${path}`)).status).toBe(404);
  });
});

describe('the embedded page', () => {
  it('the embedded page can be framed by every site and has a badge for the whole page', async () => {
    const { id, slug } = await publish();
    service.clock.nowMs += 10_001;
    const frame = await request(service.app).get(`/status/${slug}/embed`);
    expect(frame.headers['content-security-policy']).toContain('frame-ancestors *');
    expect(frame.headers['x-frame-options']).toBeUndefined();
    expect(frame.text).toContain('Payments');
    expect(frame.text).not.toContain(monitorId);
    const badge = await request(service.app).get(`/badges/${slug}/overall.svg`).buffer(true);
    expect(String(badge.body)).toContain('aria-label="Shop status: Unknown"');
    await as().patch(`/v1/status-pages/${id}`).send({ showBadges: false });
    for (const path of [`/status/${slug}/embed`, `/badges/${slug}/overall.svg`])
      expect((await request(service.app).get(path)).status).toBe(404);
  });
});

describe('the draft of a status page', () => {
  it('the draft of a status page is shown only to members of its account and never cached', async () => {
    const { slug } = await publish({ isPublic: false });
    const path = `/status/${slug}`;
    const seen = await as().get(path).set('Cookie', 'a=b');
    expect([seen.status, seen.headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect(seen.text).toContain('only members of your account can see this page');
    const other = await service.newAccount();
    const nothing = await visit('no-such-page');
    for (const key of [other.key, 'kw_nonsense'])
      expect((await as(key).get(path).set('Cookie', 'a=b')).text).toBe(nothing.text);
  });
});

describe('a preview', () => {
  it('a preview shows the page as it would look, and saves nothing', async () => {
    const groups = [{ name: 'Customers', items: [{ id: monitorId, name: 'Payments' }] }];
    const body = { slug: newSlug(), title: 'Not saved yet', groups };
    const answer = await as().post('/v1/status-pages/preview').send(body);
    expect(answer.status).toBe(200);
    for (const words of ['Not saved yet', 'Payments', 'Today'])
      expect(answer.body.html).toContain(words);
    expect((await as().get('/v1/status-pages')).body.data).toEqual([]);
  });

  it('a preview refuses ids of other accounts like unknown ids', async () => {
    const other = await service.newAccount();
    const groups = [{ name: 'g', items: [{ id: monitorId, name: 'n' }] }];
    const answer = await as(other.key)
      .post('/v1/status-pages/preview')
      .send({ slug: newSlug(), title: 'x', groups });
    expect(answer.body).toMatchObject({ status: 400, errors: [{ code: 'unknown_id' }] });
  });
});

describe('configuring a status page', () => {
  it('configuring a status page refuses ids of other accounts like unknown ids, with their paths', async () => {
    const other = await service.newAccount();
    const body = {
      slug: newSlug(),
      title: 'x',
      groups: [{ name: 'g', items: [{ id: monitorId, name: 'n' }] }],
    };
    const refused = await as(other.key).post('/v1/status-pages').send(body);
    expect(refused.body).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'groups[0].items[0].id', code: 'unknown_id' }],
    });
  });

  it('configuring a status page accepts a slug for only one page across all accounts', async () => {
    const { slug } = await publish();
    const other = await service.newAccount();
    const refused = await as(other.key).post('/v1/status-pages').send({ slug, title: 'x' });
    expect(refused.body).toMatchObject({ status: 409, code: 'key_taken' });
    const { id } = await publish();
    const moved = await as().patch(`/v1/status-pages/${id}`).send({ slug });
    expect(moved.body).toMatchObject({ status: 409, code: 'key_taken' });
  });

  it.each([
    ['slug', { slug: 'Capital' }],
    ['slug', { slug: 'a b c' }],
    ['slug', { slug: 'ab' }],
    ['title', { title: '' }],
    ['groups[0].items', { groups: [{ name: 'g', items: [] }] }],
    ['groups[0].items[0].id', { groups: [{ name: 'g', items: [{ id: 'mon_x', name: 'n' }] }] }],
    ['colour', { colour: 'red' }],
    ['accent', { accent: 'red' }],
    ['theme', { theme: 'pink' }],
    ['logo', { logo: 'https://example.com/logo.png' }],
    ['logo', { logo: 'data:text/html;base64,PGI+' }],
    ['logo', { logo: `data:image/png;base64,${'A'.repeat(33_000)}` }],
  ])('configuring a status page refuses an invalid %s (case %#)', async (path, changes) => {
    const body = { slug: 'good-one', title: 'x', ...changes };
    const { body: problem } = await as().post('/v1/status-pages').send(body);
    expect(problem).toMatchObject({ status: 400, errors: [{ path }] });
  });

  it('configuring a status page refuses an item that is on the page twice', async () => {
    const items = [
      { id: monitorId, name: 'a' },
      { id: monitorId, name: 'b' },
    ];
    const body = { slug: newSlug(), title: 'x', groups: [{ name: 'g', items }] };
    const refused = await as().post('/v1/status-pages').send(body);
    expect(refused.body.errors).toMatchObject([{ path: 'groups[0].items[1].id' }]);
  });

  it('a status page accepts its own GET response, and can be listed, replaced and deleted', async () => {
    const { id, slug } = await publish();
    const read = await as().get(`/v1/status-pages/${id}`);
    expect(read.body).toMatchObject({ slug, url: `http://keepwatch.test/status/${slug}` });
    const put = await as().put(`/v1/status-pages/${id}`).send(read.body);
    expect(put.body).toEqual(read.body);
    const changed = { ...read.body, title: 'another' };
    const second = await as().put(`/v1/status-pages/${id}`).send(changed);
    expect(second.body).toMatchObject({ version: 2, groups: read.body.groups });
    const stale = await as().put(`/v1/status-pages/${id}`).set('If-Match', '"1"').send(read.body);
    expect(stale.status).toBe(412);
    const list = await as().get('/v1/status-pages');
    expect(list.body).toMatchObject({ data: [{ id }], nextCursor: null });
    expect((await as().delete(`/v1/status-pages/${id}`)).status).toBe(204);
    expect((await visit(slug)).status).toBe(404);
  });

  it('configuring a status page is recorded in the audit trail', async () => {
    const { id } = await publish();
    const { body } = await as().get('/v1/audit-events?action=status_page.create');
    expect(body.data).toMatchObject([{ resourceType: 'status_page', resourceId: id }]);
  });
});
