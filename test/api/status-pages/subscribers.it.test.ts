/**
 * Tests subscribers of status pages: signing up and unsubscribing on the page, and managing subscribers in the account.
 *
 * Covers:
 * - services/subscribers/sign-up
 * - services/subscribers/subscribers
 * - services/subscribers/page-subscribers
 * - services/subscribers/recipient
 * - services/subscribers/tidy-subscribers
 */
import request from 'supertest';
import {
  BOUNCES_MAX,
  SUBSCRIBERS_MAX,
  WEBHOOKS_PER_HOST_MAX,
} from '../../../src/domain/status-pages/subscriber';
import type { OutgoingEmail } from '../../../src/services/ports/dependencies';
import { newSubscriber } from '../../../src/services/subscribers/page-subscribers';
import {
  removeUnconfirmed,
  sweepLetters,
} from '../../../src/services/subscribers/tidy-subscribers';
import { waitUntil } from '../../support/wait-until';
import { arranged } from '../arranged';
import { PUBLIC_URL } from '../test-service';
import { suiteOfSubscribers } from './subscribed-pages';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const { service, account, as, mails, shown, newPage, own, list, add, press } = suiteOfSubscribers();

const subscribe = (fields: Readonly<Record<string, string | readonly string[]>>) =>
  request(service.app).post(`/status/${shown.page.slug}/subscribe`).type('form').send(fields);

/** Returns the path of the link in the email. */
function linkIn(mail: OutgoingEmail | undefined): string {
  const [link = ''] = /https?:\S+/.exec(mail?.text ?? '') ?? [];
  return link.replace(PUBLIC_URL, '');
}

async function nextMail(): Promise<OutgoingEmail> {
  return waitUntil('a mail', () => mails.shift());
}

const visit = (path: string) => request(service.app).get(path);
describe('subscribing on the page', () => {
  test('a subscriber by email gets nothing before confirming, and can unsubscribe by a link', async () => {
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
    await press(link, { do: 'save', which: 'some', item: shown.monitorIds[1] });
    expect(await list()).toMatchObject([{ items: [shown.monitorIds[1]] }]);
    expect((await press(link, { do: 'end' })).text).toContain('unsubscribed');
    expect(await list()).toEqual([]);
    expect((await visit(link)).status).toBe(404);
  });

  /** Subscribes to one item, confirms the subscription, and returns the link of the subscriber. */
  async function confirmedLink(): Promise<string> {
    const chosen = { which: 'some', item: shown.monitorIds[0] ?? '' };
    await subscribe({ type: 'mail', to: 'reader@example.com', ...chosen });
    const link = linkIn(await nextMail());
    await press(link, { do: 'confirm' });
    return link;
  }

  test('one-click unsubscribe of mail programs ends the subscription, in either form encoding', async () => {
    const urlencoded = await press(await confirmedLink(), { 'List-Unsubscribe': 'One-Click' });
    expect([urlencoded.status, await list()]).toEqual([200, []]);
    const parts = await request(service.app)
      .post(await confirmedLink())
      .field('List-Unsubscribe', 'One-Click');
    expect([parts.status, parts.text, await list()]).toEqual([
      200,
      expect.stringContaining('unsubscribed'),
      [],
    ]);
  });

  test('a subscriber without access to the page can unsubscribe by a link', async () => {
    const link = await confirmedLink();
    const change = (fields: object) =>
      arranged(as().patch(`/v1/status-pages/${shown.page.id}`).send(fields));
    const see = async () => {
      const { status, text } = await visit(link);
      return [status, ...['<bdi>News<', 'Item 1'].map((words) => text.includes(words))];
    };
    await change({ title: 'News' });
    expect(await see()).toEqual([200, true, true]);
    await change({ access: { type: 'members' } });
    expect(await see()).toEqual([200, true, false]);
    await change({ isPublic: false });
    expect(await see()).toEqual([200, false, false]);
    expect((await press(link, { do: 'end' })).text).toContain('unsubscribed');
    expect(await list()).toEqual([]);
  });

  test('a multipart form saves the choices, and a body that is not a form changes nothing', async () => {
    const link = await confirmedLink();
    const post = () => request(service.app).post(link);
    const broken = 'multipart/form-data; boundary=none';
    const refused = [
      await post(),
      await post().type('text').send('hello'),
      await post().send({ do: 'save' }),
      await post().field('do', 'nothing'),
      await post().attach('do', Buffer.from('end'), 'do.txt'),
      await post().set('Content-Type', broken).send('--other\r\n\r\nsave'),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400));
    expect(await list()).toMatchObject([{ items: [shown.monitorIds[0]], state: 'active' }]);
    const saved = await post()
      .field('do', 'save')
      .field('which', 'some')
      .field('item', shown.monitorIds[1] ?? '');
    expect([saved.status, await list()]).toMatchObject([200, [{ items: [shown.monitorIds[1]] }]]);
  });

  test('a sign-up for single items and groups stores these items', async () => {
    await subscribe({
      type: 'mail',
      to: 'a@example.com',
      which: 'some',
      item: shown.monitorIds[0] ?? '',
    });
    await nextMail();
    await subscribe({ type: 'mail', to: 'b@example.com', which: 'some', group: 'Shop' });
    await nextMail();
    expect(await list()).toMatchObject([
      { items: shown.monitorIds },
      { items: [shown.monitorIds[0]] },
    ]);
    const none = await subscribe({ type: 'mail', to: 'c@example.com', which: 'some' });
    expect([none.status, none.text]).toEqual([400, expect.stringContaining('Choose at least one')]);
  });

  test('a sign-up on a status page gets the same response for known and unknown recipients', async () => {
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

  test('sign-ups from one network are throttled, and so are confirmation emails to one recipient', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 7; at += 1) {
      statuses.push((await subscribe({ type: 'mail', to: 'same@example.com' })).status);
      // Waits for the first email, because two sign-ups at the same moment would count as one.
      if (at === 0) await waitUntil('the first mail', () => mails.length === 1);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429]);
    await waitUntil('the mails', () => mails.length >= 3);
    expect(mails.map(({ to }) => to)).toEqual(Array(3).fill('same@example.com'));
  });

  test.each([
    ['mail', 'no mail'],
    ['webhook', 'http://hooks.example.com/'],
    ['webhook', 'https://user:secret@hooks.example.com/'],
    ['webhook', 'https://169.254.169.254/'],
    ['slack', 'https://hooks.example.com/'],
    ['pigeon', 'https://hooks.example.com/'],
  ])('a subscription of type %s to %s is refused with a reason', async (type, to) => {
    const { status, text } = await subscribe({ type, to });
    expect([status, text]).toEqual([400, expect.stringContaining('role="alert"')]);
    expect(await list()).toEqual([]);
  });

  test('a disabled subscription type is not offered or accepted', async () => {
    shown.page = await newPage({ subscribers: { mail: true } });
    const { text } = await visit(`/status/${shown.page.slug}/subscribe`);
    expect(text).toContain('type="email"');
    expect(text).not.toContain('Slack');
    expect((await subscribe({ type: 'slack', to: 'https://hooks.slack.com/1' })).status).toBe(400);
    shown.page = await newPage({ subscribers: {} });
    expect((await visit(`/status/${shown.page.slug}/subscribe`)).status).toBe(404);
    expect((await visit(`/status/${shown.page.slug}`)).text).not.toContain('/subscribe');
  });

  test('the form for subscribing and the status page are small, need no script and list what can be subscribed to', async () => {
    const status = await visit(`/status/${shown.page.slug}`);
    expect(status.text).toContain(`href="${shown.page.slug}/subscribe?type=mail"`);
    const form = await visit(`/status/${shown.page.slug}/subscribe?type=slack`);
    expect(form.text).toMatch(/value="slack" checked>.*Item 2/s);
    expect(form.text).not.toContain('<script');
    expect(form.headers['content-security-policy']).toContain("form-action 'self'");
    expect(Math.max(status.text.length, form.text.length)).toBeLessThan(100_000);
  });

  test('a status page at its limit of subscribers gives known and new recipients the same refusal', async () => {
    const full = { ...service.services.stores.subscribers, count: async () => SUBSCRIBERS_MAX };
    const stores = { ...service.services.stores, subscribers: full };
    const app = service.appWith({ stores });
    await arranged(add());
    for (const to of ['reader@example.com', 'other@example.com']) {
      const path = `/status/${shown.page.slug}/subscribe`;
      const { status, text } = await request(app)
        .post(path)
        .type('form')
        .send({ type: 'mail', to });
      expect([status, text]).toEqual([403, expect.stringContaining('no more subscribers')]);
    }
  });

  test('the subscription pages of an unpublished status page respond with 404', async () => {
    shown.page = await newPage({ isPublic: false });
    expect((await visit(`/status/${shown.page.slug}/subscribe`)).status).toBe(404);
    expect((await subscribe({ type: 'mail', to: 'a@example.com' })).status).toBe(404);
    expect((await visit(`/status/${shown.page.slug}/subscription?token=abc`)).status).toBe(404);
    expect(
      (await press(`/status/${shown.page.slug}/subscription?token=abc`, { do: 'end' })).status,
    ).toBe(404);
  });

  test('an unconfirmed sign-up and its link expire after a day', async () => {
    await subscribe({ type: 'mail', to: 'late@example.com' });
    const link = linkIn(await nextMail());
    service.clock.nowMs += DAY_MS + 1;
    expect((await press(link, { do: 'confirm' })).status).toBe(404);
    expect(await removeUnconfirmed(service.services)).toBeGreaterThan(0);
    expect(await list()).toEqual([]);
  });

  test('the number of self-registered webhooks per host is limited, with the same refusal for known and new recipients', async () => {
    const signUp = (to: string) => {
      // Moves the clock, because the count of sign-ups from one network expires after a quarter of an hour.
      service.clock.nowMs += HOUR_MS;
      return subscribe({ type: 'webhook', to });
    };
    const known = 'https://victim.example:8443/';
    expect((await signUp(known)).status).toBe(200);
    for (let at = 1; at < WEBHOOKS_PER_HOST_MAX; at += 1)
      expect((await signUp(`https://victim.example/${at}`)).status).toBe(200);
    for (const to of [known, 'https://victim.example/new', 'https://VICTIM.example:444/']) {
      const { status, text } = await signUp(to);
      expect([to, status, text]).toEqual([to, 403, expect.stringContaining('no more subscribers')]);
    }
    expect((await signUp('https://other.example/')).status).toBe(200);
    await arranged(add({ type: 'webhook', to: 'https://victim.example/by-account' }));
    expect(await list()).toHaveLength(WEBHOOKS_PER_HOST_MAX + 2);
  });

  test('a new sign-up of a suspended subscriber changes nothing until it is confirmed', async () => {
    const [first = '', second = ''] = shown.monitorIds;
    const { id } = await arranged(add({ items: [first] }));
    const name = { accountId: account.id, pageId: shown.page.id, id };
    for (let at = 0; at < BOUNCES_MAX; at += 1)
      await service.services.stores.subscribers.noteRefused(name);
    await subscribe({ type: 'mail', to: 'reader@example.com', which: 'some', item: second });
    const link = linkIn(await nextMail());
    expect(await list()).toMatchObject([{ state: 'resting', items: [first] }]);
    await press(link, { do: 'confirm' });
    expect(await list()).toMatchObject([{ state: 'active', items: [second] }]);
  });

  test('a repeated sign-up can be confirmed for another whole day', async () => {
    await subscribe({ type: 'mail', to: 'late@example.com' });
    await nextMail();
    service.clock.nowMs += DAY_MS - HOUR_MS;
    await subscribe({ type: 'mail', to: 'late@example.com' });
    const link = linkIn(await nextMail());
    service.clock.nowMs += DAY_MS - HOUR_MS;
    await removeUnconfirmed(service.services);
    expect((await press(link, { do: 'confirm' })).status).toBe(200);
    expect(await list()).toMatchObject([{ state: 'active' }]);
  });
});

describe('subscribers in the account', () => {
  test('subscribers are added, found, exported, and removed', async () => {
    const added = await add({ items: [shown.monitorIds[0]] });
    expect([added.status, added.body]).toMatchObject([
      201,
      { to: 'reader@example.com', state: 'active', items: [shown.monitorIds[0]] },
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
    const trail = await arranged(as().get(`/v1/audit-events?resourceId=${added.body.id}`));
    expect(trail.data.map(({ action }: { action: string }) => action)).toEqual([
      'status_page_subscriber.delete',
      'status_page_subscriber.create',
    ]);
    expect(JSON.stringify(trail)).toContain('r***@example.com');
    expect(JSON.stringify(trail)).not.toContain('reader@');
  });

  test('a subscriber added without a confirmation is asked to confirm', async () => {
    const { body } = await add({ confirmed: false });
    expect(body).toMatchObject({ state: 'unconfirmed' });
    await press(linkIn(await nextMail()), { do: 'confirm' });
    expect(await list()).toMatchObject([{ state: 'active', confirmedAt: expect.any(String) }]);
  });

  test('all problems of a new subscriber are reported at once', async () => {
    shown.page = await newPage({ subscribers: { mail: false } });
    const { body } = await add({ items: ['mon_1'] });
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['type', 'items[0]']);
    expect((await add({ to: 'no mail' })).body.errors).toMatchObject([{ path: 'to' }]);
  });

  test('a status page refuses subscribers above its limit', async () => {
    const full = { ...service.services.stores.subscribers, count: async () => SUBSCRIBERS_MAX };
    const app = service.appWith({ stores: { ...service.services.stores, subscribers: full } });
    const { body } = await request(app)
      .post(own())
      .set('Authorization', `Bearer ${account.key}`)
      .send({ type: 'mail', to: 'a@example.com', confirmed: true });
    expect(body).toMatchObject({ code: 'limit_reached' });
  });

  test('a read-only key sees masked subscribers and cannot change them', async () => {
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
          .post(own(`/${id}/resume`))
          .send({}),
        as(key).delete(own(`/${id}`)),
        as(key).get(own('/export')),
      ];
      expect((await Promise.all(calls)).map((each) => each.status)).toEqual(
        calls.map(() => status),
      );
    }
    for (const what of ['subscribers', 'notices', 'letters']) {
      const { status } = await as(stranger).get(`/v1/status-pages/${shown.page.id}/${what}`);
      expect([what, status]).toEqual([what, 404]);
    }
  });

  test('an export contains the settings of a page, but not its subscribers', async () => {
    await arranged(add({ to: 'private@example.com' }));
    const exported = await arranged(as().get('/v1/export'));
    expect(exported.statusPages).toMatchObject([
      { subscribers: { mail: true, webhook: true, slack: true } },
    ]);
    expect(JSON.stringify(exported)).not.toContain('private@example.com');
    const set = { statusPages: [{ ...exported.statusPages[0], subscribers: { mail: true } }] };
    await arranged(as().post('/v1/apply').send(set));
    const { subscribers } = await arranged(as().get(`/v1/status-pages/${shown.page.id}`));
    expect(subscribers).toEqual({ mail: true, webhook: false, slack: false });
    expect(await list()).toMatchObject([{ to: 'private@example.com' }]);
  });

  test('the subscriptions of a status page are deleted with the page', async () => {
    await arranged(add());
    const old = shown.page;
    await arranged(as().delete(`/v1/status-pages/${shown.page.id}`));
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
