/** Tests how the refusal of a private target is worded for people who may allow the target, and for other people. */
import {
  PRIVATE_REFUSED,
  withoutAdvice,
  writeRefusalWithAdvice,
} from '../../../src/domain/definitions/target-refusal';

test.each([
  ['set', true],
  ['extend', false],
] as const)(
  'for people who may not change the setting, the refusal omits the advice to %s the setting',
  (_, isFirst) => {
    const advised = writeRefusalWithAdvice('10.0.0.1/32', isFirst);
    expect(advised).toContain('`');
    expect(withoutAdvice(advised)).toBe(PRIVATE_REFUSED);
    expect(withoutAdvice(`url: ${advised}`)).toBe(`url: ${PRIVATE_REFUSED}`);
  },
);

test('a message that is not the refusal of a target is shown unchanged', () => {
  expect(withoutAdvice('The URL has no host.')).toBe('The URL has no host.');
});
