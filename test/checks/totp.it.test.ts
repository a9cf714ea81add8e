/** Tests one-time passwords: the values of RFC 6238, and what is sent and stored. */
import { createCode, listCodes } from '../../src/checks/auth/totp';
import { findReferences } from '../../src/domain/templates/template';
import { withStepTarget } from './support/step-target';

/** Keys from the RFC: the ASCII text `1234567890...` in Base32, as long as each algorithm requires. */
const KEYS = {
  SHA1: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  SHA256: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA',
  SHA512:
    'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA',
} as const;

const urlOf = (algorithm: keyof typeof KEYS, more = '&digits=8'): string =>
  `otpauth://totp/Shop:ada?secret=${KEYS[algorithm]}&algorithm=${algorithm}${more}`;

test.each([
  ['SHA1', 59, '94287082'],
  ['SHA256', 59, '46119246'],
  ['SHA512', 59, '90693936'],
  ['SHA1', 1_111_111_109, '07081804'],
  ['SHA256', 1_111_111_109, '68084774'],
  ['SHA512', 1_111_111_109, '25091201'],
  ['SHA1', 1_234_567_890, '89005924'],
  ['SHA1', 20_000_000_000, '65353130'],
  ['SHA512', 20_000_000_000, '47863826'],
] as const)(
  'the one-time code with %s at %i s is %s, as in RFC 6238',
  (algorithm, seconds, code) => {
    expect(createCode(urlOf(algorithm), seconds * 1_000)).toBe(code);
  },
);

test('a base32 key gives a one-time code of six digits, even with spaces between groups and in any letter case', () => {
  expect(createCode(KEYS.SHA1, 59_000)).toBe('287082');
  expect(createCode('gezd gnbv-gy3t qojq gezd gnbv gy3t qojq==', 59_000)).toBe('287082');
  expect(createCode(urlOf('SHA1', '&period=60'), 119_999)).toBe('287082');
  expect(listCodes(KEYS.SHA1, 89_000)).toEqual([createCode(KEYS.SHA1, 60_000), '287082']);
});

test.each([
  '',
  'a',
  'no key!',
  '12345678',
  'otpauth://hotp/a?secret=GEZDGNBV',
  urlOf('SHA1', '&digits=5'),
])('%j is refused as the key of one-time codes', (text) => {
  expect(createCode(text, 0)).toBeNull();
  expect(listCodes(text, 0)).toEqual([]);
});

test('a reference to a one-time code counts as a reference to the secret that contains the key of the code', () => {
  expect(findReferences('a {{ $totp:login.key-1 }}')).toMatchObject([
    { kind: 'secret', name: 'login.key-1', isCode: true },
  ]);
  expect(findReferences('{{$totp:}} {{$totp}}')).toMatchObject([
    { kind: 'malformed' },
    { kind: 'malformed' },
  ]);
});

const { target, run, lastReceived } = withStepTarget({
  step: { method: 'POST' },
  inputs: { secrets: [{ name: 'key', value: KEYS.SHA1 }] },
});

afterEach(() => jest.restoreAllMocks());

test('the current one-time code is sent and masked like a secret', async () => {
  target.respond = ({ body, headers }, response) =>
    response.end([body, headers['x-code'], headers.authorization].join(' '));
  jest.spyOn(Date, 'now').mockReturnValue(59_000);
  const outcome = await run({
    body: { otp: '{{$totp:key}}' },
    headers: [{ name: 'X-Code', value: '{{$totp:key}}' }],
    auth: { type: 'basic', user: 'ada', password: '{{$totp:key}}' },
  });
  const { body, headers } = lastReceived();
  const { otp } = JSON.parse(body);
  expect(otp).toBe('287082');
  expect(headers['x-code']).toBe('287082');
  expect(headers.authorization).toMatch(/^Basic /);
  expect(outcome.status).toBe('up');
  const known = JSON.stringify({ ...outcome, startedAt: '', finishedAt: '', attempts: [] });
  expect(known).toContain('***');
  expect(known).not.toContain(otp);
  expect(known).not.toContain(headers['x-code']);
});

test('with an invalid or missing one-time code key, nothing is sent, and the outcome is unknown rather than down', async () => {
  const secrets = [{ name: 'key', value: 'no key!' }];
  const outcome = await run({ body: '{{$totp:key}}' }, { secrets });
  expect(outcome).toMatchObject({ status: 'unknown', failure: { code: 'secret_invalid' } });
  expect(outcome.failure?.message).not.toContain('no key!');
  const missing = await run({ body: '{{$totp:key}}' }, { secrets: [] });
  expect(missing).toMatchObject({ status: 'unknown', failure: { code: 'secret_missing' } });
  const elsewhere = [{ name: 'key', value: KEYS.SHA1, hosts: ['elsewhere.example'] }];
  const kept = await run({ body: '{{$totp:key}}' }, { secrets: elsewhere });
  expect(kept).toMatchObject({ status: 'unknown', failure: { code: 'secret_missing' } });
  expect(target.received).toEqual([]);
});

test('a one-time code in a URL is refused like a secret', async () => {
  const outcome = await run({ url: `${target.origin}/?otp={{$totp:key}}` });
  expect(outcome.failure).toMatchObject({ code: 'template_error' });
  expect(target.received).toEqual([]);
});
