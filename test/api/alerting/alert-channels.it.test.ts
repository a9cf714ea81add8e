/**
 * Tests alert channels of every type over /v1. Channels are created, shown with masked secrets, changed, tested, and
 * named as fallbacks. Also tests where the secrets of a channel are sent if it is changed by someone who does not know
 * them. This is tested for each type and each way to change a channel, at the sockets of the old and the new URL.
 *
 * Covers:
 * - services/alerting/alert-channels
 * - models/alerting/alerts
 * - services/alerting/try-alert-channel
 * - services/alerting/save-alert-channel
 * - services/alerting/refuse-template
 * - services/alerting/channel-config
 */
import type request from 'supertest';
import { createPost } from '../../../src/checks/post';
import { buildUlid } from '../../../src/domain/definitions/ids';
import { CHANNELS, findChannel } from '../../../src/notify/channels/registry';
import { createSender } from '../../../src/notify/sender';
import { systemClock as clock } from '../../../src/platform/clock';
import { ALERT_CHANNELS } from '../../../src/services/alerting/alert-channels';
import { openConfig } from '../../../src/services/alerting/alert-destinations';
import { createTextPool } from '../../../src/text/text-pool';
import { EXAMPLES } from '../../notify/channel-examples';
import { buildAlert } from '../../support/alert-message';
import { spellingsOf } from '../../support/echo-forms';
import { type RecordingTarget, startRecordingTarget } from '../../support/recording-target';
import { isLongForm } from '../../support/test-size';
import { accountOfEach, agentOf, suiteService } from '../test-service';

const PATH = '/v1/alert-channels';
const service = suiteService();
const account = accountOfEach(service);
const as = agentOf(service, account);

async function create(body: object): Promise<Record<string, string>> {
  const response = await as().post(PATH).send(body);
  expect([response.status, response.body]).toEqual([201, expect.anything()]);
  return response.body;
}

const errorsOf = async (response: request.Test): Promise<readonly (readonly string[])[]> => {
  const { status, body } = await response;
  expect(status).toBe(400);
  return body.errors.map(({ path, message }: Record<string, string>) => [path, message]);
};

const slack = (name: string, more: object = {}) => ({
  key: name,
  name,
  type: 'slack',
  webhookUrl: `https://hooks.example.com/${name}-secret`,
  ...more,
});

it.each(Object.entries(EXAMPLES))(
  'a channel of type %s is created, and never shows its secrets',
  async (type, example) => {
    const config = example.config('https://receiver.example.com');
    const { signingSecret: _shownOnce, ...made } = await create({ name: 'c', type, ...config });
    const path = `${PATH}/${made['id']}`;
    const shown = (await as().get(path)).body;
    expect(shown).toEqual(made);
    const exported = (await as().get('/v1/export')).text;
    for (const secret of example.secrets) {
      expect(JSON.stringify(made)).not.toContain(secret);
      expect(exported).not.toContain(secret);
    }
    const stored = await service.services.stores.alertChannels.find(account.id, shown.id);
    expect((await as().patch(path).send(shown)).body).toEqual(shown);
    expect((await as().patch(path).send(config)).body).toEqual(shown);
    expect(await service.services.stores.alertChannels.find(account.id, shown.id)).toEqual(stored);
    const copy = { ...shown, name: 'copy' };
    for (const field of ALERT_CHANNELS.readOnlyFields) delete copy[field];
    const refused = await errorsOf(as().post(PATH).send(copy));
    expect(refused[0]?.[1]).toMatch(/is masked/);
  },
);

it('the first channel of an account becomes a default channel, and later channels only on request', async () => {
  const emails = ['a@example.com'];
  expect(await create({ name: 'first', type: 'email', emails })).toMatchObject({ isDefault: true });
  expect(await create(slack('chat'))).toMatchObject({ isDefault: false });
  const hook = { name: 'pager', type: 'webhook', url: 'https://pager.example.com/' };
  expect(await create(hook)).toMatchObject({ isDefault: false });
  expect(await create({ ...hook, isDefault: true })).toMatchObject({ isDefault: true });
});

it('only the first channel of an applied set becomes a default channel', async () => {
  const set = { alertChannels: [slack('one'), slack('two'), slack('three')] };
  expect((await as().post('/v1/apply').send(set)).status).toBe(200);
  const { alertChannels } = (await as().get('/v1/export')).body;
  const defaults = alertChannels.filter((one: { isDefault: boolean }) => one.isDefault);
  expect(defaults).toEqual([expect.objectContaining({ key: 'one' })]);
});

it('the API lists every channel type with its fields', async () => {
  const { body } = await as().get(`${PATH}/types`);
  expect(body.data.map(({ type }: { type: string }) => type)).toEqual(
    CHANNELS.map(({ type }) => type),
  );
  const [telegram] = body.data.filter(({ type }: { type: string }) => type === 'telegram');
  expect(telegram.fields).toContainEqual(
    expect.objectContaining({ name: 'botToken', kind: 'secret', isRequired: true }),
  );
});

it('a channel is refused if its template is invalid or uses an unknown variable', async () => {
  const refusal = (template: object) => errorsOf(as().post(PATH).send(slack('c', { template })));
  expect(await refusal({ text: 'down\n{{ headline | shout }}' })).toEqual([
    ['template.text', expect.stringContaining('undefined filter: shout (line 2, column 1)')],
  ]);
  expect(await refusal({ text: '{{ resource.nmae }}' })).toEqual([
    ['template.text', 'names resource.nmae, which alerts do not have'],
  ]);
  expect(await refusal({ text: '{% include "secrets" %}' })).toHaveLength(1);
  const hook = { name: 'h', type: 'webhook', url: 'https://example.com/', template: '{% if %}' };
  expect((await errorsOf(as().post(PATH).send(hook)))[0]?.[0]).toBe('template');
});

it('a preview of a template shows escaped values, or says that the default text would be sent', async () => {
  const text = '<!here> {{ resource.name }} {% if kind == "recovery" %}is back{% endif %}';
  const preview = (body: object) => as().post(`${PATH}/preview`).send(body);
  expect((await preview({ type: 'slack', template: { text }, kind: 'recovery' })).body).toEqual({
    title: expect.any(String),
    text: '<!here> Checkout is back',
    fault: null,
  });
  const broken = await preview({ type: 'webhook', template: '{"a": {{ headline }} }' });
  expect(broken.body.fault).toBe('does not give valid JSON');
  expect(await errorsOf(preview({ type: 'webhook', template: '{{ a' }))).toEqual([
    ['template', expect.stringMatching(/line 1, column 1/)],
  ]);
  const { id } = await create(slack('mine', { template: { text: 'mine: {{ headline }}' } }));
  const own = await as().post(`${PATH}/${id}/preview`);
  expect(own.body.text).toBe('mine: Down: Checkout: got 503, expected 2xx');
});

it('the signing secret of a webhook can be rotated, and is shown once', async () => {
  const hook = { name: 'h', type: 'webhook', url: 'https://example.com/' };
  const { id, signingSecret, version } = await create(hook);
  const rotated = await as().post(`${PATH}/${id}/rotate-signing-secret`);
  expect(rotated).toMatchObject({ status: 200, body: { signingSecret: expect.any(String) } });
  expect(rotated.body.signingSecret).not.toBe(signingSecret);
  const stored = await service.services.stores.alertChannels.find(account.id, id ?? '');
  if (stored === null) throw new Error('the channel is gone');
  const opened = openConfig(service.services.sealers.stored, stored);
  expect(opened).toMatchObject({ config: { url: hook.url }, ...rotated.body });
  expect((await as().get(`${PATH}/${id}`)).body).toMatchObject({ version: Number(version) + 1 });
  const other = await create(slack('chat'));
  expect((await as().post(`${PATH}/${other['id']}/rotate-signing-secret`)).status).toBe(400);
});

it('a preview of a template that takes too long is refused, and does not block other requests', async () => {
  const text = '{% for a in facts %}'.repeat(20) + '{% endfor %}'.repeat(20);
  const refused = await errorsOf(
    as()
      .post(PATH)
      .send(slack('c', { template: { text } })),
  );
  expect(refused).toEqual([['template.text', 'takes too much time or memory']]);
  const preview = as().post(`${PATH}/preview`).send({ type: 'slack', template: { text } });
  const health = await as().get('/healthz');
  expect(health.status).toBe(200);
  expect(await errorsOf(preview)).toEqual(refused);
});

it('headers and tokens of a channel can refer only to secrets of its account', async () => {
  const hook = { name: 'h', type: 'webhook', url: 'https://example.com/' };
  const made = await create({ ...hook, headers: { Authorization: 'Bearer {{secret:pager}}' } });
  expect(made['headers']).toEqual({ Authorization: 'Bearer {{secret:pager}}' });
  const wrong = { ...hook, headers: { Authorization: '{{token}}', Host: 'x', 'A B': 'c' } };
  expect(await errorsOf(as().post(PATH).send(wrong))).toEqual([
    ['headers.Host', 'is a header that Keepwatch sets'],
    ['headers.A B', 'is not the name of a header'],
  ]);
  const named = { ...hook, headers: { Authorization: '{{token}}' } };
  expect(await errorsOf(as().post(PATH).send(named))).toEqual([
    ['headers.Authorization', 'may contain {{secret:name}}, but no other reference'],
  ]);
});

it('a channel accepts a fallback by key or id, and refuses cycles and unknown fallbacks', async () => {
  const b = await create(slack('b'));
  const a = await create(
    slack('a', { fallback: 'b', fallbackAfterMinutes: 30, onlyKinds: ['failure'] }),
  );
  expect(a).toMatchObject({ fallback: 'b', fallbackAfterMinutes: 30, onlyKinds: ['failure'] });
  const ring = as().patch(`${PATH}/${b['id']}`).send({ fallback: a['id'] });
  expect(await errorsOf(ring)).toEqual([['fallback', 'leads back to this channel']]);
  const self = as().patch(`${PATH}/${b['id']}`).send({ fallback: 'b' });
  expect(await errorsOf(self)).toEqual([['fallback', 'leads back to this channel']]);
  const strange = slack('c', { fallback: 'nowhere', fallbackAfterMinutes: 9 });
  expect((await errorsOf(as().post(PATH).send(strange))).map(([path]) => path)).toEqual([
    'fallbackAfterMinutes',
  ]);
  const stranger = as()
    .post(PATH)
    .send(slack('c', { fallback: 'nowhere' }));
  expect(await errorsOf(stranger)).toEqual([['fallback', 'is not a channel of this account']]);
  await as().delete(`${PATH}/${b['id']}`);
  const left = (await as().get(`${PATH}/${a['id']}`)).body;
  expect(left).toMatchObject({ fallback: null, version: 1 });
  expect((await as().patch(`${PATH}/${a['id']}`).send(left)).body).toEqual(left);
});

it('apply and export refer to fallbacks by key, in any order of the channels', async () => {
  const set = { alertChannels: [slack('first', { fallback: 'second' }), slack('second')] };
  const apply = () => as().post('/v1/apply').send(set);
  const summary = (await apply()).body.objects.map(
    ({ action, outcome }: Record<string, string>) => [action, outcome],
  );
  expect(summary).toEqual([
    ['create', 'done'],
    ['create', 'done'],
  ]);
  const again = (await apply()).body.objects;
  expect(again.map(({ action }: { action: string }) => action)).toEqual(['unchanged', 'unchanged']);
  const { alertChannels } = (await as().get('/v1/export')).body;
  expect(alertChannels).toContainEqual(
    expect.objectContaining({ key: 'first', fallback: 'second' }),
  );
});

/** Stores a delivery as the sender does. Without `error`, the delivery was sent at once. With `error`, it failed. */
async function storeDelivery(
  channelId: string,
  minute: number,
  error?: string,
  endedAtMinute = minute,
): Promise<void> {
  const createdAtMs = service.clock.nowMs + minute * 60_000;
  const endedAtMs = service.clock.nowMs + endedAtMinute * 60_000;
  const outcome = error === undefined ? ('sent' as const) : ('failed' as const);
  await service.services.stores.alerts.save(account.id, {
    id: `alr_${buildUlid(createdAtMs, new Uint8Array(10).fill(minute))}`,
    accountId: account.id,
    incidentId: null,
    resourceId: 'mon_x',
    kind: 'failure',
    channelId,
    channelType: 'slack',
    recipient: 'somewhere',
    status: outcome,
    attempts: [{ atMs: endedAtMs, outcome, detail: error ?? 'ok' }],
    sequence: 1,
    createdAtMs,
    sentAtMs: error === undefined ? endedAtMs : null,
    certificate: null,
    pending: null,
  });
}

it('a channel shows its last delivery and failure, even if alerts are stored out of order', async () => {
  const { id = '' } = await create(slack('ops'));
  const other = await create(slack('other'));
  const at = (minute: number) => new Date(service.clock.nowMs + minute * 60_000).toISOString();
  await storeDelivery(id, 1, 'Receiver response: 500.');
  await storeDelivery(id, 2);
  await storeDelivery(id, 3, 'Receiver response: 403.');
  await storeDelivery(id, 4, 'Receiver response: 404.');
  const failing = { since: at(3), count: 2, error: 'Receiver response: 404.' };
  const shown = (await as().get(`${PATH}/${id}`)).body;
  expect(shown).toMatchObject({ lastSentAt: at(2), failing });
  const listed = (await as().get(PATH)).body.data;
  expect(listed.find((one: { id: string }) => one.id === id)).toEqual(shown);
  expect(listed.find((one: { id: string }) => one.id === other['id'])).toEqual(other);
  const back = await as().patch(`${PATH}/${id}`).send(shown);
  expect([back.status, back.body]).toEqual([200, shown]);
  await storeDelivery(id, 5);
  expect((await as().get(`${PATH}/${id}`)).body).toMatchObject({
    lastSentAt: at(5),
    failing: null,
  });
  await storeDelivery(id, 0, 'Receiver response: 410.', 6);
  expect((await as().get(`${PATH}/${id}`)).body).toMatchObject({
    lastSentAt: at(5),
    failing: { since: at(6), count: 1, error: 'Receiver response: 410.' },
  });
  const { stores } = service.services;
  expect(await stores.alerts.readChannel('acc_other', id)).toEqual({
    lastSentAtMs: null,
    unsent: [],
  });
});

describe('channels that get another URL', () => {
  const PATH = '/v1/alert-channels';
  const account = accountOfEach(service);
  const as = agentOf(service, account);

  let owner: RecordingTarget;
  let stranger: RecordingTarget;
  beforeAll(async () => {
    const accept = () => startRecordingTarget((_, response) => response.end('{}'));
    [owner, stranger] = await Promise.all([accept(), accept()]);
  });
  beforeEach(() => {
    owner.received.length = 0;
    stranger.received.length = 0;
  });
  afterAll(() => Promise.all([owner.close(), stranger.close(), closeTexts()]));

  const post = createPost({ allowedPrivateTargets: ['127.0.0.0/8'] }, 'test', 2_000);
  const noMail = async () => ({ kind: 'refused', detail: 'no mail here' }) as const;
  const { run: runTextJob, close: closeTexts } = createTextPool();
  const send = createSender({
    post,
    mail: noMail,
    publicUrl: 'http://keepwatch.test',
    clock,
    runTextJob,
    sealer: { seal: () => 'sealed' },
  });

  /** Sends a failure alert with the channel as it is stored. */
  async function alertNow(id: string): Promise<void> {
    const stored = await service.services.stores.alertChannels.find(account.id, id);
    if (stored === null) throw new Error('the channel is gone');
    const { config, signingSecret } = openConfig(service.services.sealers.stored, stored);
    const address = { type: stored.type, config, signingSecret: signingSecret ?? '' };
    const alert = buildAlert({ id: 'alert', resourceName: 'Shop' });
    await send({ id: 'alr_1', alert, address, template: null, secrets: [] });
  }

  /** Returns the fields of the type that contain a URL, with the URL of another server. */
  function movedTo(type: string, config: object, server: string): Record<string, string> {
    const addresses = Object.entries(findChannel(type)?.form ?? {}).filter(
      ([name, { kind }]) => (kind === 'url' || kind === 'secretUrl') && name in config,
    );
    return Object.fromEntries(addresses.map(([name]) => [name, `${server}/moved`]));
  }

  type Way = (shown: Readonly<Record<string, string>>, moved: object) => Promise<unknown>;

  /** The ways to change a channel. Each ends with one request that gets a response. */
  const WAYS: Readonly<Record<string, Way>> = {
    'PATCH of the address alone': async (shown, moved) =>
      await as().patch(`${PATH}/${shown['id']}`).send(moved),
    'PATCH with the response sent back': async (shown, moved) =>
      await as()
        .patch(`${PATH}/${shown['id']}`)
        .send({ ...shown, ...moved }),
    'apply under its key': async (shown, moved) => {
      const entry = Object.entries({ ...shown, ...moved }).filter(
        ([name]) => !['id', 'version', 'createdAt', 'updatedAt', 'signingSecret'].includes(name),
      );
      return await as()
        .post('/v1/apply')
        .send({ alertChannels: [Object.fromEntries(entry)] });
    },
  };

  /** CI tries one way for each type in turn, because all types compare the old and the new URL in the same way. */
  const waysOf = (type: string) =>
    Object.entries(WAYS).filter(
      (_way, nth, all) => isLongForm || Object.keys(EXAMPLES).indexOf(type) % all.length === nth,
    );

  it.each(Object.entries(EXAMPLES))(
    '%s: after any edit of a channel, a stored secret is never sent to another URL',
    async (type, example) => {
      const config = example.config(owner.origin);
      for (const [nth, [way, change]] of waysOf(type).entries()) {
        const { body: shown } = await as()
          .post(PATH)
          .send({ key: `mine-${nth}`, name: `c${nth}`, type, ...config });
        await change(shown, movedTo(type, config, stranger.origin));
        await alertNow(shown.id);
        const seen = JSON.stringify(stranger.received);
        const spellings = example.secrets.flatMap(spellingsOf);
        const leaked = spellings.filter((spelling) => seen.includes(spelling));
        expect({ way, leaked }).toEqual({ way, leaked: [] });
      }
    },
  );

  it.each(Object.entries(EXAMPLES))(
    '%s: a new URL requires the full values of all masked fields, and the refusal names these fields',
    async (type, example) => {
      const config = example.config(owner.origin);
      const { body: shown } = await as()
        .post(PATH)
        .send({ name: 'c', type, ...config });
      const path = `${PATH}/${shown.id}`;
      const moved = movedTo(type, config, stranger.origin);
      const { status, body } = await as()
        .patch(path)
        .send({ ...moved });
      const paths = (body.errors ?? []).map(
        (problem: { path: string }) => problem.path.split(/[.[]/)[0],
      );
      const secretFields = Object.entries(findChannel(type)?.form ?? {})
        .filter(([name, { kind }]) => /^(secret|secretList|headers)$/.test(kind) && name in config)
        .map(([name]) => name);
      expect([status, paths.toSorted()]).toEqual(
        secretFields.length === 0 ? [200, []] : [400, secretFields.toSorted()],
      );
      for (const { message } of body.errors ?? [])
        expect(message).toMatch(/give the whole value again$/);
      const whole = await as()
        .patch(path)
        .send({ ...config, ...moved });
      expect([whole.status, whole.body.errors]).toEqual([200, undefined]);
    },
  );

  it.each([
    ['another port', 'https://hooks.example.com:8443/a'],
    ['another scheme', 'http://hooks.example.com/a'],
    ['a subdomain', 'https://a.hooks.example.com/a'],
  ])('%s counts as another URL when a channel is changed', async (_, url) => {
    const headers = { Authorization: 'Bearer header-secret' };
    const hook = { name: 'c', type: 'webhook', url: 'https://hooks.example.com/a', headers };
    const { body: shown } = await as().post(PATH).send(hook);
    const { status, body } = await as().patch(`${PATH}/${shown.id}`).send({ url });
    expect([status, body.errors?.[0]?.path]).toEqual([400, 'headers.Authorization']);
  });

  it('a change of a channel keeps masked values if only the path, the name or the template changes', async () => {
    const headers = { Authorization: 'Bearer header-secret' };
    const hook = { name: 'c', type: 'webhook', url: `${owner.origin}/a`, headers };
    const { body: shown } = await as().post(PATH).send(hook);
    const change = { url: `${owner.origin}/b`, name: 'd', headers: shown.headers };
    expect((await as().patch(`${PATH}/${shown.id}`).send(change)).status).toBe(200);
    await alertNow(shown.id);
    expect(owner.received[0]).toMatchObject({
      url: '/b',
      headers: { authorization: 'Bearer header-secret' },
    });
  });

  it('a change of a channel from Jira to Opsgenie requires the API key again', async () => {
    const jira = { name: 'c', type: 'jira', apiKey: 'jira-secret', site: 'jira' };
    const { body: shown } = await as().post(PATH).send(jira);
    const { status, body } = await as().patch(`${PATH}/${shown.id}`).send({ site: 'opsgenie' });
    expect([status, body.errors?.[0]?.path]).toEqual([400, 'apiKey']);
  });
});
