/** Tests ID tokens. An invalid token is never accepted, and an issuer that misbehaves uses little time and memory. */
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createIdentityTokens } from '../../src/platform/identity-tokens';
import {
  type CiIssuer,
  DISCOVERY_PATH,
  encodeToken,
  KEY_ID,
  KEYS_PATH,
  signToken,
  startCiIssuer,
} from '../support/ci-issuer';
import { urlOfNobody } from '../support/loopback-server';
import { makeCertificate } from '../support/make-certificate';

const AUDIENCE = 'https://keepwatch.example.com';
const NOW_MS = Date.parse('2026-01-31T12:00:00Z');
const NOW = NOW_MS / 1_000;
const clock = { now: () => NOW_MS };
const DAY = 86_400;
/**
 * Timeout of a request in milliseconds. It is long enough for a server on loopback. The test of an endless response
 * takes this long.
 */
const SHORT_MS = 50;

let issuer: CiIssuer;
/** An issuer of an attacker, which must get no request. */
let stranger: CiIssuer;

beforeAll(async () => {
  [issuer, stranger] = await Promise.all([startCiIssuer(), startCiIssuer()]);
});
afterAll(async () => {
  await issuer?.close();
  await stranger?.close();
});
beforeEach(() => {
  issuer.overrides.clear();
  issuer.asked.length = 0;
  stranger.asked.length = 0;
});

const claimsOf = (changes: object = {}) => ({
  iss: issuer.url,
  aud: AUDIENCE,
  sub: 'repo:acme/shop:ref:refs/heads/main',
  iat: NOW - 10,
  nbf: NOW - 10,
  exp: NOW + 300,
  repository: 'acme/shop',
  ...changes,
});

function read(token: string, url = issuer.url) {
  const readToken = createIdentityTokens({ clock });
  return readToken(token, { issuer: url, audience: AUDIENCE });
}

test.each<[string, object]>([
  ['as CI services create it', {}],
  ['that ended within the allowed clock difference of a minute', { exp: NOW - 59 }],
  ['that begins within that minute', { nbf: NOW + 59, iat: NOW + 59 }],
  ['valid for a day', { iat: NOW - DAY, exp: NOW + 1 }],
  ['without a start', { nbf: undefined }],
  ['whose audience is a list of only us', { aud: [AUDIENCE] }],
])('an ID token %s is read with all its claims', async (_what, changes) => {
  const reading = await read(issuer.sign(claimsOf(changes)));
  expect(reading).toMatchObject({ kind: 'claims', claims: { repository: 'acme/shop' } });
});

test.each<[string, object]>([
  ['has expired', { exp: NOW - 60 }],
  ['has no expiry', { exp: undefined }],
  ['has an expiry as text', { exp: '2099-01-01' }],
  ['is not yet valid', { nbf: NOW + 61 }],
  ['has a start as text', { nbf: 'now' }],
  ['was issued in the future', { iat: NOW + 61 }],
  ['was issued more than a day ago', { iat: NOW - DAY - 61 }],
  ['has no time of issue', { iat: undefined }],
  ['has a time of issue as text', { iat: 'now' }],
  ['has no subject', { sub: undefined }],
  ['is of another issuer', { iss: 'https://evil.example' }],
  ['is of an issuer with an additional slash', { iss: 'SLASH' }],
  ['has a list of issuers', { iss: ['LIST'] }],
  ['has no issuer', { iss: undefined }],
  ['is for another audience', { aud: 'https://other.example' }],
  ['is for an audience with our URL as a prefix', { aud: `${AUDIENCE}.evil.example` }],
  ['is for our audience with a trailing slash', { aud: `${AUDIENCE}/` }],
  ['is for us and others', { aud: [AUDIENCE, 'https://other.example'] }],
  ['is for a list of others', { aud: ['https://other.example'] }],
  ['has an object as audience', { aud: { 0: AUDIENCE, length: 1 } }],
  ['has an empty list as audience', { aud: [] }],
  ['has no audience', { aud: undefined }],
])('an ID token that %s is refused', async (_what, changes) => {
  const text = JSON.stringify(claimsOf(changes))
    .replace('"SLASH"', `"${issuer.url}/"`)
    .replace('"LIST"', `"${issuer.url}"`);
  expect(await read(issuer.sign(JSON.parse(text)))).toMatchObject({ kind: 'refused' });
});

test.each<[string, object]>([
  ['another algorithm than the one that signed it', { alg: 'RS512' }],
  ['an algorithm for another type of key', { alg: 'ES256' }],
  ['an algorithm that is not allowed', { alg: 'EdDSA' }],
  ['an unknown algorithm', { alg: 'RS1' }],
  ['an algorithm in a list', { alg: ['RS256'] }],
  ['no algorithm', { alg: undefined }],
  ['an unknown key', { kid: 'another' }],
  ['a key by number', { kid: 1 }],
  ['a critical extension', { crit: ['exp'], exp: NOW }],
  ['an unencoded payload', { crit: ['b64'], b64: false }],
])('an ID token that names %s is refused', async (_what, header) => {
  expect(await read(issuer.sign(claimsOf(), header))).toMatchObject({ kind: 'refused' });
});

const FORGERIES: Readonly<Record<string, () => string>> = {
  'signed with the algorithm none': () => `${encodeToken(claimsOf(), { alg: 'none' })}.`,
  'signed with the algorithm NONE': () => `${encodeToken(claimsOf(), { alg: 'NONE' })}.`,
  'signed with the public key as an HMAC secret': () => {
    const signed = encodeToken(claimsOf(), { alg: 'HS256' });
    const password = issuer.publicKey.export({ format: 'pem', type: 'spki' });
    return `${signed}.${createHmac('sha256', password).update(signed).digest('base64url')}`;
  },
  'signed by the key of another issuer': () => stranger.sign(claimsOf()),
  'of an issuer that is not expected': () => stranger.sign(claimsOf({ iss: stranger.url })),
  'with claims changed after signing': () => {
    const [head = '', , signature = ''] = issuer.sign(claimsOf()).split('.');
    const [, payload = ''] = encodeToken(claimsOf({ sub: 'repo:evil/shop' })).split('.');
    return `${head}.${payload}.${signature}`;
  },
  'with a truncated signature': () => issuer.sign(claimsOf()).slice(0, -100),
  'without a signature': () => `${encodeToken(claimsOf())}.`,
  'with two parts': () => encodeToken(claimsOf()),
  'with four parts': () => `${issuer.sign(claimsOf())}.x`,
  'with five parts, like an encrypted token': () => 'e30.e30.e30.e30.e30',
  'with a list as claims': () => issuer.sign([claimsOf()]),
  'with null as claims': () => issuer.sign(null),
  'with a text as claims': () => issuer.sign('words'),
  'an empty text': () => '',
  'only dots': () => '..',
  'invalid base64': () => '%%%.%%%.%%%',
  'of a megabyte': () => `${'a'.repeat(2 ** 20)}.e30.e30`,
};

test.each(Object.entries(FORGERIES))('a forged ID token is refused: %s', async (_what, forge) => {
  expect(await read(forge())).toMatchObject({ kind: 'refused' });
});

test('an ID token can neither choose where its key is looked up nor bring its own key', async () => {
  const own = stranger.publicKey.export({ format: 'jwk' });
  const keys = `${stranger.url}${KEYS_PATH}`;
  const certificate = `${stranger.url}/certificate.pem`;
  for (const header of [
    { jku: keys },
    { jku: keys, kid: 'another' },
    { x5u: certificate },
    { jwk: own },
    { jwk: own, kid: undefined },
    { x5c: ['AAAA'] },
  ]) {
    const token = signToken(claimsOf(), header, stranger.privateKey);
    expect(await read(token)).toMatchObject({ kind: 'refused' });
  }
  expect(stranger.asked).toEqual([]);
});

/** Returns a handler that responds with the text. */
const say =
  (text: string, status = 200, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(text);
const moved: RequestListener = (request, response) =>
  say('', 302, { location: `${stranger.url}${request.url}` })(request, response);
const never: RequestListener = () => undefined;
const unended: RequestListener = (_request, response) => {
  response.writeHead(200).write('{');
};
const cut: RequestListener = (request) => request.socket.destroy();
const HUGE = JSON.stringify({ keys: [], fill: 'x'.repeat(300 * 1024) });

const BROKEN: readonly (readonly [string, RequestListener])[] = [
  ['has status 403', say('{}', 403)],
  ['has status 500', say('{}', 500)],
  ['has status 204', say('', 204)],
  ['is a redirect', moved],
  ['is not JSON', say('<html>')],
  ['is empty', say('')],
  ['is a JSON list', say('[]')],
  ['lacks its required field', say('{}')],
  ['is huge', say(HUGE)],
  ['never begins', never],
  ['never ends', unended],
  ['is truncated', cut],
];
const DOCUMENTS = [
  ['description of an issuer', DISCOVERY_PATH],
  ['set of keys', KEYS_PATH],
] as const;

describe.each(DOCUMENTS)('a broken %s', (_document, path) => {
  test.each(BROKEN)(
    'an ID token is neither accepted nor refused if the response of the issuer %s',
    async (_what, respond) => {
      issuer.overrides.set(path, respond);
      const isSlow = respond === never || respond === unended;
      const readToken = createIdentityTokens({ clock, ...(isSlow && { deadlineMs: SHORT_MS }) });
      const expected = { issuer: issuer.url, audience: AUDIENCE };
      expect(await readToken(issuer.sign(claimsOf()), expected)).toMatchObject({ kind: 'away' });
      expect(stranger.asked).toEqual([]);
    },
  );
});

test.each<[string, () => object]>([
  ['another issuer', () => ({ issuer: stranger.url, jwks_uri: `${stranger.url}${KEYS_PATH}` })],
  ['no keys', () => ({ issuer: issuer.url })],
  ['keys in a file', () => ({ issuer: issuer.url, jwks_uri: 'file:///etc/passwd' })],
  ['keys in the text', () => ({ issuer: issuer.url, jwks_uri: 'data:application/json,{}' })],
])('the description of an issuer is rejected if it has %s', async (_what, document) => {
  issuer.overrides.set(DISCOVERY_PATH, say(JSON.stringify(document())));
  expect(await read(issuer.sign(claimsOf()))).toMatchObject({ kind: 'away' });
  expect(issuer.asked).toEqual([DISCOVERY_PATH]);
});

test.each<[string, () => object, 'away' | 'refused']>([
  ['no key', () => ({ keys: [] }), 'refused'],
  ['the private key', () => ({ keys: [jwkOf(issuer.privateKey)] }), 'away'],
  ['a short key', () => ({ keys: [shortKey()] }), 'refused'],
  ['a password', () => ({ keys: [{ kty: 'oct', kid: KEY_ID, k: 'c2VjcmV0' }] }), 'refused'],
  ['a key for encryption', () => ({ keys: [forEncryption()] }), 'refused'],
  ['a text instead of a key', () => ({ keys: ['words'] }), 'away'],
])('a key set with %s accepts no ID token', async (_what, keys, kind) => {
  issuer.overrides.set(KEYS_PATH, say(JSON.stringify(keys())));
  expect(await read(issuer.sign(claimsOf()))).toMatchObject({ kind });
});

const jwkOf = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }), kid: KEY_ID });
const forEncryption = () => ({ ...jwkOf(issuer.publicKey), use: 'enc' });
const shortKey = () => jwkOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey);

test('an issuer that refuses connections is reported as away', async () => {
  const url = await urlOfNobody();
  expect(await read(issuer.sign(claimsOf({ iss: url })), url)).toMatchObject({ kind: 'away' });
});

test('an issuer with an https URL needs a trusted certificate, and must serve its keys over https', async () => {
  const expiresAtMs = Date.now() + 3_600_000;
  const authority = makeCertificate(expiresAtMs, 'localhost', { isAuthority: true });
  const own = makeCertificate(expiresAtMs, 'localhost', { signer: authority.signer });
  const secure = await startCiIssuer(own);
  const token = secure.sign(claimsOf({ iss: secure.url }));
  const kindWith = async (authorities: readonly string[]) => {
    const readToken = createIdentityTokens({ clock, authorities });
    return (await readToken(token, { issuer: secure.url, audience: AUDIENCE })).kind;
  };
  expect(await kindWith([])).toBe('away');
  expect(await kindWith([authority.cert])).toBe('claims');
  const inClear = { issuer: secure.url, jwks_uri: `${issuer.url}${KEYS_PATH}` };
  secure.overrides.set(DISCOVERY_PATH, say(JSON.stringify(inClear)));
  expect(await kindWith([authority.cert])).toBe('away');
  expect(issuer.asked).toEqual([]);
  await secure.close();
});

test('the documents of an issuer are read once for any number of tokens', async () => {
  const readToken = createIdentityTokens({ clock });
  const expected = { issuer: issuer.url, audience: AUDIENCE };
  const tokens = Array.from({ length: 20 }, (_, nth) => issuer.sign(claimsOf({ nth })));
  const readings = await Promise.all(tokens.map((token) => readToken(token, expected)));
  expect(new Set(readings.map(({ kind }) => kind))).toEqual(new Set(['claims']));
  expect(issuer.asked).toEqual([DISCOVERY_PATH, KEYS_PATH]);
  for (const kid of ['a', 'b', 'c', 'd'])
    expect(await readToken(issuer.sign(claimsOf(), { kid }), expected)).toMatchObject({
      kind: 'refused',
    });
  expect(issuer.asked).toEqual([DISCOVERY_PATH, KEYS_PATH]);
});

test('an issuer that is away is asked again after five seconds, starting with its description', async () => {
  let nowMs = NOW_MS;
  const readToken = createIdentityTokens({ clock: { now: () => nowMs } });
  const expected = { issuer: issuer.url, audience: AUDIENCE };
  const kindNow = async () => (await readToken(issuer.sign(claimsOf()), expected)).kind;
  issuer.overrides.set(KEYS_PATH, say('', 503));
  expect(await kindNow()).toBe('away');
  issuer.overrides.clear();
  nowMs += 4_999;
  expect(await kindNow()).toBe('away');
  expect(issuer.asked).toEqual([DISCOVERY_PATH, KEYS_PATH]);
  nowMs += 1;
  expect(await kindNow()).toBe('claims');
  expect(issuer.asked).toEqual([DISCOVERY_PATH, KEYS_PATH, DISCOVERY_PATH, KEYS_PATH]);
});
