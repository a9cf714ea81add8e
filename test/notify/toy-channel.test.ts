/**
 * Tests the recipe of docs/extending.md for a new type of alert channel, with a toy type. With a line in the registry, the
 * type works in bodies and in the form. No other file needs a change.
 */
// This import must come before anything that is derived from the registry.
import './toy-channel';

import { alertChannelBody } from '../../src/schemas/alerts';
import { validate } from '../../src/schemas/issues';
import { describeChannelTypes } from '../../src/services/alerting/describe-channel-types';

const BODY = { type: 'toy', name: 'Bell', url: 'https://bell.example.com/ring', token: 'ding' };

function problemsOf(body: object): readonly string[] {
  const checked = validate(alertChannelBody, body);
  return checked.ok ? [] : checked.problems.map(({ path }) => path);
}

test('a channel of a new type accepts the fields of the type and refuses others', () => {
  expect(problemsOf(BODY)).toEqual([]);
  expect(problemsOf({ ...BODY, token: undefined })).toEqual(['token']);
  expect(problemsOf({ ...BODY, emails: ['a@example.com'] })).toEqual(['emails']);
});

test('the form of channels describes the fields of a new type', () => {
  const described = describeChannelTypes().data.find(
    ({ type }: { type: string }) => type === 'toy',
  );
  expect(described).toMatchObject({ label: 'Toy', about: 'Rings a toy bell.' });
  expect(described?.fields.map(({ name }) => name)).toEqual(['url', 'token']);
});
