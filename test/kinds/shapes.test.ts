/**
 * Tests bodies of every type of monitor: what is refused, by which field, and how a valid body is read.
 *
 * Covers:
 * - kinds/monitor-types
 */
import fc from 'fast-check';
import { isKindScheme, NETWORK_KINDS, type NetworkKind } from '../../src/contracts/kinds';
import { networkOptional } from '../../src/kinds/bodies';
import { KIND_SHAPES, listOwnFieldNames, listRequiredFieldNames } from '../../src/kinds/shapes';
import { validate } from '../../src/schemas/issues';
import { MONITOR_FIELD_NAMES, monitorBody } from '../../src/schemas/monitor';
import { propertyOptions } from '../support/property-runs';
import { LEAST } from './support/least';

function problemsOf(body: unknown): Record<string, string> {
  const checked = validate(monitorBody, body);
  if (checked.ok) return {};
  return Object.fromEntries(checked.problems.map(({ path, message }) => [path, message]));
}

const bodyOf = (type: NetworkKind, change: object = {}) => ({
  type,
  name: 'x',
  ...LEAST[type],
  ...change,
});

test.each(NETWORK_KINDS)(
  'a check of the type %s needs only its name and the fields without a default',
  (type) => {
    expect(problemsOf(bodyOf(type))).toEqual({});
    const missing = Object.fromEntries(
      listRequiredFieldNames(type).map((name) => [name, 'is required']),
    );
    expect(problemsOf({ type, name: 'x' })).toEqual(missing);
  },
);

test.each(NETWORK_KINDS)(
  'a check of the type %s refuses all fields of other types together, each by name',
  (type) => {
    const own = [...listOwnFieldNames(type), ...Object.keys(bodyOf(type))];
    const shared =
      /^(?:profile|interval|regions|alerts|dependsOn|hours|outside|runbookUrl|note|group|variables|environment|timeoutMs|retries|degradedAboveMs|failuresBeforeDown|successesBeforeUp|quorum|tags|key|enabled)$/;
    const foreign = MONITOR_FIELD_NAMES.filter((name) => !own.includes(name) && !shared.test(name));
    const found = problemsOf(bodyOf(type, Object.fromEntries(foreign.map((name) => [name, null]))));
    for (const name of foreign) expect(found).toHaveProperty([name]);
    expect(foreign).toEqual(expect.arrayContaining(['method', 'schedule', 'assertions']));
  },
);

test('an HTTP monitor refuses the fields of other types, and names their types', () => {
  expect(problemsOf({ name: 'x', url: 'https://a.example', host: 'a', port: 1 })).toMatchObject({
    host: expect.stringMatching(/^is a field of the types tcp, tls.* only$/),
    port: expect.stringContaining('tcp'),
  });
});

test.each([
  ['https://a.example.com', /without a scheme/],
  ['a.example.com/path', /without a path/],
  ['a.example.com?x', /without a path/],
  ['a.example.com:25', /use the field port/],
  ['[::1]:25', /use the field port/],
  ['{{host}}', /must not contain variables/],
  ['user@a.example.com', /must be a host name/],
  ['a b', /must be a host name/],
  ['a..b', /is not a host name/],
  ['.', /is not a host name|must/],
  ['', /is not a host name/],
  ['x'.repeat(64), /is not a host name/],
])('the host %j is refused with advice', (host, words) => {
  expect(problemsOf(bodyOf('tcp', { host }))).toEqual({ host: expect.stringMatching(words) });
});

test.each([
  ['DB.Example.COM.', 'db.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['2001:DB8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['0x7f.1', '127.0.0.1'],
  ['_sip._tcp.example.com', '_sip._tcp.example.com'],
])('the host %s is stored as %s', (host, kept) => {
  const { check } = KIND_SHAPES.tcp.read({ host, port: 25 });
  expect(check.settings).toMatchObject({ host: kept });
});

test.each([0, -1, 65_536, 1.5, '25', null])('the port %j is refused', (port) => {
  expect(Object.keys(problemsOf(bodyOf('tcp', { port })))).toEqual(['port']);
});

test.each([
  [{ useTls: true, startTls: 'smtp' }, 'startTls'],
  [{ startTls: 'gopher' }, 'startTls'],
  [{ send: 'a', sendBase64: 'YQ==' }, 'sendBase64'],
  [{ sendBase64: 'no base64' }, 'sendBase64'],
  [{ send: '{{nope}}' }, 'send'],
  [{ expect: '(' }, 'expect'],
  [{ expect: '(a)\\1' }, 'expect'],
  [{ timeoutMs: 60_000, interval: 10 }, 'timeoutMs'],
])('a TCP monitor with %j is refused at the invalid field', (change, path) => {
  expect(Object.keys(problemsOf(bodyOf('tcp', change)))).toEqual([path]);
});

test.each([
  [{ minVersion: 'SSLv3' }, 'minVersion'],
  [{ names: ['a/b'] }, 'names[0]'],
  [{ serverName: 'https://a' }, 'serverName'],
  [{ tls: { warnDays: [3, 3] } }, 'tls.warnDays'],
])('a TLS monitor with %j is refused at the invalid field', (change, path) => {
  expect(Object.keys(problemsOf(bodyOf('tls', change)))).toEqual([path]);
});

test.each([
  [{ record: 'ANY' }, 'record'],
  [{ host: '192.0.2.1' }, 'host'],
  [{ host: '2001:db8::1' }, 'host'],
  [{ servers: ['ns1.example.com'] }, 'servers[0]'],
  [{ servers: ['1.1.1.1', '1.1.1.1:53'] }, 'servers'],
  [{ servers: Array.from({ length: 11 }, (_, at) => `192.0.2.${at}`) }, 'servers'],
  [{ agree: 'most' }, 'agree'],
  [{ rcode: 'NXDOMAIN', expect: 'a' }, 'expect'],
])('a DNS monitor with %j is refused at the invalid field', (change, path) => {
  expect(Object.keys(problemsOf(bodyOf('dns', change)))).toEqual([path]);
});

test.each([
  [{ count: 0 }, 'count'],
  [{ count: 11 }, 'count'],
  [{ lossPercent: 100 }, 'lossPercent'],
  [{ timeoutMs: 3_000, count: 10 }, 'timeoutMs'],
  [{ host: 'a\\b' }, 'host'],
  [{ p95Ms: 0 }, 'p95Ms'],
  [{ port: 80 }, 'port'],
])('a ping monitor with %j is refused at the invalid field', (change, path) => {
  expect(Object.keys(problemsOf(bodyOf('ping', change)))).toEqual([path]);
});

test.each([
  [{ url: 'https://a.example.com' }, 'url'],
  [{ url: 'ws:///a' }, 'url'],
  [{ url: 'wss://me:secret@a.example.com' }, 'url'],
  [{ url: 'wss://{{host}}/' }, 'url'],
  [{ url: 'wss://a.example.com/#top' }, 'url'],
  [{ url: 1 }, 'url'],
  [{ headers: { authorization: 'Bearer abc' } }, 'headers.authorization'],
  [{ headers: { Cookie: 'session=abc' } }, 'headers.Cookie'],
  [{ headers: { 'Sec-WebSocket-Protocol': 'mqtt' } }, 'headers.Sec-WebSocket-Protocol'],
  [{ headers: { upgrade: 'h2c' } }, 'headers.upgrade'],
  [{ headers: { 'x-a': '{{nope}}' } }, 'headers.x-a'],
  [{ send: '{{nope}}' }, 'send'],
  [{ expect: '(' }, 'expect'],
  [{ subprotocol: 'a b' }, 'subprotocol'],
  [{ host: 'a.example.com' }, 'host'],
])('a WebSocket monitor with %j is refused at the invalid field', (change, path) => {
  const found = Object.keys(problemsOf(bodyOf('websocket', change)));
  expect(found.map((each) => each.replace(/\["(.*)"\]/, '.$1'))).toEqual([path]);
});

test('a text that a TCP or WebSocket check sends is refused if it exceeds 4 KiB', () => {
  const send = 'é'.repeat(2_049);
  for (const type of ['tcp', 'websocket'] as const)
    expect(Object.keys(problemsOf(bodyOf(type, { send })))).toEqual(['send']);
});

test.each([
  [{ service: '' }, 'service'],
  [{ service: 'a\nb' }, 'service'],
  [{ service: 'x'.repeat(201) }, 'service'],
  [{ useTls: false, serverName: 'b.example.com' }, 'serverName'],
  [{ serverName: 'https://a', useTls: true }, 'serverName'],
  [{ startTls: 'smtp' }, 'startTls'],
])('a gRPC monitor with %j is refused at the invalid field', (change, path) => {
  expect(Object.keys(problemsOf(bodyOf('grpc', change)))).toEqual([path]);
});

test.each([
  [{ host: '192.0.2.1' }, 'host'],
  [{ host: 'localhost' }, 'host'],
  [{ interval: 3_599 }, 'interval'],
  [{ warnDays: [3, 3] }, 'warnDays'],
  [{ warnDays: [0] }, 'warnDays[0]'],
  [{ tls: { warnDays: [3] } }, 'tls'],
])('a domain monitor with %j is refused at the invalid field', (change, path) => {
  expect(Object.keys(problemsOf(bodyOf('domain', change)))).toEqual([path]);
});

test('a domain is checked once an hour by default, and its warning days are sorted', () => {
  const readWith = (change: object) => {
    const checked = validate(monitorBody, bodyOf('domain', change));
    return checked.ok ? checked.value : null;
  };
  expect(readWith({})).toMatchObject({
    interval: 3_600,
    tls: { warnDays: [30, 14, 7, 3, 1] },
    kind: { check: { settings: { host: 'example.com', warnDays: [30, 14, 7, 3, 1] } } },
  });
  expect(readWith({ warnDays: [7, 60], interval: 86_400 })).toMatchObject({
    interval: 86_400,
    tls: { warnDays: [60, 7] },
  });
  expect(readWith({ warnDays: [] })).toMatchObject({ tls: { warnDays: [] } });
});

test('a WebSocket may send references to secrets', () => {
  const headers = { authorization: 'Bearer {{secret:token}}' };
  expect(problemsOf(bodyOf('websocket', { headers, send: '{{secret:token}}' }))).toEqual({});
});

test('a ws URL is refused for an HTTP monitor, and the message names the right type', () => {
  expect(problemsOf({ name: 'x', url: 'wss://a.example.com' })).toEqual({
    url: expect.stringContaining('use the type websocket'),
  });
});

test('any body of a check is accepted or refused, and an accepted body reads back unchanged', () => {
  const value = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string(), { maxLength: 3 }),
    fc.domain(),
    fc.ipV6(),
  );
  const fields = fc.dictionary(fc.constantFrom(...Object.keys(networkOptional)), value);
  fc.assert(
    fc.property(fc.constantFrom(...NETWORK_KINDS), fields, (type, change) => {
      const checked = validate(monitorBody, bodyOf(type, change));
      if (!checked.ok) {
        expect(checked.problems.length).toBeGreaterThan(0);
        return;
      }
      if (!('kind' in checked.value)) throw new Error('It is of a kind.');
      const { check, url } = checked.value.kind;
      expect(KIND_SHAPES[type].read(check.settings)).toEqual(checked.value.kind);
      expect(isKindScheme(new URL(url).protocol.slice(0, -1))).toBe(true);
    }),
    propertyOptions(300),
  );
});
