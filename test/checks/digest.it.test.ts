/** Tests Digest authentication with the examples of RFC 7616, and against a server that sends challenges. */
import { createHash } from 'node:crypto';
import { readChallenges } from '../../src/checks/auth/challenges';
import { createDigest } from '../../src/checks/auth/digest';
import { buildHead } from '../../src/checks/http/response-head';
import type { Auth } from '../../src/contracts/definition';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { withStepTarget } from './support/step-target';

const PASSWORD = 'Circle of Life';
const AUTH: Auth = { type: 'digest', user: 'Mufasa', password: '{{secret:password}}' };

const { target, run } = withStepTarget({
  path: '/dir/index.html?q="1"',
  inputs: { secrets: [{ name: 'password', value: PASSWORD }] },
});

let second: RecordingTarget;
beforeAll(async () => {
  second = await startRecordingTarget((_, response) =>
    response.writeHead(401, { 'www-authenticate': challenge({}) }).end(),
  );
});
afterAll(() => second.close());

const NONCE = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v';
const OPAQUE = 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS';
const CNONCE = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';

/** Returns the challenge of a server with some fields replaced. null removes a field. */
function challenge(changes: Readonly<Record<string, string | null>>): string {
  const fields = { realm: '"http-auth@example.org"', qop: '"auth, auth-int"', nonce: `"${NONCE}"` };
  const given = Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== null);
  return `Digest ${given.map(([name, value]) => `${name}=${value}`).join(', ')}`;
}

const STATUS = { httpVersion: '1.1', status: 401 };
const refusal = (value: string) => buildHead(STATUS, [{ name: 'www-authenticate', value }]);

test.each([
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
])('the response of RFC 7616 §3.9.1 is computed with %s', (algorithm, response) => {
  const session = createDigest({ user: 'Mufasa', password: PASSWORD }, () => CNONCE);
  const url = new URL('http://www.example.org/dir/index.html');
  const request = { method: 'GET', url, headers: [], body: null } as const;
  expect(session.sign(request)).toBe(request);
  expect(session.learn(refusal(challenge({ algorithm, opaque: `"${OPAQUE}"` })))).toBe(true);
  const [header] = session.sign(request).headers;
  const [answer] = readChallenges(header?.value ?? '');
  expect(Object.fromEntries(answer?.params ?? [])).toEqual({
    username: 'Mufasa',
    realm: 'http-auth@example.org',
    uri: '/dir/index.html',
    algorithm,
    nonce: NONCE,
    nc: '00000001',
    cnonce: CNONCE,
    qop: 'auth',
    response,
    opaque: OPAQUE,
  });
});

test('several challenges in one header line are read, and unreadable challenges are skipped', () => {
  const text = `Negotiate abc==, Basic realm="a, \\"b\\"", ${challenge({ algorithm: 'MD5' })}`;
  const found = readChallenges(text).map(({ scheme, params }) => [scheme, params.get('realm')]);
  expect(found).toContainEqual(['basic', 'a, "b"']);
  expect(found).toContainEqual(['digest', 'http-auth@example.org']);
});

const hash = (name: string, text: string): string => createHash(name).update(text).digest('hex');

/**
 * Returns true if the header proves that the client knows the password. Computed independently of the code under test.
 */
function isProof(header: string, method: string, name: string): boolean {
  const field = (key: string): string =>
    new RegExp(`[ ,]${key}="?((?:[^",\\\\]|\\\\.)*)`).exec(header)?.[1]?.replaceAll('\\', '') ?? '';
  const user = hash(name, `Mufasa:${field('realm')}:${PASSWORD}`);
  const isSession = field('algorithm').endsWith('-sess');
  const key = isSession ? hash(name, `${user}:${field('nonce')}:${field('cnonce')}`) : user;
  const asked = hash(name, `${method}:${field('uri')}`);
  const middle = header.includes('qop=') ? `:${field('nc')}:${field('cnonce')}:auth` : '';
  return field('response') === hash(name, `${key}:${field('nonce')}${middle}:${asked}`);
}

test.each([
  ['sha256', { algorithm: 'SHA-256' }],
  ['sha256', { algorithm: '"SHA-256-sess"' }],
  ['md5', { algorithm: 'md5' }],
  ['md5', { algorithm: 'MD5-sess', opaque: '"a\\"b"' }],
  ['md5', { qop: null }],
  ['md5', { stale: 'FALSE' }],
])(
  'a step authenticates with the digest %s for the challenge %j, and sends its body again',
  async (name, changes) => {
    target.respond = ({ headers, method }, response) => {
      const isRight = isProof(headers.authorization ?? '', method, name);
      if (isRight) response.end();
      else response.writeHead(401, { 'www-authenticate': challenge(changes) }).end('who?');
    };
    const outcome = await run({ auth: AUTH, method: 'POST', body: { a: 1 } });
    expect(outcome).toMatchObject({ status: 'up', response: { status: 200, redirects: 0 } });
    expect(target.received.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
    expect(target.received[0]?.headers.authorization).toBeUndefined();
    expect(outcome.request?.headers).toContainEqual({ name: 'authorization', value: '***' });
    expect(JSON.stringify(outcome)).not.toContain(PASSWORD);
  },
);

test('a stale nonce of a digest challenge is replaced once by a new nonce', async () => {
  let nonces = 0;
  target.respond = ({ headers }, response) => {
    if (headers.authorization?.includes('nonce="2"')) return void response.end();
    nonces += 1;
    const stale = headers.authorization === undefined ? 'false' : 'true';
    const value = challenge({ nonce: `"${nonces}"`, stale });
    response.writeHead(401, { 'www-authenticate': value }).end();
  };
  expect(await run({ auth: AUTH })).toMatchObject({ status: 'up' });
  expect(target.received).toHaveLength(3);
  nonces = 2;
  expect(await run({ auth: AUTH })).toMatchObject({ status: 'down', response: { status: 401 } });
  expect(target.received).toHaveLength(6);
});

test.each([
  ['a wrong password', challenge({}), 2],
  ['an unknown algorithm', challenge({ algorithm: 'SHA-512-256' }), 1],
  ['an algorithm named like a member of every object', challenge({ algorithm: 'constructor' }), 1],
  ['auth-int alone', challenge({ qop: '"auth-int"' }), 1],
  ['another scheme', 'Basic realm="a"', 1],
])('a digest check ends with the 401 response after %s', async (_, value, count) => {
  target.respond = (__, response) => response.writeHead(401, { 'www-authenticate': value }).end();
  const outcome = await run({ auth: AUTH });
  expect(outcome).toMatchObject({ status: 'down', response: { status: 401 } });
  expect(target.received).toHaveLength(count);
});

test('a digest challenge from another origin is ignored', async () => {
  target.respond = (_, response) => response.writeHead(307, { location: second.origin }).end();
  expect(await run({ auth: AUTH })).toMatchObject({ response: { status: 401 } });
  expect(second.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});
