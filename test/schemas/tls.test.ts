/** Tests `tls` of monitors, steps and scenarios: what is refused, at which field, and with which message. */
import { validate } from '../../src/schemas/issues';
import { monitorBody } from '../../src/schemas/monitor';
import { scenarioBody } from '../../src/schemas/scenario';

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB+A==\n-----END CERTIFICATE-----\n';
const KEY = '-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n';
const PIN = 'AB'.repeat(32);
const IDENTITY = { certificate: PEM, key: '{{secret:key}}' };

function check(fields: object) {
  return validate(monitorBody, { name: 'm', url: 'https://a.example/', ...fields });
}

function problemsOf(fields: object): readonly (readonly [string, string])[] {
  const checked = check(fields);
  return checked.ok ? [] : checked.problems.map(({ path, message }) => [path, message]);
}

function problemsOfSteps(steps: readonly object[], fields: object = {}) {
  const named = steps.map((step, index) => ({
    name: `step ${index}`,
    url: 'https://a.example/',
    ...step,
  }));
  const checked = validate(scenarioBody, { name: 's', steps: named, ...fields });
  return checked.ok ? [] : checked.problems.map(({ path, message }) => [path, message]);
}

test.each([
  {},
  { trust: 'system' },
  { trust: 'unchecked' },
  { trust: { ca: PEM } },
  { trust: { ca: `${PEM}${PEM}` } },
  { trust: { ca: '{{secret:ca}}' }, checkHost: false },
  { trust: { pin: [PIN] } },
  { trust: { pin: [PIN, '0a'.repeat(32)] }, serverName: 'inner.example' },
  IDENTITY,
  { certificate: '{{secret:both}}', key: '{{ secret:both }}', passphrase: '{{secret:word}}' },
])('the TLS settings %j are accepted', (tls) => {
  expect(problemsOf({ tls })).toEqual([]);
  expect(problemsOf({ tls: { ...tls, warnDays: [7] } })).toEqual([]);
  expect(problemsOfSteps([{ tls }], { tls })).toEqual([]);
});

test('fingerprints in TLS settings are stored in one spelling', () => {
  const spelled = PIN.replaceAll(/(..)(?=.)/g, '$1:');
  const checked = check({ tls: { trust: { pin: [spelled] } } });
  expect(checked).toMatchObject({
    ok: true,
    value: { tls: { trust: { pin: [PIN.toLowerCase()] }, warnDays: [14, 3] } },
  });
});

test.each([
  ['tls.key', { ...IDENTITY, key: KEY }, /create a secret/],
  ['tls.passphrase', { ...IDENTITY, passphrase: 'hunter2' }, /create a secret/],
  ['tls.key', { ...IDENTITY, key: '{{key}}' }, /create a secret/],
  ['tls.key', { ...IDENTITY, key: '{{$totp:key}}' }, /create a secret/],
  ['tls.certificate', { ...IDENTITY, certificate: `${PEM}${KEY}` }, /only certificates/],
  ['tls.certificate', { ...IDENTITY, certificate: '{{certificate}}' }, /in PEM/],
  ['tls.trust.ca', { trust: { ca: KEY } }, /in PEM/],
  ['tls.trust.pin[0]', { trust: { pin: ['abc'] } }, /SHA-256/],
  ['tls.trust.pin[0]', { trust: { pin: [`sha256/${'A'.repeat(43)}=`] } }, /SHA-256/],
  ['tls.trust.pin', { trust: { pin: [] } }, /.+/],
  ['tls.trust.pin', { trust: { pin: [PIN, PIN.toLowerCase()] } }, /only once/],
  ['tls.trust', { trust: 'some' }, /"unchecked", \{ca\} or \{pin\}$/],
  ['tls.key', { certificate: PEM }, /is required with .*tls\.certificate$/],
  ['tls.certificate', { key: '{{secret:key}}' }, /is required with .*tls\.key$/],
  ['tls.insecure', { insecure: true }, /.+/],
])('%s is refused in the TLS settings %j', (path, tls, words) => {
  const problems = problemsOf({ tls });
  expect(problems).toEqual([[path, expect.stringMatching(words)]]);
  expect(problemsOfSteps([{ tls }])).toEqual([[`steps[0].${path}`, expect.stringMatching(words)]]);
  expect(problemsOfSteps([{}], { tls })).toEqual([[path, expect.stringMatching(words)]]);
  expect(JSON.stringify(problems)).not.toContain('MIGH');
});

test('the TLS settings of types other than HTTP accept only warnDays', () => {
  const tcp = { type: 'tcp', host: 'a.example', port: 25, useTls: true, url: undefined };
  expect(problemsOf({ ...tcp, tls: { warnDays: [7] } })).toEqual([]);
  expect(problemsOf({ ...tcp, tls: { trust: 'unchecked', checkHost: false } })).toEqual([
    ['tls.trust', 'is not a field of the type tcp, which always checks certificates'],
    ['tls.checkHost', 'is not a field of the type tcp, which always checks certificates'],
  ]);
  const step = { type: 'tcp', name: 'a', host: 'a.example', port: 25 };
  const sent = { name: 's', steps: [{ ...step, tls: { trust: 'unchecked' } }] };
  const checked = validate(scenarioBody, sent);
  expect(checked).toMatchObject({ ok: false, problems: [{ path: 'steps[0].tls.trust' }] });
});
