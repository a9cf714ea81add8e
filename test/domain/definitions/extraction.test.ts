/**
 * Tests when an extracted value counts as secret: if the extraction requires this, and always if the value comes from a
 * cookie.
 */
import { isSecretSource } from '../../../src/domain/definitions/extraction';

test.each([
  ['header', true, true],
  ['jsonPath', true, true],
  ['header', false, false],
  ['jsonPath', undefined, false],
  ['body', undefined, false],
  ['cookie', undefined, true],
  ['cookie', false, true],
] as const)('a value from %s with `secret: %s` counts as secret: %s', (from, secret, isSecret) => {
  expect(isSecretSource({ from, secret })).toBe(isSecret);
});
