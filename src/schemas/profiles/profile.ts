/** Bodies of profiles (docs/profiles.md): named values that monitors and scenarios inherit. */
import { z } from 'zod';
import { findNearestWord } from '../../domain/text/nearest-word';
import { findAuthProblems } from '../auth/auth-problems';
import { KEY_PATTERN, nameField } from '../fields';
import { type CheckedShape, formatPath, type ShapeProblem, validate } from '../issues';
import { readRecord } from '../loose';
import { listFieldShapes, PROFILE_FIELDS } from './profile-fields';

const shape = z.strictObject({
  key: z.string().regex(KEY_PATTERN, 'must be lower-case letters, digits, dots, _ and -').meta({
    description:
      'Identifier by which monitors and scenarios refer to the profile. It never changes',
  }),
  name: nameField,
  set: z.record(z.string(), z.unknown()).meta({
    description:
      'Values for fields of monitors and scenarios, except fields that belong to one check: name, key, type, url, host, port, steps, enabled and dependsOn',
  }),
});

export type ProfileBody = z.output<typeof shape>;

/** Validates each value by the schemas of the types that have the field. All problems are reported at once. */
export const profileBody: CheckedShape<typeof shape> = {
  shape,
  findProblems: (body) => {
    const set = readRecord(readRecord(body)['set']);
    return [
      ...Object.entries(set).flatMap(([name, value]) => findValueProblems(name, value)),
      ...findSecretProblems(readRecord(set['variables'])),
      ...findAuthProblems(set, ['set']),
    ];
  },
};

/**
 * Finds the problems of a value. The value must fit at least one of the types that have the field. When a definition
 * uses the profile, the value is checked against the type of that definition.
 */
function findValueProblems(name: string, value: unknown): readonly ShapeProblem[] {
  const shapes = listFieldShapes(name);
  if (shapes.length === 0) return [foreignField(name)];
  const checks = shapes.map((field) => validate(z.object({ [name]: field }), { [name]: value }));
  if (checks.some(({ ok }) => ok)) return [];
  const problems = checks.map((checked) => (checked.ok ? [] : checked.problems));
  const [fewest = []] = problems.toSorted((a, b) => a.length - b.length);
  return fewest.map((problem) => ({ ...problem, path: `set.${problem.path}` }));
}

const REFUSED: ReadonlyMap<string, string> = new Map([
  ['profile', 'is not allowed here, because a profile cannot use another profile'],
  ['expectedStatus', 'is not allowed in a profile; use an assertion on the status'],
  ['expectedText', 'is not allowed in a profile; use an assertion on the body'],
]);

function foreignField(name: string): ShapeProblem {
  const path = formatPath(['set', name]);
  const known = REFUSED.get(name);
  if (known !== undefined) return { path, code: 'unknown_field', message: known };
  const nearest = findNearestWord(name, PROFILE_FIELDS);
  const hint = nearest === null ? '' : ` (did you mean ${nearest}?)`;
  return { path, code: 'unknown_field', message: `is not a field that a profile can set${hint}` };
}

/** Reports secret values, which belong in a monitor or scenario and never in a profile. */
function findSecretProblems(variables: Readonly<Record<string, unknown>>): ShapeProblem[] {
  return Object.entries(variables)
    .filter(([, given]) => readRecord(given)['secret'] === true)
    .map(([name]) => ({
      path: formatPath(['set', 'variables', name, 'secret']),
      code: 'invalid_value',
      message:
        'is not allowed in a profile: create a secret with PUT /v1/secrets/{name}, and write {{secret:name}} where it is needed',
    }));
}
