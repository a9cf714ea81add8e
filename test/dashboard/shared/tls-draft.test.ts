/** `tls` while it is edited: what is read from a body comes out again, and nothing that was not said. */
import { readTls, tlsFields } from '../../../src/dashboard/shared/tls/tls-draft';

test.each([
  {},
  { trust: 'system' },
  { trust: 'unchecked' },
  { trust: { ca: '{{secret:ca}}' }, checkHost: false },
  { trust: { pin: ['ab'.repeat(32), 'cd'.repeat(32)] }, serverName: 'inner.example' },
  { certificate: '{{secret:tls}}', key: '{{secret:tls}}', passphrase: '{{secret:word}}' },
])('%j is the same after editing nothing', (tls) => {
  expect(tlsFields(readTls(tls))).toEqual(tls);
  expect(tlsFields(readTls({ ...tls, warnDays: [7] }))).toEqual(tls);
});

test('a change of mind loses nothing that was typed', () => {
  const pinned = readTls({ trust: { pin: ['ab'.repeat(32)] } });
  const unchecked = { ...pinned, trust: 'unchecked' as const };
  expect(tlsFields(unchecked)).toEqual({ trust: 'unchecked' });
  expect(tlsFields({ ...unchecked, trust: 'pin' })).toEqual({ trust: { pin: ['ab'.repeat(32)] } });
});

test('a host that is checked by the word of a step stays one that says something', () => {
  expect(tlsFields(readTls({ checkHost: true }))).toEqual({ trust: 'system' });
});

test.each([null, 'x', { trust: 7 }, { trust: 'some' }])('%j says nothing', (tls) => {
  expect(tlsFields(readTls(tls))).toEqual({});
});
