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
  'the advice to %s the setting becomes a reference to the operator for people who may not change it',
  (_, isFirst) => {
    const advised = refusalWithAdvice('10.0.0.1/32', isFirst);
    expect(advised).toContain('`');
    expect(withoutAdvice(advised)).toBe(PRIVATE_REFUSED);
    expect(withoutAdvice(`url: ${advised}`)).toBe(`url: ${PRIVATE_REFUSED}`);
  },
);

test('any message except the refusal of a target stays unchanged', () => {
  expect(withoutAdvice('The URL has no host.')).toBe('The URL has no host.');
});
