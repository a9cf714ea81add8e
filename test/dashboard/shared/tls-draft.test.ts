/** Tests `tls` in a form. Stored fields are returned unchanged, and none is added. */
import { readTls, tlsFields } from '../../../src/dashboard/shared/tls/tls-draft';

test.each([
  {},
  { trust: 'system' },
  { trust: 'unchecked' },
  { trust: { ca: '{{secret:ca}}' }, checkHost: false },
  { trust: { pin: ['ab'.repeat(32), 'cd'.repeat(32)] }, serverName: 'inner.example' },
  { certificate: '{{secret:tls}}', key: '{{secret:tls}}', passphrase: '{{secret:word}}' },
])('the TLS settings %j stay the same without an edit', (tls) => {
  expect(tlsFields(readTls(tls))).toEqual(tls);
  expect(tlsFields(readTls({ ...tls, warnDays: [7] }))).toEqual(tls);
});

test('switching the trusted certificates back and forth keeps typed values', () => {
  const pinned = readTls({ trust: { pin: ['ab'.repeat(32)] } });
  const unchecked = { ...pinned, trust: 'unchecked' as const };
  expect(tlsFields(unchecked)).toEqual({ trust: 'unchecked' });
  expect(tlsFields({ ...unchecked, trust: 'pin' })).toEqual({ trust: { pin: ['ab'.repeat(32)] } });
});

test('TLS settings that only turn on the host check are sent as `trust: system`', () => {
  expect(tlsFields(readTls({ checkHost: true }))).toEqual({ trust: 'system' });
});

test.each([null, 'x', { trust: 7 }, { trust: 'some' }])(
  'the dashboard reads %j as no TLS settings',
  (tls) => {
    expect(tlsFields(readTls(tls))).toEqual({});
  },
);
