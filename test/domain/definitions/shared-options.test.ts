/**
 * Tests the options that a step inherits from its scenario or sets itself: authentication, TLS, proxy, IP version and
 * HTTP version. Each option is inherited separately.
 */
import type { StepDefinition } from '../../../src/contracts/definition';
import { readProxyName, toStoredProxy } from '../../../src/domain/definitions/proxy';
import {
  type SharedOptions,
  toStoredVersions,
  withSharedOptions,
} from '../../../src/domain/definitions/shared-options';
import { isUnchecked, toStoredTls } from '../../../src/domain/definitions/tls';
import { listReferencedSecrets } from '../../../src/domain/secrets/secret-names';
import { listTlsTexts } from '../../../src/domain/templates/payload';
import { buildDefinition } from '../../support/step-builder';

const SHARED: SharedOptions = {
  auth: { type: 'bearer', token: '{{secret:token}}' },
  tls: { trust: { ca: '{{secret:ca}}' }, certificate: '{{secret:tls}}', key: '{{secret:key}}' },
  proxy: 'corp',
  ipFamily: '6',
  httpVersion: '2',
};

function stepOf(changes: Partial<StepDefinition>) {
  const [step] = buildDefinition(changes).steps;
  if (step === undefined) throw new Error('no step');
  return step;
}

test('a step without its own options inherits all options of its scenario', () => {
  const step = withSharedOptions(stepOf({}), SHARED);
  expect(step).toMatchObject(SHARED);
  expect(listReferencedSecrets([step])).toEqual(['token', 'ca', 'tls', 'key']);
});

test.each<Partial<StepDefinition>>([
  { auth: { type: 'none' } },
  { tls: { trust: 'system' } },
  { tls: { checkHost: false } },
  { proxy: 'none' },
  { ipFamily: 'any' },
  { httpVersion: '1.1' },
])('%j in a step replaces only the same option of the scenario', (own) => {
  expect(withSharedOptions(stepOf(own), SHARED)).toMatchObject({ ...SHARED, ...own });
});

test('steps of types other than HTTP inherit no options from the scenario', () => {
  const settings = { host: 'a.example', count: 1, lossPercent: 0, p95Ms: null };
  const base = { name: 'a', url: 'ping://a.example', timeoutMs: 1, retries: 0 };
  const step = { ...base, type: 'ping', settings, degradedAboveMs: null, tlsWarnDays: [] } as const;
  expect(withSharedOptions(step, SHARED)).toBe(step);
  expect(isUnchecked(step)).toBe(false);
});

test('options that a body omits are not stored', () => {
  expect(toStoredTls(null)).toEqual({});
  expect(toStoredTls({})).toEqual({});
  expect(toStoredTls({ trust: 'unchecked' })).toEqual({ tls: { trust: 'unchecked' } });
  expect(toStoredProxy(null)).toEqual({});
  expect(toStoredVersions({ ipFamily: null, httpVersion: null })).toEqual({});
  expect(listTlsTexts(undefined)).toEqual([]);
});

test('the proxy `none` means no proxy', () => {
  expect([{}, { proxy: 'none' }, { proxy: 'corp' }].map(readProxyName)).toEqual([
    null,
    null,
    'corp',
  ]);
});

test('a step that trusts any certificate is included in the list of steps without certificate checks', () => {
  expect(isUnchecked(stepOf({ tls: { trust: 'unchecked' } }))).toBe(true);
  expect(isUnchecked(stepOf({ tls: { trust: 'system', checkHost: false } }))).toBe(false);
});
