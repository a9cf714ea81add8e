import { validate } from '../../src/schemas/issues';
import { profileBody } from '../../src/schemas/profiles/profile';

test('a field that no profile can set is refused with a message', () => {
  const set = { constructor: 1, toString: 2, nope: 3 };
  const checked = validate(profileBody, { key: 'shop', name: 'Shop', set });
  const problems = checked.ok ? [] : checked.problems;
  const message = expect.stringContaining('is not a field that a profile can set');
  expect(problems).toEqual(
    Object.keys(set).map((name) =>
      expect.objectContaining({ path: `set.${name}`, code: 'unknown_field', message }),
    ),
  );
});
