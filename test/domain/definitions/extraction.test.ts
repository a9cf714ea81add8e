/** What an extraction finds is a secret when it says so, and always when it is a cookie. */
import { isSecretSource } from '../../../src/domain/definitions/extraction';

test.each([
  ['header', true, true],
  ['jsonPath', true, true],
  ['header', false, false],
  ['jsonPath', undefined, false],
  ['body', undefined, false],
  ['cookie', undefined, true],
  ['cookie', false, true],
] as const)('a value from %s with secret: %s is a secret: %s', (from, secret, isSecret) => {
  expect(isSecretSource({ from, secret })).toBe(isSecret);
});
