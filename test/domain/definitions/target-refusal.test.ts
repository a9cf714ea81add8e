/** The refusal of a private target, for those who may allow it and for everyone else. */
import {
  PRIVATE_REFUSED,
  refusalWithAdvice,
  withoutAdvice,
} from '../../../src/domain/definitions/target-refusal';

test.each([
  ['set', true],
  ['extend', false],
] as const)(
  'people who may not change the setting are referred to the operator instead of being advised to %s it',
  (_, isFirst) => {
    const advised = refusalWithAdvice('10.0.0.1/32', isFirst);
    expect(advised).toContain('`');
    expect(withoutAdvice(advised)).toBe(PRIVATE_REFUSED);
    expect(withoutAdvice(`url: ${advised}`)).toBe(`url: ${PRIVATE_REFUSED}`);
  },
);

test('a message that is not the refusal of a target is shown as it is', () => {
  expect(withoutAdvice('The URL has no host.')).toBe('The URL has no host.');
});
