/**
 * Tests notices to subscribers of status pages, as a real mail server and webhook receivers get them.
 *
 * Covers:
 * - services/subscribers/announce-posts
 * - services/subscribers/send-letters
 * - services/subscribers/notices
 * - services/lists/read-batches
 */
import { createTrust } from '../../../src/checks/tls/secure-socket';
import type { Post } from '../../../src/domain/status-pages/post';
import type { Batch } from '../../../src/models/store/pages';
import type { Notice } from '../../../src/models/subscribers/notices';
import { createLetterSender } from '../../../src/notify/letters/letter';
import type { PostRequest } from '../../../src/notify/post';
import { writeStatusPosts } from '../../../src/services/status-pages/write-status-posts';
import { announcePosts } from '../../../src/services/subscribers/announce-posts';
import {
  endNotice,
  type LetterNeeds,
  sendLetters,
  writeLetters,
} from '../../../src/services/subscribers/send-letters';
import { type MailSink, startMailSink } from '../../support/alert-sinks';
import { arranged } from '../arranged';
import { PUBLIC_URL } from '../test-service';
import { suiteOfSubscribers } from './subscribed-pages';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const PATH = '/v1/status-page-posts';
const { service, account, as, shown, newPage, own, list, add, press } = suiteOfSubscribers();
const { signal } = new AbortController();
let sink: MailSink;

beforeAll(async () => {
  sink = await startMailSink();
});
afterAll(() => sink.close());

const newPost = (fields: object = {}) =>
  arranged(
    as()
      .post(PATH)
      .send({
        pageId: shown.page.id,
        title: 'Cards fail',
        text: 'We look.',
        publish: true,
        ...fields,
      }),
  );

const posts: PostRequest[] = [];
let status = 200;
let headers = new Map<string, string>();
let needs: LetterNeeds;

beforeEach(() => {
  posts.length = 0;
  status = 200;
  headers = new Map([['content-type', 'text/plain']]);
  needs = {
    ...service.services,
    sealer: service.services.sealers.stored,
    send: createLetterSender({
      post: async (sent) => {
        posts.push(sent);
        // Many webhook receivers repeat the request in their response.
        return { status, headers, text: `Cannot POST ${new URL(sent.url).pathname}` };
      },
      server: { smtpUrl: sink.url, trust: createTrust([]) },
      from: 'Keepwatch <status@example.com>',
      publicUrl: PUBLIC_URL,
    }),
  };
});

/** Sends everything that is due, skipping the waits of notices. */
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
  (await arranged(as().get(`/v1/status-pages/${shown.page.id}/notices`))).data;
const pass = () => {
  service.clock.nowMs += MINUTE;
};

test('thirty subscribers get one email each about a post, even if requests are repeated', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `many-${at}@example.com`);
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

test('a notice to subscribers never waits for the posts and notices of another account', async () => {
  pass();
  const { id: postId } = await newPost();
  const { stores } = service.services;
  const post = await stores.posts.find(account.id, postId);
  const begun: string[] = [];
  /** Returns a full batch of other items first. The next batch contains the items of this test. */
  const behind = <Item extends { readonly id: string }>(
    { lastId, max }: Batch,
    other: Item,
    own: readonly Item[],
  ): readonly Item[] =>
    lastId === null
      ? Array.from({ length: max }, (_, at) => ({ ...other, id: `other-${at}` }))
      : own;
  const announce = (sending: readonly Notice[]) => {
    const [other] = sending;
    if (post === null) throw new Error('the post is there');
    return announcePosts(
      {
        ...service.services,
        stores: {
          ...stores,
          posts: {
            ...stores.posts,
            listChanged: async (_sinceMs, batch) =>
              behind<Post>(batch, { ...post, state: 'draft' }, [post]),
          },
          notices: {
            ...stores.notices,
            listSending: async (batch) =>
              other === undefined ? [] : behind(batch, other, sending),
          },
        },
        sendNotice: async ({ id }) => void begun.push(id),
      },
      signal,
    );
  };
  expect(await announce([])).toBe(1);
  const [id = ''] = begun;
  const notice = await stores.notices.find(account.id, id);
  expect(notice).toMatchObject({ postId });
  expect(await announce(notice === null ? [] : [notice])).toBe(0);
  expect([begun.length, begun.at(-1)]).toEqual([1_002, id]);
});

test('if a process dies before it records an email as sent, the same email is sent again with the same Message-ID', async () => {
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

test('an email that a busy mail server refuses is sent later, and drafts and earlier posts are not sent', async () => {
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
  const { data } = await arranged(
    as().get(`/v1/status-pages/${shown.page.id}/letters?status=sent`),
  );
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

test('a subscriber to some items gets news only of these items, over the chosen channel', async () => {
  await arranged(add({ type: 'webhook', to: 'https://a.example/1', items: [shown.monitorIds[0]] }));
  await arranged(
    add({ type: 'slack', to: 'https://hooks.slack.com/2', items: [shown.monitorIds[1]] }),
  );
  pass();
  await newPost({ affected: [shown.monitorIds[0]] });
  await sendAll();
  expect(posts.map(({ url }) => url)).toEqual(['https://a.example/1']);
  const { unsubscribeUrl } = JSON.parse(posts[0]?.body ?? '{}');
  const path = unsubscribeUrl.replace(PUBLIC_URL, '');
  const left = await press(path, { 'List-Unsubscribe': 'One-Click' });
  expect(left.status).toBe(200);
  expect(await list()).toMatchObject([{ type: 'slack' }]);
});

test('three refusals in a row suspend a subscription until someone resumes it', async () => {
  const { id } = await arranged(add({ type: 'webhook', to: 'https://gone.example/hooks/key-1' }));
  status = 410;
  for (let at = 0; at < 4; at += 1) {
    pass();
    await newPost();
    await sendAll();
  }
  expect(posts).toHaveLength(3);
  expect(await list()).toMatchObject([{ state: 'resting', bounces: 3 }]);
  const records = await arranged(as().get(`/v1/status-pages/${shown.page.id}/letters`));
  expect(JSON.stringify(records)).toContain('Cannot POST /…/…');
  expect((await notices()).map(({ letters }: { letters: object }) => letters)).toMatchObject([
    { resting: 1, failed: 0 },
    { failed: 1 },
    { failed: 1 },
    { failed: 1 },
  ]);
  status = 200;
  const woken = await arranged(
    as()
      .post(own(`/${id}/resume`))
      .send({}),
  );
  expect(woken).toMatchObject({ state: 'active', bounces: 0 });
  pass();
  await newPost();
  await sendAll();
  expect(posts).toHaveLength(4);
});

test('an unknown recipient counts as a refusal, and a delivered email resets the count', async () => {
  const to = 'unknown@example.com';
  await arranged(add({ to }));
  const isUnknown = [true, true, false, true, true, true, true];
  for (const refused of isUnknown) {
    pass();
    if (refused) sink.unknown.add(to);
    else sink.unknown.delete(to);
    await newPost();
    await sendAll();
  }
  expect(await list()).toMatchObject([{ state: 'resting', bounces: 3 }]);
  expect(mailsTo(to)).toHaveLength(1);
  const { data } = await arranged(as().get(`/v1/status-pages/${shown.page.id}/letters`));
  const [, refused] = data;
  expect(refused.detail).toContain('<u***@example.com>: no such user');
  const statuses = data.map(({ status: each }: { status: string }) => each);
  expect(statuses.toReversed()).toEqual([
    'failed',
    'failed',
    'sent',
    'failed',
    'failed',
    'failed',
    'resting',
  ]);
});

test('a receiver that sends Retry-After: 0 is retried no sooner than other receivers', async () => {
  await arranged(add({ type: 'webhook', to: 'https://eager.example/' }));
  pass();
  status = 503;
  headers.set('retry-after', '0');
  await newPost();
  const triesAfter = async (ms: number) => {
    service.clock.nowMs += ms;
    await sendAll();
    return posts.length;
  };
  const tries = [await triesAfter(0), await triesAfter(MINUTE / 4), await triesAfter(MINUTE)];
  expect(tries).toEqual([1, 1, 2]);
});

test('no further notices are sent to a removed subscriber or about a deleted post', async () => {
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

test('waiting notices are dropped if the page turns them off or the subscriber deselects the item', async () => {
  const [kept = '', left = ''] = shown.monitorIds;
  await arranged(add({ type: 'webhook', to: 'https://off.example/' }));
  await arranged(add({ type: 'slack', to: 'https://hooks.slack.com/items', items: [kept, left] }));
  pass();
  status = 503;
  await newPost({ affected: [left] });
  await sendAll();
  expect(posts).toHaveLength(2);
  const slack = posts.find(({ url }) => url.includes('slack'));
  const [path = ''] =
    /\/status\/[\w-]+\/subscription\?token=[^|>"\\]+/.exec(slack?.body ?? '') ?? [];
  await press(path, { do: 'save', which: 'some', item: kept });
  expect(await list()).toMatchObject([{ type: 'slack', items: [kept] }, { type: 'webhook' }]);
  const { version } = await arranged(as().get(`/v1/status-pages/${shown.page.id}`));
  await arranged(
    as()
      .patch(`/v1/status-pages/${shown.page.id}`)
      .set('If-Match', `"${version}"`)
      .send({ subscribers: { mail: true, webhook: false, slack: true } }),
  );
  service.clock.nowMs += 60 * MINUTE;
  await sendAll();
  expect(posts).toHaveLength(2);
  expect(await notices()).toMatchObject([{ letters: { stopped: 2, pending: 0, sent: 0 } }]);
});

describe('maintenance', () => {
  let count = 0;
  let to = '';
  const plan = () =>
    arranged(
      as()
        .post('/v1/maintenance-windows')
        .send({
          name: 'inside name',
          mode: 'mute',
          startsAt: new Date(service.clock.nowMs + 30 * HOUR).toISOString(),
          durationMinutes: 60,
          timeZone: 'UTC',
          target: { ids: [shown.monitorIds[0]] },
        }),
    );
  /** Moves the clock, then does the work that the service would do at that time. */
  const look = async (afterMs = MINUTE) => {
    service.clock.nowMs += afterMs;
    const time = { beganAtMs: service.clock.nowMs, sinceMs: null };
    await writeStatusPosts(service.services, time, signal);
    await sendAll();
  };
  const told = ['Planned from', 'Moved: now', 'is under way', 'is over', 'is cancelled'];
  /** Returns the first line of each notice, in the order of the emails. */
  const letters = () =>
    mailsTo(to)
      // Removes the soft line breaks of quoted-printable.
      .map(({ text }) => text.replaceAll(/=\r?\n/g, ''))
      .map((text) => told.find((words) => text.includes(words)) ?? text);

  beforeEach(async () => {
    count += 1;
    to = `planned-${count}@example.com`;
    shown.page = await newPage({ posts: { maintenance: true } });
    await arranged(add({ to, items: [shown.monitorIds[0]] }));
    await arranged(add({ to: `not-${to}`, items: [shown.monitorIds[1]] }));
  });

  test('maintenance is announced by email the day before, at its start and at its end', async () => {
    await plan();
    await look();
    expect(letters()).toEqual([]);
    await look(7 * HOUR);
    await look();
    expect(letters()).toEqual(['Planned from']);
    expect(mailsTo(to)[0]?.text).not.toContain('inside name');
    await look(23 * HOUR);
    await look(HOUR);
    expect(letters()).toEqual(['Planned from', 'is under way', 'is over']);
    expect(mailsTo(`not-${to}`)).toEqual([]);
  });

  test('an email announces each move and each cancellation of maintenance', async () => {
    const { id } = await plan();
    await look(7 * HOUR);
    const startsAt = new Date(service.clock.nowMs + 100 * HOUR).toISOString();
    await arranged(as().patch(`/v1/maintenance-windows/${id}`).send({ startsAt }));
    await look();
    await look();
    expect(letters()).toEqual(['Planned from', 'Moved: now']);
    await arranged(as().delete(`/v1/maintenance-windows/${id}`));
    await look();
    await look();
    expect(letters()).toEqual(['Planned from', 'Moved: now', 'is cancelled']);
  });
});
