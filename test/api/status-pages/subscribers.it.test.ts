/**
 * Subscribers of status pages: signing up and leaving on the page, what people of the account see and do, and the
 * letters that a real mail server gets.
 *
 * Covers:
 * - services/subscribers/sign-up
 * - services/subscribers/subscribers
 * - services/subscribers/page-subscribers
 * - services/subscribers/recipient
 * - services/subscribers/announce-posts
 * - services/subscribers/send-letters
 * - services/subscribers/notices
 * - services/subscribers/tidy-subscribers
 */
import request from 'supertest';
import { createTrust } from '../../../src/checks/tls/secure-socket';
import { SUBSCRIBERS_MAX } from '../../../src/domain/status-pages/subscriber';
import { createLetterSender } from '../../../src/notify/letters/letter';
import type { PostRequest } from '../../../src/notify/post';
import type { OutgoingEmail } from '../../../src/services/ports/dependencies';
import { announcePosts } from '../../../src/services/subscribers/announce-posts';
import { newSubscriber } from '../../../src/services/subscribers/page-subscribers';
import {
  endNotice,
  type LetterNeeds,
  sendLetters,
  writeLetters,
} from '../../../src/services/subscribers/send-letters';
import {
  removeUnconfirmed,
  sweepLetters,
} from '../../../src/services/subscribers/tidy-subscribers';
import { type MailSink, startMailSink } from '../../support/alert-sinks';
import { waitUntil } from '../../support/wait-until';
import { arranged } from '../arranged';
import { accountOfEach, agentOf, PUBLIC_URL, suiteService } from '../test-service';

const MINUTE = 60_000;
const DAY_MS = 86_400_000;
const mails: OutgoingEmail[] = [];
const mailer = {
  sendMail: async (mail: OutgoingEmail): Promise<void> => {
    mails.push(mail);
  },
};
const service = suiteService({ mailer });
const account = accountOfEach(service);
const as = agentOf(service, account);
const { signal } = new AbortController();
let sink: MailSink;
let slugs = 0;
let page: { readonly id: string; readonly slug: string };
let monitorIds: readonly string[];

beforeAll(async () => {
  sink = await startMailSink();
});
afterAll(() => sink.close());

beforeEach(async () => {
  mails.length = 0;
  // Everyone comes from one network, whose tries are forgotten after a quarter of an hour.
  service.clock.nowMs += DAY_MS;
  const monitors = await Promise.all(
    ['Payments', 'Search'].map((name) =>
      arranged(as().post('/v1/monitors').send({ name, url: 'http://example.com' })),
    ),
  );
  monitorIds = monitors.map(({ id }) => id);
  page = await newPage();
});

async function newPage(fields: object = {}) {
  slugs += 1;
  const slug = `news-${slugs}`;
  const groups = [
    { name: 'Shop', items: monitorIds.map((id, at) => ({ id, name: `Item ${at + 1}` })) },
  ];
  const subscribers = { mail: true, webhook: true, slack: true };
  const body = { slug, title: 'Shop status', isPublic: true, groups, subscribers, ...fields };
  const { id } = await arranged(as().post('/v1/status-pages').send(body));
  return { id, slug };
}

const PATH = '/v1/status-page-posts';
const own = (path = ''): string => `/v1/status-pages/${page.id}/subscribers${path}`;

const subscribe = (fields: Readonly<Record<string, string | readonly string[]>>) =>
  request(service.app).post(`/status/${page.slug}/subscribe`).type('form').send(fields);

const list = async (key?: string) => (await arranged(as(key).get(own()))).data;

const add = (fields: object = {}) =>
  as()
    .post(own())
    .send({ type: 'mail', to: 'reader@example.com', confirmed: true, ...fields });

const newPost = (fields: object = {}) =>
  arranged(
    as()
      .post(PATH)
      .send({ pageId: page.id, title: 'Cards fail', text: 'We look.', publish: true, ...fields }),
  );

/** The path of the link in the last mail. */
function linkIn(mail: OutgoingEmail | undefined): string {
  const [link = ''] = /https?:\S+/.exec(mail?.text ?? '') ?? [];
  return link.replace(PUBLIC_URL, '');
}

async function nextMail(): Promise<OutgoingEmail> {
  return waitUntil('a mail', () => mails.shift());
}

const visit = (path: string) => request(service.app).get(path);
const press = (path: string, fields: object) =>
  request(service.app).post(path).type('form').send(fields);

describe('on the page', () => {
  test('whoever signs up by mail gets nothing before they have confirmed, and can leave by their link', async () => {
    const done = await subscribe({ type: 'mail', to: 'New@Example.com' });
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('Check your inbox')]);
    const mail = await nextMail();
    expect(mail.to).toBe('new@example.com');
    expect(await list()).toMatchObject([{ to: 'new@example.com', state: 'unconfirmed' }]);
    const link = linkIn(mail);
    expect((await visit(link)).text).toContain('Confirm');
    expect(await list()).toMatchObject([{ state: 'unconfirmed' }]);
    expect((await press(link, { do: 'confirm' })).text).toContain('You are subscribed');
    expect(await list()).toMatchObject([{ state: 'active', items: null, addedBy: null }]);
    await press(link, { do: 'save', which: 'some', item: monitorIds[1] });
    expect(await list()).toMatchObject([{ items: [monitorIds[1]] }]);
    expect((await press(link, { do: 'end' })).text).toContain('unsubscribed');
    expect(await list()).toEqual([]);
    expect((await visit(link)).status).toBe(404);
  });

  test('a sign-up for single items and groups keeps the items', async () => {
    await subscribe({
      type: 'mail',
      to: 'a@example.com',
      which: 'some',
      item: monitorIds[0] ?? '',
    });
    await nextMail();
    await subscribe({ type: 'mail', to: 'b@example.com', which: 'some', group: 'Shop' });
    await nextMail();
    expect(await list()).toMatchObject([{ items: monitorIds }, { items: [monitorIds[0]] }]);
    const none = await subscribe({ type: 'mail', to: 'c@example.com', which: 'some' });
    expect([none.status, none.text]).toEqual([400, expect.stringContaining('Choose at least one')]);
  });

  test('known and unknown recipients see the same', async () => {
    await arranged(add());
    const known = await subscribe({ type: 'mail', to: 'reader@example.com' });
    const unknown = await subscribe({ type: 'mail', to: 'nobody@example.com' });
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    const first = await nextMail();
    const second = await nextMail();
    const [told] = [first, second].filter(({ to }) => to === 'reader@example.com');
    expect(told?.text).toContain('already');
    const url = 'https://hooks.example.com/1';
    const [once, twice] = [
      await subscribe({ type: 'webhook', to: url }),
      await subscribe({ type: 'webhook', to: url }),
    ];
    expect([once.status, once.text]).toEqual([twice.status, twice.text]);
    expect((await list()).map(({ type }: { type: string }) => type).toSorted()).toEqual([
      'mail',
      'mail',
      'webhook',
    ]);
  });

  test('sign-ups from one network are throttled, and one recipient gets few mails', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 7; at += 1)
      statuses.push((await subscribe({ type: 'mail', to: 'same@example.com' })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
    await waitUntil('the mails', () => mails.length === 3);
    expect(mails.map(({ to }) => to)).toEqual(Array(3).fill('same@example.com'));
  });

  test.each([
    ['mail', 'no mail'],
    ['webhook', 'http://hooks.example.com/'],
    ['webhook', 'https://user:secret@hooks.example.com/'],
    ['webhook', 'https://169.254.169.254/'],
    ['slack', 'https://hooks.example.com/'],
    ['pigeon', 'https://hooks.example.com/'],
  ])('by %s, %s is refused with a reason', async (type, to) => {
    const { status, text } = await subscribe({ type, to });
    expect([status, text]).toEqual([400, expect.stringContaining('role="alert"')]);
    expect(await list()).toEqual([]);
  });

  test('what is off is neither offered nor taken', async () => {
    page = await newPage({ subscribers: { mail: true } });
    const { text } = await visit(`/status/${page.slug}/subscribe`);
    expect(text).toContain('type="email"');
    expect(text).not.toContain('Slack');
    expect((await subscribe({ type: 'slack', to: 'https://hooks.slack.com/1' })).status).toBe(400);
    page = await newPage({ subscribers: {} });
    expect((await visit(`/status/${page.slug}/subscribe`)).status).toBe(404);
    expect((await visit(`/status/${page.slug}`)).text).not.toContain('/subscribe');
  });

  test('the form and the page are small, need no script and say what may be subscribed to', async () => {
    const shown = await visit(`/status/${page.slug}`);
    expect(shown.text).toContain(`href="${page.slug}/subscribe"`);
    const form = await visit(`/status/${page.slug}/subscribe`);
    expect(form.text).toContain('Item 2');
    expect(form.text).not.toContain('<script');
    expect(form.headers['content-security-policy']).toContain("form-action 'self'");
    expect(Math.max(shown.text.length, form.text.length)).toBeLessThan(100_000);
  });

  test('a full page says so to everyone', async () => {
    const full = { ...service.services.stores.subscribers, count: async () => SUBSCRIBERS_MAX };
    const stores = { ...service.services.stores, subscribers: full };
    const app = service.appWith({ stores });
    await arranged(add());
    for (const to of ['reader@example.com', 'other@example.com']) {
      const path = `/status/${page.slug}/subscribe`;
      const { status, text } = await request(app)
        .post(path)
        .type('form')
        .send({ type: 'mail', to });
      expect([status, text]).toEqual([403, expect.stringContaining('no more subscribers')]);
    }
  });

  test('a page that is off, and a made-up link, lead nowhere', async () => {
    page = await newPage({ isPublic: false });
    expect((await visit(`/status/${page.slug}/subscribe`)).status).toBe(404);
    expect((await subscribe({ type: 'mail', to: 'a@example.com' })).status).toBe(404);
    expect((await visit(`/status/${page.slug}/subscription?token=abc`)).status).toBe(404);
    expect((await press(`/status/${page.slug}/subscription?token=abc`, { do: 'end' })).status).toBe(
      404,
    );
  });

  test('an unconfirmed sign-up, and its link, end after a day', async () => {
    await subscribe({ type: 'mail', to: 'late@example.com' });
    const link = linkIn(await nextMail());
    service.clock.nowMs += DAY_MS + 1;
    expect((await press(link, { do: 'confirm' })).status).toBe(404);
    expect(await removeUnconfirmed(service.services)).toBeGreaterThan(0);
    expect(await list()).toEqual([]);
  });
});

describe('for the account', () => {
  test('subscribers are added, found, exported, and removed', async () => {
    const added = await add({ items: [monitorIds[0]] });
    expect([added.status, added.body]).toMatchObject([
      201,
      { to: 'reader@example.com', state: 'active', items: [monitorIds[0]] },
    ]);
    expect((await add()).body).toMatchObject({ code: 'key_taken' });
    await arranged(add({ to: 'second@example.com' }));
    const { body: one } = await as().get(own(`/${added.body.id}`));
    expect(one).toEqual(added.body);
    const found = await arranged(as().get(own('?to=READER@example.com')));
    expect(found.data).toMatchObject([{ id: added.body.id }]);
    const first = await arranged(as().get(own('?limit=1')));
    const next = await arranged(as().get(own(`?limit=1&cursor=${first.nextCursor}`)));
    expect([...first.data, ...next.data]).toHaveLength(2);
    const file = await as().get(own('/export?format=csv'));
    expect(file.text.split('\r\n')).toHaveLength(4);
    expect(file.text).toContain('reader@example.com');
    expect((await as().delete(own(`/${added.body.id}`))).status).toBe(204);
    expect((await as().delete(own(`/${added.body.id}`))).status).toBe(404);
  });

  test('one who is added without a confirmation is asked for it', async () => {
    const { body } = await add({ confirmed: false });
    expect(body).toMatchObject({ state: 'unconfirmed' });
    await press(linkIn(await nextMail()), { do: 'confirm' });
    expect(await list()).toMatchObject([{ state: 'active', confirmedAt: expect.any(String) }]);
  });

  test('all that is wrong with a new one is said at once', async () => {
    page = await newPage({ subscribers: { mail: false } });
    const { body } = await add({ items: ['mon_1'] });
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['type', 'items[0]']);
    expect((await add({ to: 'no mail' })).body.errors).toMatchObject([{ path: 'to' }]);
  });

  test('the page takes no more than its limit', async () => {
    const full = { ...service.services.stores.subscribers, count: async () => SUBSCRIBERS_MAX };
    const app = service.appWith({ stores: { ...service.services.stores, subscribers: full } });
    const { body } = await request(app)
      .post(own())
      .set('Authorization', `Bearer ${account.key}`)
      .send({ type: 'mail', to: 'a@example.com', confirmed: true });
    expect(body).toMatchObject({ code: 'limit_reached' });
  });

  test('a read-only key sees recipients masked and changes nothing; another account sees nothing', async () => {
    const { id } = await arranged(add());
    await arranged(add({ type: 'slack', to: 'https://hooks.slack.com/services/secret' }));
    const reader = await account.newKey({ scopes: ['read'] });
    expect((await list(reader)).map(({ to }: { to: string }) => to)).toEqual([
      'https://hooks.slack.com/…',
      'r***@example.com',
    ]);
    expect(JSON.stringify(await list())).not.toContain('secret');
    const { key: stranger } = await service.newAccount();
    for (const [key, status] of [
      [reader, 403],
      [stranger, 404],
    ] as const) {
      const calls = [
        as(key).post(own()).send({ type: 'mail', to: 'x@example.com' }),
        as(key)
          .post(own(`/${id}/wake`))
          .send({}),
        as(key).delete(own(`/${id}`)),
        as(key).get(own('/export')),
      ];
      expect((await Promise.all(calls)).map((each) => each.status)).toEqual(
        calls.map(() => status),
      );
    }
    for (const what of ['subscribers', 'notices', 'letters']) {
      const { status } = await as(stranger).get(`/v1/status-pages/${page.id}/${what}`);
      expect([what, status]).toEqual([what, 404]);
    }
  });

  test('what people subscribed to goes with the page', async () => {
    await arranged(add());
    const old = page;
    await arranged(as().delete(`/v1/status-pages/${page.id}`));
    const { subscribers } = service.services.stores;
    expect(await subscribers.count(account.id, old.id)).toBe(0);
    const left = newSubscriber(service.services, { ...ORPHAN, accountId: account.id }, WANTED);
    await subscribers.create(account.id, left);
    await sweepLetters(service.services);
    expect(await subscribers.count(account.id, ORPHAN.id)).toBe(0);
  });
});

const ORPHAN = { id: 'stp_00000000000000000000000000' } as Parameters<typeof newSubscriber>[1];
const WANTED = {
  type: 'mail',
  to: 'a@b.example',
  items: null,
  isConfirmed: true,
  addedBy: null,
} as const;

describe('letters', () => {
  const posts: PostRequest[] = [];
  let status = 200;
  let needs: LetterNeeds;

  beforeEach(() => {
    posts.length = 0;
    status = 200;
    needs = {
      ...service.services,
      sealer: service.services.sealers.stored,
      send: createLetterSender({
        post: async (sent) => {
          posts.push(sent);
          return { status, headers: new Map(), text: '' };
        },
        server: { smtpUrl: sink.url, trust: createTrust([]) },
        from: 'Keepwatch <status@example.com>',
        publicUrl: PUBLIC_URL,
      }),
    };
  });

  /** Everything that is to be sent by now; times that letters wait pass. */
  async function sendAll(limitMs = 0): Promise<void> {
    const begun: { id: string; accountId: string }[] = [];
    await announcePosts(
      { ...service.services, sendNotice: async (notice) => void begun.push(notice) },
      signal,
    );
    for (const { id: noticeId, accountId } of begun) {
      const name = { accountId, noticeId };
      if (accountId !== account.id) continue;
      for (let afterId: string | null = null; ; ) {
        ({ lastId: afterId } = await writeLetters(needs, { ...name, afterId }));
        if (afterId === null) break;
      }
      for (let waitMs: number | null = 0; waitMs !== null; ) {
        ({ waitMs } = await sendLetters(needs, name, signal));
        if ((waitMs ?? 0) > limitMs) return;
        service.clock.nowMs += waitMs ?? 0;
      }
      await endNotice(needs, name);
    }
  }

  const mailsTo = (to: string) => sink.messages.filter((message) => message.to === to);
  const idOf = (text: string) => /^Message-ID: (.*)$/im.exec(text)?.[1];
  const notices = async () =>
    (await arranged(as().get(`/v1/status-pages/${page.id}/notices`))).data;
  const pass = () => {
    service.clock.nowMs += MINUTE;
  };

  test('thirty subscribers get one letter each, whatever is repeated', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `many-${slugs}-${at}@example.com`);
    for (const to of names) await arranged(add({ to }));
    pass();
    await newPost();
    const begun: string[] = [];
    const sendNotice = async ({ id }: { readonly id: string }) => void begun.push(id);
    const announcing = { ...service.services, sendNotice };
    await announcePosts(announcing, signal);
    await announcePosts(announcing, signal);
    expect(new Set(begun).size).toBe(1);
    const name = { accountId: account.id, noticeId: begun[0] ?? '' };
    await writeLetters(needs, { ...name, afterId: null });
    await writeLetters(needs, { ...name, afterId: null });
    await Promise.all([sendLetters(needs, name, signal), sendLetters(needs, name, signal)]);
    await sendAll();
    expect(names.map((to) => mailsTo(to).length)).toEqual(names.map(() => 1));
    expect(await notices()).toMatchObject([{ state: 'sent', letters: { sent: 30, pending: 0 } }]);
    const [mail] = mailsTo(names[0] ?? '');
    expect(mail?.text).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  test('a letter that its sender was lost with goes again under its Message-ID once the claim is over', async () => {
    await arranged(add({ to: 'lost@example.com' }));
    pass();
    await newPost();
    const before = mailsTo('lost@example.com').length;
    const { note } = needs.stores.letters;
    const letters = { ...needs.stores.letters, note: () => Promise.reject(new Error('killed')) };
    const whole = needs;
    needs = { ...whole, stores: { ...whole.stores, letters } };
    await expect(sendAll()).rejects.toThrow('killed');
    needs = { ...whole, stores: { ...whole.stores, letters: { ...letters, note } } };
    await sendAll();
    expect(mailsTo('lost@example.com')).toHaveLength(before + 1);
    await sendAll(5 * MINUTE);
    const ids = mailsTo('lost@example.com').map(({ text }) => idOf(text));
    expect([ids.length, new Set(ids).size]).toEqual([before + 2, 1]);
  });

  test('a mail server that is busy is asked again; drafts and what was there before are not sent', async () => {
    pass();
    await newPost({ title: 'Earlier' });
    pass();
    await arranged(add({ to: 'busy@example.com' }));
    pass();
    sink.refusing.add('busy@example.com');
    await newPost({ title: 'Draft', publish: false });
    const { id } = await newPost({ title: 'Now' });
    await sendAll(60 * MINUTE);
    expect(
      mailsTo('busy@example.com').map(({ text }) => /^Subject: (.*)$/im.exec(text)?.[1]),
    ).toEqual(['[Shop status] Now']);
    const { data } = await arranged(as().get(`/v1/status-pages/${page.id}/letters?status=sent`));
    expect(data).toMatchObject([{ to: 'b***@example.com', tries: 2 }]);
    pass();
    await arranged(as().post(`${PATH}/${id}/updates`).send({ state: 'resolved', text: 'Over.' }));
    await sendAll();
    pass();
    const { updates } = await arranged(as().get(`${PATH}/${id}`));
    const learned = { title: 'Now', updates, postMortem: 'A cable.' };
    await arranged(as().patch(`${PATH}/${id}`).send(learned));
    await sendAll();
    expect(mailsTo('busy@example.com')).toHaveLength(3);
    expect(mailsTo('busy@example.com').at(-1)?.text).toContain('A cable.');
  });

  test('whoever chose items hears of those only, by the way that they chose', async () => {
    await arranged(add({ type: 'webhook', to: 'https://a.example/1', items: [monitorIds[0]] }));
    await arranged(add({ type: 'slack', to: 'https://hooks.slack.com/2', items: [monitorIds[1]] }));
    pass();
    await newPost({ affected: [monitorIds[0]] });
    await sendAll();
    expect(posts.map(({ url }) => url)).toEqual(['https://a.example/1']);
    const { unsubscribeUrl } = JSON.parse(posts[0]?.body ?? '{}');
    const path = unsubscribeUrl.replace(PUBLIC_URL, '');
    const left = await press(path, { 'List-Unsubscribe': 'One-Click' });
    expect(left.status).toBe(200);
    expect(await list()).toMatchObject([{ type: 'slack' }]);
  });

  test('one who was refused three times in a row rests until somebody wakes them', async () => {
    const { id } = await arranged(add({ type: 'webhook', to: 'https://gone.example/' }));
    status = 410;
    for (let at = 0; at < 4; at += 1) {
      pass();
      await newPost();
      await sendAll();
    }
    expect(posts).toHaveLength(3);
    expect(await list()).toMatchObject([{ state: 'resting', bounces: 3 }]);
    expect((await notices()).map(({ letters }: { letters: object }) => letters)).toMatchObject([
      { resting: 1, failed: 0 },
      { failed: 1 },
      { failed: 1 },
      { failed: 1 },
    ]);
    status = 200;
    const woken = await arranged(
      as()
        .post(own(`/${id}/wake`))
        .send({}),
    );
    expect(woken).toMatchObject({ state: 'active', bounces: 0 });
    pass();
    await newPost();
    await sendAll();
    expect(posts).toHaveLength(4);
  });

  test('what is taken back while it is sent stops, and so does what a page or subscriber leaves', async () => {
    const first = await arranged(add({ type: 'webhook', to: 'https://a.example/' }));
    await arranged(add({ type: 'webhook', to: 'https://b.example/' }));
    pass();
    status = 503;
    const { id } = await newPost();
    await sendAll();
    await arranged(as().delete(own(`/${first.id}`)));
    service.clock.nowMs += 60 * MINUTE;
    await sendAll();
    expect(posts.map(({ url }) => url).toSorted()).toEqual([
      'https://a.example/',
      'https://b.example/',
      'https://b.example/',
    ]);
    await arranged(as().delete(`${PATH}/${id}`));
    service.clock.nowMs += 120 * MINUTE;
    await sendAll();
    expect(posts).toHaveLength(3);
    expect(await notices()).toMatchObject([
      { title: null, state: 'stopped', letters: { stopped: 2, pending: 0 } },
    ]);
  });
});
