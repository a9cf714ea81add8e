/** Tests which parts of a change the audit trail stores. */
import { toStoredChange } from '../../../src/domain/accounts/audit-change';

test('the audit trail stores only changed fields, and no fields that checks write', () => {
  const before = {
    name: 'a',
    interval: 60,
    health: 'up',
    links: { self: 'x' },
    same: [1, { b: 2 }],
  };
  const after = { ...before, interval: 30, health: 'down', same: [1, { b: 2 }] };
  expect(toStoredChange(before, after)).toEqual({
    before: { interval: 60 },
    after: { interval: 30 },
  });
  expect(toStoredChange(before, { ...before, health: 'down' })).toBeNull();
});

test('the audited change of an incident or a post includes the name of its resource or its title', () => {
  const before = { id: 'inc_1', resourceName: 'Checkout', state: 'open' };
  expect(toStoredChange(before, { ...before, state: 'acknowledged' })).toEqual({
    before: { resourceName: 'Checkout', state: 'open' },
    after: { resourceName: 'Checkout', state: 'acknowledged' },
  });
  expect(toStoredChange(before, before)).toBeNull();
  const post = { id: 'pst_1', title: 'Cards fail', state: 'open' };
  expect(toStoredChange(post, { ...post, state: 'over' })?.after).toEqual({
    title: 'Cards fail',
    state: 'over',
  });
  const long = toStoredChange(before, { ...before, timeline: 'x'.repeat(20_000) });
  expect(long?.after).toMatchObject({ tooLong: true, resourceName: 'Checkout' });
});

test.each([
  'password',
  'newPassword',
  'client_secret',
  'X-Auth-Token',
  'Authorization',
  'Set-Cookie',
  'X-Api-Key',
  'acceptUrl',
  'setPasswordUrl',
  'registerUrl',
])('the audit trail masks text in a field named %s, at any depth', (name) => {
  const after = { list: [{ [name]: 'hidden', inner: { [name]: { deep: ['hidden', 1] } } }] };
  const kept = JSON.stringify(toStoredChange(null, after));
  expect(kept).not.toContain('hidden');
  expect(kept).toContain('***');
});

test('the audit trail stores changes of certificate trust and of names of secrets', () => {
  const before = { tls: { warnDays: [14, 3] } };
  const after = { tls: { trust: 'unchecked', key: '{{secret:key}}', warnDays: [14, 3] } };
  expect(toStoredChange(before, after)).toEqual({ before, after });
});

test('the audit trail masks API keys in any text', () => {
  const key = `kw_${'a1B2'.repeat(9)}zz`;
  expect(toStoredChange(null, { note: `use ${key} here` })?.after).toEqual({
    note: 'use *** here',
  });
});

test('an audited change that is too long is stored as the names of its fields', () => {
  const kept = toStoredChange(null, { name: 'x', body: 'y'.repeat(20_000) });
  expect(kept?.after).toEqual({ tooLong: true, fields: ['name', 'body'] });
});
