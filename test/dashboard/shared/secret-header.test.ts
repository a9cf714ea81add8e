/** Tests credentials in headers: how they are recognised, and how a credential becomes a secret. */
import {
  holdsCredential,
  maskedHeaders,
  toSecret,
} from '../../../src/dashboard/shared/form/headers/secret-header';

test.each([
  ['Authorization', 'Bearer abc', true],
  ['Authorization', 'Bearer {{secret:api}}', false],
  ['Cookie', 'sid=1', true],
  ['X-Api-Key', 'abc', true],
  ['X-Auth-Token', 'abc', true],
  ['Accept', 'text/html', false],
  ['Authorization', '', false],
])('the value of the header %s: %s counts as a credential: %s', (name, value, isOne) => {
  expect(holdsCredential({ name, value })).toBe(isOne);
});

test('a credential becomes a secret with an unused name, and its scheme stays readable', () => {
  const header = { name: 'Authorization', value: 'Bearer abc-def' };
  expect(toSecret(header, ['other'])).toEqual({
    secretName: 'authorization',
    secretValue: 'abc-def',
    headerValue: 'Bearer {{secret:authorization}}',
  });
  expect(toSecret(header, ['authorization', 'authorization-2']).secretName).toBe('authorization-3');
  expect(toSecret({ name: 'X-Api-Key', value: 'k e y' }, [])).toEqual({
    secretName: 'x-api-key',
    secretValue: 'k e y',
    headerValue: '{{secret:x-api-key}}',
  });
});

test('the page of a configuration shows no credential', () => {
  const shown = maskedHeaders({ authorization: 'Basic dXNlcjpwYXNz', accept: 'text/html' });
  expect(shown).toEqual({ authorization: '••••••', accept: 'text/html' });
});
