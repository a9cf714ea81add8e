/** Tests how often a token is fetched, how long it is cached, and what is reported about a provider that fails. */
import {
  createTokenSource,
  type TokenRequest,
  type TokenSource,
} from '../../src/checks/auth/token-source';
import type { WireRequest } from '../../src/checks/http/write-request';
import { createStepTools, type StepTools } from '../../src/checks/step-runner';
import { urlOfNobody } from '../support/loopback-server';
import {
  sendJson,
  startTokenProvider,
  type TokenProvider,
  tokenNumber,
} from './support/token-provider';

const WAIT_MS = 10_000;

let provider: TokenProvider;
let tools: StepTools;
let tokens: TokenSource;
let nowMs = 0;

beforeAll(async () => {
  provider = await startTokenProvider();
  tools = createStepTools({ allowedPrivateTargets: ['127.0.0.0/8'] });
});
afterAll(() => Promise.all([provider.close(), tools.pool.close()]));
beforeEach(() => {
  provider.reset();
  nowMs = 0;
  tokens = createTokenSource(tools.connection, () => nowMs);
});

function wanted(body = 'grant_type=client_credentials', accountId = 'acc_1'): TokenRequest {
  const request: WireRequest = {
    method: 'POST',
    url: new URL(provider.tokenUrl),
    headers: [{ name: 'authorization', value: 'Basic c2hvcDpzM2NyM3Q=' }],
    body: Buffer.from(body),
  };
  return { accountId, request };
}

function giveBody(body: object): void {
  provider.respond = (_, response) => sendJson(response, 200, body);
}

test('an OAuth token that lasts 30 seconds is used only for the first 24 seconds', async () => {
  expect(await tokens.get(wanted(), WAIT_MS)).toBe(tokenNumber(1));
  nowMs = 23_999;
  expect(await tokens.get(wanted(), WAIT_MS)).toBe(tokenNumber(1));
  nowMs = 24_000;
  expect(await tokens.get(wanted(), WAIT_MS)).toBe(tokenNumber(2));
});

test.each([
  [{ expires_in: '100' }, 80_000],
  [{ expires_in: 1e9 }, 0.8 * 24 * 3_600_000],
  [{}, 240_000],
  [{ expires_in: 0 }, 240_000],
  [{ expires_in: 'soon' }, 240_000],
])('with the token response %j, an OAuth token is used for %i ms', async (life, usedMs) => {
  giveBody({ access_token: 'a-token', ...life });
  await tokens.get(wanted(), WAIT_MS);
  nowMs = usedMs - 1;
  await tokens.get(wanted(), WAIT_MS);
  expect(provider.received).toHaveLength(1);
  nowMs = usedMs;
  await tokens.get(wanted(), WAIT_MS);
  expect(provider.received).toHaveLength(2);
});

test('forty checks that need a token at the same time share one fetch, even if it fails', async () => {
  const forty = () => Array.from({ length: 40 }, () => tokens.get(wanted(), WAIT_MS));
  expect(new Set(await Promise.all(forty()))).toEqual(new Set([tokenNumber(1)]));
  expect(provider.received).toHaveLength(1);
  nowMs = 60_000;
  provider.respond = (_, response) => sendJson(response, 503, {});
  const failed = await Promise.allSettled(forty());
  expect(failed.every(({ status }) => status === 'rejected')).toBe(true);
  expect(provider.received).toHaveLength(2);
});

test('each account and each set of credentials has its own OAuth token', async () => {
  const all = [wanted(), wanted('grant_type=password'), wanted(undefined, 'acc_2'), wanted()];
  const got: string[] = [];
  for (const one of all) got.push(await tokens.get(one, WAIT_MS));
  expect(got).toEqual([1, 2, 3, 1].map(tokenNumber));
});

test('the steps of a run share one new token after a wait of two days', async () => {
  await tokens.get(wanted(), WAIT_MS);
  nowMs = 2 * 24 * 3_600_000;
  const later = [await tokens.get(wanted(), WAIT_MS), await tokens.get(wanted(), WAIT_MS)];
  expect(later).toEqual([tokenNumber(2), tokenNumber(2)]);
  expect(provider.received).toHaveLength(2);
});

test('a refused token is removed from the cache, but a newer token stays', async () => {
  const first = await tokens.get(wanted(), WAIT_MS);
  tokens.forget(wanted(), first);
  const second = await tokens.get(wanted(), WAIT_MS);
  tokens.forget(wanted(), first);
  expect(second).toBe(tokenNumber(2));
  expect(await tokens.get(wanted(), WAIT_MS)).toBe(second);
});

test.each<[string, number, object, string]>([
  ['refuses the client', 401, { error: 'invalid_client' }, 'the status 401 (invalid_client).'],
  ['repeats the credentials', 400, { error: 's3cr3t', error_description: 's3cr3t' }, 'status 400.'],
  ['redirects', 302, {}, 'the status 302.'],
  ['returns no token', 200, { token: 'a' }, 'without an access_token.'],
  ['returns a token with a line break', 200, { access_token: 'a\nb' }, 'without an access_token.'],
  [
    'returns a token of another type',
    200,
    { access_token: 'a', token_type: 'mac' },
    'is not a bearer token.',
  ],
  ['returns a list', 200, [], 'without an access_token.'],
])(
  'a provider that %s gives no token, and the next check asks again',
  async (_, status, body, words) => {
    provider.respond = (__, response) => {
      response.setHeader('location', 'https://elsewhere.example/');
      sendJson(response, status, body);
    };
    const refusal = {
      failure: { code: 'auth_failed', message: expect.stringContaining(words), phase: 'prepare' },
    };
    await expect(tokens.get(wanted(), WAIT_MS)).rejects.toMatchObject(refusal);
    await expect(tokens.get(wanted(), WAIT_MS)).rejects.toMatchObject(refusal);
    expect(provider.received).toHaveLength(2);
    await expect(tokens.get(wanted(), WAIT_MS)).rejects.not.toMatchObject({
      failure: { message: expect.stringContaining('s3cr3t') },
    });
  },
);

test('if a token provider is away or blocked by the target guard, the failure names the reason', async () => {
  const { request, accountId } = wanted();
  const gone = { accountId, request: { ...request, url: new URL(await urlOfNobody()) } };
  await expect(tokens.get(gone, WAIT_MS)).rejects.toMatchObject({
    failure: { code: 'auth_failed', message: expect.stringContaining('Connection refused') },
    fault: { problem: 'unavailable', reason: expect.stringContaining('Connection refused') },
  });
  const closed = createStepTools({ allowedPrivateTargets: [] });
  await expect(closed.tokens.get(wanted(), WAIT_MS)).rejects.toMatchObject({
    failure: { code: 'auth_failed', message: expect.stringContaining('Private addresses') },
  });
  // The guard refused the address, so nothing is known about the provider and no fault is reported.
  await expect(closed.tokens.get(wanted(), WAIT_MS)).rejects.not.toHaveProperty('fault');
  await closed.pool.close();
  expect(provider.received).toEqual([]);
});

test.each<[string, number, object, 'unavailable' | 'refused', string]>([
  ['refuses the client', 401, { error: 'invalid_client' }, 'refused', '401 (invalid_client)'],
  ['refuses the user', 400, { error: 'invalid_grant' }, 'refused', '400 (invalid_grant)'],
  ['forbids it', 403, {}, 'refused', '403'],
  ['has an error of its own', 400, { error: 'server_error' }, 'unavailable', '400 (server_error)'],
  ['breaks', 503, {}, 'unavailable', '503'],
  ['gets too many requests', 429, {}, 'unavailable', '429'],
  ['is not there', 404, {}, 'unavailable', '404'],
  ['is unreadable', 200, [], 'unavailable', 'no access_token in the response'],
])(
  "the failure of a provider that %s has a short reason and the provider's URL without the query",
  async (...row) => {
    const [, status, body, problem, reason] = row;
    provider.respond = (_, response) => sendJson(response, status, body);
    const { request, accountId } = wanted();
    const url = new URL('?tenant=a', request.url);
    await expect(
      tokens.get({ accountId, request: { ...request, url } }, WAIT_MS),
    ).rejects.toMatchObject({ fault: { tokenUrl: provider.tokenUrl, problem, reason } });
  },
);

test('fetching an OAuth token continues for later callers after one caller has given up', async () => {
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    provider.respond = (_, response) => {
      answer = () => sendJson(response, 200, { access_token: 'late-token' });
      resolve();
    };
  });
  const first = tokens.get(wanted(), 2_000);
  await asked;
  await expect(first).rejects.toMatchObject({
    failure: { message: expect.stringMatching(/did not respond within 2 s\.$/) },
  });
  const second = tokens.get(wanted(), WAIT_MS);
  answer();
  expect(await second).toBe('late-token');
  expect(provider.received).toHaveLength(1);
});
