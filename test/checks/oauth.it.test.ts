/** Tests what `auth` of type oauth2 sends to which server, with a provider and a target on loopback. */
import type { Auth } from '../../src/contracts/definition';
import { createPendingHealth, nextHealth } from '../../src/domain/health/health';
import { spellingsOf } from '../support/echo-forms';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { withStepTarget } from './support/step-target';
import {
  sendJson,
  startTokenProvider,
  type TokenProvider,
  tokenNumber,
} from './support/token-provider';

const SECRET = 'cl13nt/s3cr3t+&';
const PASSWORD = 'p4ss w0rd';
const secrets = [
  { name: 'client', value: SECRET },
  { name: 'password', value: PASSWORD },
];

const { target, run, lastReceived } = withStepTarget({ inputs: { secrets } });

let provider: TokenProvider;
let second: RecordingTarget;
beforeAll(async () => {
  provider = await startTokenProvider();
  second = await startRecordingTarget((_, response) => response.end());
});
afterAll(() => Promise.all([provider.close(), second.close()]));
beforeEach(() => {
  provider.reset();
  second.received.length = 0;
  account += 1;
});

/** Number of the current account. Each test has another account, so that it has its own tokens. */
let account = 0;
const inputs = () => ({ accountId: `acc_${account}` });

type OAuth = Extract<Auth, { readonly type: 'oauth2' }>;

function oauth(changes: Partial<OAuth> = {}): OAuth {
  return {
    type: 'oauth2',
    grant: 'clientCredentials',
    tokenUrl: provider.tokenUrl,
    clientId: 'shop:eu',
    clientSecret: '{{secret:client}}',
    sendAs: 'header',
    ...changes,
  };
}

const bearers = () => target.received.map(({ headers }) => headers.authorization);
const basicOf = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

test('an OAuth token is fetched once and sent with each request', async () => {
  expect(await run({ auth: oauth() }, inputs())).toMatchObject({ status: 'up' });
  expect(await run({ auth: oauth() }, inputs())).toMatchObject({ status: 'up' });
  expect(bearers()).toEqual([1, 1].map((count) => `Bearer ${tokenNumber(count)}`));
  const [sent] = provider.received;
  expect(provider.received).toHaveLength(1);
  expect(sent).toMatchObject({ method: 'POST', body: 'grant_type=client_credentials' });
  expect(sent?.headers).toMatchObject({
    authorization: basicOf('shop%3Aeu:cl13nt%2Fs3cr3t%2B%26'),
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  });
});

test('an OAuth token request may contain client, user, scope, audience and other parameters', async () => {
  const auth = oauth({
    grant: 'password',
    user: '{{$region}}',
    password: '{{secret:password}}',
    scope: 'read write',
    audience: 'https://api.example',
    sendAs: 'body',
    extra: { resource: 'urn:shop', tenant: '{{tenant}}' },
  });
  const vars = [{ name: 'tenant', value: 'a&b' }];
  expect(await run({ auth }, { ...inputs(), vars })).toMatchObject({ status: 'up' });
  const [sent] = provider.received;
  expect(sent?.headers.authorization).toBeUndefined();
  expect(Object.fromEntries(new URLSearchParams(sent?.body))).toEqual({
    grant_type: 'password',
    username: 'eu-west',
    password: PASSWORD,
    scope: 'read write',
    audience: 'https://api.example',
    client_id: 'shop:eu',
    client_secret: SECRET,
    resource: 'urn:shop',
    tenant: 'a&b',
  });
});

test('an OAuth token that the target refuses is replaced once, without counting as a retry', async () => {
  target.respond = ({ headers }, response) =>
    response.writeHead(headers.authorization?.endsWith(tokenNumber(1)) ? 401 : 200).end();
  const outcome = await run({ auth: oauth(), method: 'POST', body: { a: 1 } }, inputs());
  expect(outcome).toMatchObject({ status: 'up', attempts: [{ status: 200 }] });
  expect(bearers()).toEqual([1, 2].map((count) => `Bearer ${tokenNumber(count)}`));
});

test('a check whose target refuses every token fetches one new token, and is then down', async () => {
  target.respond = (_, response) => response.writeHead(401).end();
  const outcome = await run({ auth: oauth(), retries: 1 }, inputs());
  expect(outcome).toMatchObject({ status: 'down', attempts: [{ status: 401 }, { status: 401 }] });
  expect(provider.received).toHaveLength(2);
  expect(target.received).toHaveLength(3);
});

test('a check whose token provider is away sends nothing and is unknown, not down', async () => {
  provider.respond = (_, response) => sendJson(response, 503, { error: 'server_error' });
  const rule = { quorum: 1, failuresBeforeDown: 1, successesBeforeUp: 1 };
  const observe = (status: 'up' | 'unknown' | 'down' | 'degraded', atMs: number) => ({
    atMs,
    observations: [{ region: 'eu-west', status, responseTimeMs: null }],
  });
  let health = nextHealth(createPendingHealth(0), observe('up', 0), rule);
  // Twenty slots are ten minutes at an interval of 30 s.
  for (let slot = 1; slot <= 20; slot += 1) {
    const outcome = await run({ auth: oauth(), retries: 1 }, inputs());
    expect(outcome).toMatchObject({
      status: 'unknown',
      failure: { code: 'auth_failed', phase: 'prepare' },
      attempts: [],
      request: null,
      signInFault: {
        tokenUrl: provider.tokenUrl,
        problem: 'unavailable',
        reason: '503 (server_error)',
      },
    });
    health = nextHealth(health, observe(outcome.status, slot * 30_000), rule);
    expect(health).toMatchObject({ health: 'unknown', lastKnown: 'up', failures: 0 });
  }
  expect(target.received).toEqual([]);
  expect(provider.received).toHaveLength(20);
});

test('a token URL that contains a secret is not named as a provider', async () => {
  provider.respond = (_, response) => sendJson(response, 503, {});
  const vars = [{ name: 'tenant', value: SECRET }];
  const auth = oauth({ tokenUrl: `${provider.origin}/{{tenant}}/token` });
  const outcome = await run({ auth }, { ...inputs(), vars });
  expect(outcome).toMatchObject({ status: 'unknown', failure: { code: 'auth_failed' } });
  expect(outcome.signInFault).toBeUndefined();
});

test('OAuth credentials are sent only to the token URL', async () => {
  const toProvider = secrets.map((secret) => ({ ...secret, hosts: [provider.origin] }));
  const toTarget = secrets.map((secret) => ({ ...secret, hosts: [target.origin] }));
  const auth = oauth();
  expect(await run({ auth }, { ...inputs(), secrets: toProvider })).toMatchObject({ status: 'up' });
  const refused = { status: 'unknown', failure: { code: 'secret_missing' } };
  expect(await run({ auth }, { ...inputs(), secrets: toTarget })).toMatchObject(refused);
  const vars = [{ name: 'where', value: second.origin }];
  expect(await run({ auth, url: '{{where}}' }, { ...inputs(), vars })).toMatchObject(refused);
  const moved = oauth({ tokenUrl: '{{where}}/token' });
  expect(await run({ auth: moved }, { ...inputs(), vars })).toMatchObject(refused);
  expect(second.received).toEqual([]);
  expect(provider.received).toHaveLength(1);
});

test('an OAuth token follows a redirect on the same origin, but not to another origin', async () => {
  target.respond = ({ url }, response) => {
    const location = url === '/' ? '/next' : second.origin;
    response.writeHead(307, { location }).end();
  };
  expect(await run({ auth: oauth() }, inputs())).toMatchObject({ response: { redirects: 2 } });
  expect(bearers()).toEqual([1, 1].map((count) => `Bearer ${tokenNumber(count)}`));
  expect(second.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test('nothing is sent to a public token URL over http, even if a variable leads there', async () => {
  const auth = oauth({ tokenUrl: 'http://{{host}}/token' });
  const vars = [{ name: 'host', value: 'idp.example.com' }];
  const outcome = await run({ auth }, { ...inputs(), vars });
  expect(outcome).toMatchObject({ status: 'unknown', failure: { code: 'auth_failed' } });
  expect(outcome.failure?.message).toContain('must be https');
});

test('no outcome contains a token, client secret or password, for any response of the server', async () => {
  const auth = oauth({ grant: 'password', user: 'ada', password: '{{secret:password}}' });
  target.respond = ({ headers }, response) => {
    const sent = `${headers.authorization} ${SECRET} ${PASSWORD}`;
    response.setHeader('X-Echo', sent);
    response.end(sent);
  };
  const fails = { operator: 'equals', value: 299, severity: 'fail' } as const;
  const outcome = await run(
    {
      auth,
      assertions: [
        { ...fails, type: 'status' },
        { ...fails, type: 'body' },
        { ...fails, type: 'header', name: 'x-echo' },
      ],
      extract: [{ variable: 'found', from: 'header', name: 'x-echo' }],
    },
    inputs(),
  );
  expect(outcome).toMatchObject({ status: 'down', failure: { code: 'assertion_failed' } });
  expect(lastReceived().headers.authorization).toBe(`Bearer ${tokenNumber(1)}`);
  const known = JSON.stringify(outcome);
  const hidden = [tokenNumber(1), SECRET, PASSWORD].flatMap(spellingsOf);
  expect(hidden.filter((form) => known.includes(form))).toEqual([]);
});
