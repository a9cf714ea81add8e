/** Tests AWS signatures with the test vectors that AWS publishes, and with a target that verifies them. */
import { createSigV4 } from '../../src/checks/auth/sigv4';
import type { WireRequest } from '../../src/checks/http/write-request';
import type { Auth, NamedValue } from '../../src/contracts/definition';
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { withStepTarget } from './support/step-target';

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const SUITE = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: SECRET,
  sessionToken: null,
  region: 'us-east-1',
  service: 'service',
};
const SUITE_TIME = Date.UTC(2015, 7, 30, 12, 36);
const FORM = 'application/x-www-form-urlencoded';

interface Vector {
  readonly method?: WireRequest['method'];
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const namedOf = (headers: Readonly<Record<string, string>>): readonly NamedValue[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

function sign(
  { method = 'GET', url, headers = {}, body }: Vector,
  credentials: Parameters<typeof createSigV4>[0],
  atMs: number,
): string {
  const request = {
    method,
    url: new URL(url),
    headers: namedOf(headers),
    body: body === undefined ? null : Buffer.from(body),
  };
  const signed = createSigV4(credentials, () => atMs).sign(request);
  return signed.headers.find(({ name }) => name === 'authorization')?.value ?? '';
}

const HOST = 'https://example.amazonaws.com';

test.each<[string, Vector, string, string]>([
  [
    'get-vanilla',
    { url: `${HOST}/` },
    'host;x-amz-date',
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  [
    'get-vanilla-query-order-key-case',
    { url: `${HOST}/?Param2=value2&Param1=value1` },
    'host;x-amz-date',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'get-vanilla-empty-query-key',
    { url: `${HOST}/?Param1=value1` },
    'host;x-amz-date',
    'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb',
  ],
  [
    'get-vanilla-utf8-query',
    { url: `${HOST}/?\u1234=bar` },
    'host;x-amz-date',
    '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
  ],
  [
    'get-header-value-trim',
    { url: `${HOST}/`, headers: { 'My-Header1': ' value1', 'My-Header2': ' "a   b   c"' } },
    'host;my-header1;my-header2;x-amz-date',
    'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  ],
  [
    'post-vanilla',
    { method: 'POST', url: `${HOST}/` },
    'host;x-amz-date',
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'post-x-www-form-urlencoded',
    {
      method: 'POST',
      url: `${HOST}/`,
      headers: { 'Content-Type': FORM },
      body: 'Param1=value1',
    },
    'content-type;host;x-amz-date',
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
])(
  'the request %s of the AWS test suite is signed as documented',
  (_, vector, names, signature) => {
    expect(sign(vector, SUITE, SUITE_TIME)).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
    );
  },
);

const AUTH: Auth = {
  type: 'sigv4',
  accessKeyId: '{{key}}',
  secretAccessKey: '{{secret:aws}}',
  sessionToken: '{{secret:session}}',
  region: 'eu-central-1',
  service: 's3',
};
const TOKEN = 'FwoGZXIvYXdzEXAMPLE==';

const { target, run, lastReceived } = withStepTarget({
  path: "/shop/tea%20%26%20(coffee)//a%2Fb?list-type=2&prefix=a+b&Z&b='1'",
  variables: { key: 'AKIDEXAMPLE' },
  inputs: {
    secrets: [
      { name: 'aws', value: SECRET },
      { name: 'session', value: TOKEN },
    ],
  },
});

let second: RecordingTarget;
beforeAll(async () => {
  second = await startRecordingTarget((_, response) => response.end());
});
afterAll(() => second.close());

/** Parses a time such as `20150830T123600Z`. */
function readTime(text: string): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  const [year = 0, month = 1, ...rest] = parts.map(Number);
  return Date.UTC(year, month - 1, ...rest);
}

test('the request is sent exactly as signed: host, path, query, body and session token', async () => {
  const outcome = await run({ auth: AUTH, method: 'POST', body: { a: 1 } });
  expect(outcome.status).toBe('up');
  const { url, headers, body } = lastReceived();
  const at = readTime(String(headers['x-amz-date']));
  const vector = {
    method: 'POST' as const,
    url: `http://${headers.host}${url}`,
    headers: { 'content-type': headers['content-type'] ?? '' },
    body,
  };
  const credentials = { ...SUITE, sessionToken: TOKEN, region: 'eu-central-1', service: 's3' };
  expect(headers.authorization).toBe(sign(vector, credentials, at));
  expect(headers).toMatchObject({ 'x-amz-security-token': TOKEN });
  expect(headers['x-amz-content-sha256']).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(outcome)).not.toContain(SECRET);
  expect(JSON.stringify(outcome)).not.toContain(TOKEN);
});

test('a redirect to the same origin is signed again, and a redirect to another origin is not signed', async () => {
  target.respond = ({ url }, response) => {
    const location = url === '/next' ? second.origin : '/next';
    response.writeHead(307, { location }).end();
  };
  const outcome = await run({ auth: AUTH });
  expect(outcome).toMatchObject({ status: 'up', response: { redirects: 2 } });
  const [first, next] = target.received.map(({ headers }) => headers.authorization);
  expect(next).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\//);
  expect(next).not.toBe(first);
  const [there] = second.received;
  expect(there?.headers.authorization).toBeUndefined();
  expect(there?.headers).not.toHaveProperty('x-amz-security-token');
});

test('credentials with a line break, which no header can contain, are not sent', async () => {
  const outcome = await run({ auth: AUTH }, { vars: [{ name: 'key', value: 'two\nlines' }] });
  expect(outcome).toMatchObject({ status: 'down', failure: { code: 'template_error' } });
  expect(target.received).toEqual([]);
});
