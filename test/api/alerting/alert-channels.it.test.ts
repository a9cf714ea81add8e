/**
 * Alert channels of every type over /v1: made, shown masked, changed, tried, and named as fallbacks.
 *
 * Covers:
 * - services/alerting/channel-fallback
 * - services/alerting/alert-channels
 * - services/alerting/try-alert-channel
 * - services/alerting/save-alert-channel
 * - services/alerting/refuse-template
 */
import type request from 'supertest';
import { CHANNELS } from '../../../src/notify/channels/registry';
import { openConfig } from '../../../src/services/alerting/alert-destinations';
import { EXAMPLES } from '../../notify/channel-examples';
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
  'a channel of type %s is made, never shows its secrets, and stays what it is when its answer is sent back',
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
    for (const field of ['id', 'version', 'createdAt', 'updatedAt']) delete copy[field];
    const refused = await errorsOf(as().post(PATH).send(copy));
    expect(refused[0]?.[1]).toMatch(/is masked/);
  },
);

it('makes the very first channel of an account a default, and later ones only when asked', async () => {
  const emails = ['a@example.com'];
  expect(await create({ name: 'first', type: 'email', emails })).toMatchObject({ isDefault: true });
  expect(await create(slack('chat'))).toMatchObject({ isDefault: false });
  const hook = { name: 'pager', type: 'webhook', url: 'https://pager.example.com/' };
  expect(await create(hook)).toMatchObject({ isDefault: false });
  expect(await create({ ...hook, isDefault: true })).toMatchObject({ isDefault: true });
});

it('makes one default of a set of files at most, unless they ask for more', async () => {
  const set = { alertChannels: [slack('one'), slack('two'), slack('three')] };
  expect((await as().post('/v1/apply').send(set)).status).toBe(200);
  const { alertChannels } = (await as().get('/v1/export')).body;
  const defaults = alertChannels.filter((one: { isDefault: boolean }) => one.isDefault);
  expect(defaults).toEqual([expect.objectContaining({ key: 'one' })]);
});

it('describes every type and its fields for a form', async () => {
  const { body } = await as().get(`${PATH}/types`);
  expect(body.data.map(({ type }: { type: string }) => type)).toEqual(
    CHANNELS.map(({ type }) => type),
  );
  const [telegram] = body.data.filter(({ type }: { type: string }) => type === 'telegram');
  expect(telegram.fields).toContainEqual(
    expect.objectContaining({ name: 'botToken', kind: 'secret', isRequired: true }),
  );
});

it('refuses a template that cannot be read with line and column, and a name that no alert has', async () => {
  const refusal = (template: object) => errorsOf(as().post(PATH).send(slack('c', { template })));
  expect(await refusal({ text: 'down\n{{ headline | shout }}' })).toEqual([
    ['template.text', expect.stringContaining('undefined filter: shout (line 2, column 1)')],
  ]);
  expect(await refusal({ text: '{{ resource.nmae }}' })).toEqual([
    ['template.text', 'names resource.nmae, which no alert has'],
  ]);
  expect(await refusal({ text: '{% include "secrets" %}' })).toHaveLength(1);
  const hook = { name: 'h', type: 'webhook', url: 'https://example.com/', template: '{% if %}' };
  expect((await errorsOf(as().post(PATH).send(hook)))[0]?.[0]).toBe('template');
});

it('previews a template, with what it puts in escaped, and says when our own words would be sent', async () => {
  const text = '<!here> {{ resource.name }} {% if kind == "recovery" %}is back{% endif %}';
  const preview = (body: object) => as().post(`${PATH}/preview`).send(body);
  expect((await preview({ type: 'slack', template: { text }, kind: 'recovery' })).body).toEqual({
    title: expect.any(String),
    text: '<!here> Check-out is back',
    fault: null,
  });
  const broken = await preview({ type: 'webhook', template: '{"a": {{ headline }} }' });
  expect(broken.body.fault).toBe('gives no valid JSON');
  expect(await errorsOf(preview({ type: 'webhook', template: '{{ a' }))).toEqual([
    ['template', expect.stringMatching(/line 1, column 1/)],
  ]);
  const { id } = await create(slack('mine', { template: { text: 'mine: {{ headline }}' } }));
  const own = await as().post(`${PATH}/${id}/preview`);
  expect(own.body.text).toBe('mine: Check-out is down');
});

it('gives a webhook another signing secret, in that one response, and no other type', async () => {
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

it('refuses a template that takes too long, and goes on at once', async () => {
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

it('takes secrets of the account in headers and tokens, and no other reference', async () => {
  const hook = { name: 'h', type: 'webhook', url: 'https://example.com/' };
  const made = await create({ ...hook, headers: { Authorization: 'Bearer {{secret:pager}}' } });
  expect(made['headers']).toEqual({ Authorization: 'Bearer {{secret:pager}}' });
  const wrong = { ...hook, headers: { Authorization: '{{token}}', Host: 'x', 'A B': 'c' } };
  expect(await errorsOf(as().post(PATH).send(wrong))).toEqual([
    ['headers.Host', 'is a header that the service sets'],
    ['headers.A B', 'is not the name of a header'],
  ]);
  const named = { ...hook, headers: { Authorization: '{{token}}' } };
  expect(await errorsOf(as().post(PATH).send(named))).toEqual([
    ['headers.Authorization', 'may hold {{secret:name}}, and no other reference'],
  ]);
});

it('names a fallback by key or id, refuses rings and strangers, and leaves out one that is gone', async () => {
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

it('applies and exports fallbacks by key, whichever channel stands first', async () => {
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
