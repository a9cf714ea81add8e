/**
 * Where the secrets of an alert channel go when somebody changes the channel who does not know them:
 * each type, each way to change it, seen at the socket of the old and of the new address.
 *
 * Covers:
 * - services/alerting/channel-config
 */
import { createPost } from '../../../src/checks/post';
import { findChannel } from '../../../src/notify/channels/registry';
import { createSender } from '../../../src/notify/sender';
import { systemClock as clock } from '../../../src/platform/clock';
import { openConfig } from '../../../src/services/alerting/alert-destinations';
import { createTextPool } from '../../../src/text/text-pool';
import { EXAMPLES } from '../../notify/channel-examples';
import { buildAlert } from '../../support/alert-message';
import { spellingsOf } from '../../support/echo-forms';
import { type RecordingTarget, startRecordingTarget } from '../../support/recording-target';
import { accountOfEach, agentOf, suiteService } from '../test-service';

const PATH = '/v1/alert-channels';
const service = suiteService();
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
const { run: runTexts, close: closeTexts } = createTextPool();
const send = createSender({
  post,
  mail: noMail,
  publicUrl: 'http://keepwatch.test',
  clock,
  runTexts,
});

/** What a failure would send now, by the channel as it is stored. */
async function alertNow(id: string): Promise<void> {
  const stored = await service.services.stores.alertChannels.find(account.id, id);
  if (stored === null) throw new Error('the channel is gone');
  const { config, signingSecret } = openConfig(service.services.sealers.stored, stored);
  const address = { type: stored.type, config, signingSecret: signingSecret ?? '' };
  const alert = buildAlert({ id: 'alert', resourceName: 'Shop' });
  await send({ id: 'alr_1', alert, address, template: null, secrets: [] });
}

/** The fields of a type that hold an address, with another one. */
function movedTo(type: string, config: object, server: string): Record<string, string> {
  const addresses = Object.entries(findChannel(type)?.form ?? {}).filter(
    ([name, { kind }]) => (kind === 'url' || kind === 'secretUrl') && name in config,
  );
  return Object.fromEntries(addresses.map(([name]) => [name, `${server}/moved`]));
}

type Way = (shown: Readonly<Record<string, string>>, moved: object) => Promise<unknown>;

/** Each ends in one request that was answered. */
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

const cases = Object.entries(EXAMPLES).flatMap(([type, example]) =>
  Object.keys(WAYS).map((way) => [type, way, example] as const),
);

it.each(cases)('%s: %s brings no stored secret to another address', async (type, way, example) => {
  const config = example.config(owner.origin);
  const { body: shown } = await as()
    .post(PATH)
    .send({ key: 'mine', name: 'c', type, ...config });
  await WAYS[way]?.(shown, movedTo(type, config, stranger.origin));
  await alertNow(shown.id);
  const seen = JSON.stringify(stranger.received);
  const spellings = example.secrets.flatMap(spellingsOf);
  expect(spellings.filter((spelling) => seen.includes(spelling))).toEqual([]);
});

it.each(Object.entries(EXAMPLES))(
  '%s: names each masked value that another address needs again, and takes it',
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
  ['a host below', 'https://a.hooks.example.com/a'],
])('takes %s for another address', async (_, url) => {
  const headers = { Authorization: 'Bearer header-secret' };
  const hook = { name: 'c', type: 'webhook', url: 'https://hooks.example.com/a', headers };
  const { body: shown } = await as().post(PATH).send(hook);
  const { status, body } = await as().patch(`${PATH}/${shown.id}`).send({ url });
  expect([status, body.errors?.[0]?.path]).toEqual([400, 'headers.Authorization']);
});

it('keeps masked values where only the path, the name or the template changes', async () => {
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

it('asks again when Jira is exchanged for Opsgenie, which is another host', async () => {
  const jira = { name: 'c', type: 'jira', apiKey: 'jira-secret', site: 'jira' };
  const { body: shown } = await as().post(PATH).send(jira);
  const { status, body } = await as().patch(`${PATH}/${shown.id}`).send({ site: 'opsgenie' });
  expect([status, body.errors?.[0]?.path]).toEqual([400, 'apiKey']);
});
