/** Tests one-time codes of authenticator apps. */
import { randomBytes } from 'node:crypto';
import {
  createCodeSecret,
  findCodeStep,
  formatCodeUri,
} from '../../../src/platform/sign-in/one-time-codes';

/** The secret of RFC 6238, appendix B: "12345678901234567890". */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const AT_MS = 59_000;
const CODE = '287082';

test('the one-time code of the example in RFC 6238 is accepted at its time, and its time step is returned', () => {
  expect(findCodeStep(SECRET, CODE, AT_MS)).toBe(1);
});

test('a one-time code is accepted one time step early and one time step late, and its step is returned', () => {
  expect(findCodeStep(SECRET, CODE, AT_MS - 30_000)).toBe(1);
  expect(findCodeStep(SECRET, CODE, AT_MS + 30_000)).toBe(1);
});

test('a one-time code is refused two time steps late', () => {
  expect(findCodeStep(SECRET, CODE, AT_MS + 60_000)).toBeNull();
});

test.each(['', '287083', '28708', '2870820', ' 287082', '28708２', 'abcdef'])(
  'the text %p is refused as a one-time code',
  (code) => {
    expect(findCodeStep(SECRET, code, AT_MS)).toBeNull();
  },
);

test('secrets of one-time codes have 160 bits, and authenticator apps understand their URI', () => {
  const secret = createCodeSecret(randomBytes);
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(createCodeSecret(randomBytes)).not.toBe(secret);
  const uri = new URL(formatCodeUri(secret, 'ann@example.com'));
  expect(uri.protocol).toBe('otpauth:');
  expect(decodeURIComponent(uri.pathname)).toContain('Keepwatch:ann@example.com');
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret,
    issuer: 'Keepwatch',
    digits: '6',
    period: '30',
  });
});
