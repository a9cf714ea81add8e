import { findShownChanges } from '../../../src/domain/accounts/shown-changes';

test('the value of a secret header is masked even if its name contains a dot', () => {
  const before = { headers: { 'X-Auth-Token.v1': 'old-secret', 'X-Team.v1': 'shop' } };
  const after = { headers: { 'X-Auth-Token.v1': 'new-secret', 'X-Team.v1': 'desk' } };
  expect(findShownChanges(before, after)).toEqual([
    { path: 'headers.X-Auth-Token.v1', before: '(secret)', after: '(another secret)' },
    { path: 'headers.X-Team.v1', before: 'shop', after: 'desk' },
  ]);
});
