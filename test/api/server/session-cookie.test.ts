/** Tests the session cookie that browsers store, and how the service recognises it. */
import {
  buildExpiredSessionCookie,
  buildSessionCookie,
  readSessionCookie,
  withoutSessionCookie,
} from '../../../src/api/server/session-cookie';

const ID = 'A'.repeat(43);
const SESSION = { sessionId: ID, staySignedIn: false };
const SECURE = 'https://keepwatch.example';
const PLAIN = 'http://localhost:3000';

test('the session cookie behind https has a name prefix that other hosts cannot set', () => {
  expect(buildSessionCookie(SESSION, SECURE)).toBe(
    `__Host-keepwatch_session=${ID}; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax; Secure`,
  );
  expect(buildExpiredSessionCookie(SECURE)).toMatch(
    /^__Host-keepwatch_session=; Max-Age=0; .*; Secure$/,
  );
  const planted = { cookie: `keepwatch_session=${ID}` };
  expect(readSessionCookie(planted, SECURE)).toBeNull();
  expect(readSessionCookie({ cookie: `a=1; __Host-${planted.cookie}` }, SECURE)).toBe(ID);
});

test('the session cookie lasts for 30 days if the person chose to stay signed in', () => {
  expect(buildSessionCookie({ ...SESSION, staySignedIn: true }, SECURE)).toBe(
    `__Host-keepwatch_session=${ID}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax; Secure`,
  );
});

test('the session cookie on plain http has no prefix, as browsers would refuse it', () => {
  expect(buildSessionCookie(SESSION, PLAIN)).toMatch(/^keepwatch_session=/);
  expect(readSessionCookie({ cookie: `keepwatch_session=${ID}` }, PLAIN)).toBe(ID);
});

test('the session cookie is removed from forwarded requests, with and without its prefix', () => {
  const header = `a=1; keepwatch_session=${ID}; __Host-keepwatch_session=${ID}; b=2`;
  expect(withoutSessionCookie(header)).toBe('a=1; b=2');
});
