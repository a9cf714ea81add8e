/** Tests the differences between two results, and the command that repeats a request. */
import { curlText } from '../../../src/dashboard/shared/results/curl-text';
import { findDifferences } from '../../../src/dashboard/shared/results/difference';

function response(
  status: number,
  bodyPreview: string | null,
  headers: Readonly<Record<string, string>> | null = {},
  remoteIp: string | null = null,
) {
  return {
    status,
    httpVersion: '1.1',
    bytes: 1,
    remoteIp,
    finalUrl: 'http://example.com/',
    redirects: 0,
    bodyPreview,
    truncated: false,
    headers:
      headers === null ? null : Object.entries(headers).map(([name, value]) => ({ name, value })),
  };
}

type Compared = Parameters<typeof findDifferences>[0];

const list = (...pair: Parameters<typeof findDifferences>) =>
  findDifferences(...pair).map(({ part, name, before, after }) => [part, name, before, after]);
const told = (...[before, after]: readonly [Compared['response'], Compared['response']]) =>
  list({ response: before, tls: null }, { response: after, tls: null });

test('the difference of two results compares status, headers and JSON values by name', () => {
  const before = response(200, '{"stock":{"cups":12},"tags":["a","b"],"same":1}', {
    'Content-Type': 'application/json',
    Date: 'Mon',
    'X-Cache': 'hit',
  });
  const after = response(503, '{"stock":{"cups":null},"tags":["a"],"same":1,"hint":"x"}', {
    'content-type': 'text/html',
    Date: 'Tue',
    'Retry-After': '30',
  });
  expect(told(before, after)).toEqual([
    ['Status', '', '200', '503'],
    ['Header', 'content-type', 'application/json', 'text/html'],
    ['Header', 'retry-after', null, '30'],
    ['Header', 'x-cache', 'hit', null],
    ['Body', '$.stock.cups', '12', 'null'],
    ['Body', '$.tags[1]', '"b"', null],
    ['Body', '$.hint', null, '"x"'],
  ]);
});

test('the difference of two results includes IP addresses if both are known', () => {
  const from = (ip: string | null) => response(200, null, null, ip);
  expect(told(from('192.0.2.1'), from('192.0.2.2'))).toEqual([
    ['IP address', '', '192.0.2.1', '192.0.2.2'],
  ]);
  expect(told(from(null), from('192.0.2.2'))).toEqual([]);
});

test('the difference of two results includes known facts of both certificates, even without a response', () => {
  const tls = (changes: Partial<NonNullable<Compared['tls']>> = {}) => ({
    version: 'TLSv1.3',
    issuer: 'Good CA',
    expiresAt: '2026-04-30T12:00:00.000Z',
    daysUntilExpiry: 89,
    trusted: true,
    ...changes,
  });
  const before = { response: response(200, 'fine'), tls: tls() };
  const changed = tls({ issuer: 'Other CA', daysUntilExpiry: 88, trusted: false, version: null });
  expect(list(before, { response: null, tls: changed })).toEqual([
    ['Status', '', '200', null],
    ['Certificate', 'issuer', 'Good CA', 'Other CA'],
    ['Certificate', 'trust', 'trusted', 'not trusted'],
  ]);
  const expired = tls({ expiresAt: '2026-04-29T12:00:00.000Z' });
  expect(list(before, { ...before, tls: expired })).toEqual([
    ['Certificate', 'expiry', expect.stringContaining('30 Apr'), expect.stringContaining('29 Apr')],
  ]);
  expect(list(before, { ...before, tls: null })).toEqual([]);
});

test('the difference of two results shows bodies that are not JSON in full, and ignores bodies that are not stored', () => {
  expect(told(response(200, 'fine'), response(200, '<b>down</b>'))).toEqual([
    ['Body', '', 'fine', '<b>down</b>'],
  ]);
  expect(told(response(200, null, null), response(200, 'x', { a: 'b' }))).toEqual([]);
  expect(told(response(200, '{"a":1}'), response(200, '{"a":1}'))).toEqual([]);
});

test('the difference of two bodies of any size has at most 200 entries', () => {
  const body = (value: number) => JSON.stringify(Array.from({ length: 1_000 }, () => value));
  expect(told(response(200, body(1)), response(200, body(2)))).toHaveLength(200);
});

test('the curl command repeats method, URL and headers, quoted for the shell', () => {
  const headers = [
    { name: 'authorization', value: '***' },
    { name: 'x-name', value: "it's $HOME" },
    { name: 'host', value: 'example.com' },
  ];
  expect(curlText({ method: 'POST', url: 'http://example.com/?a=1&b=2', headers })).toBe(
    [
      'curl -i',
      '-X POST',
      "'http://example.com/?a=1&b=2'",
      "-H 'authorization: ***'",
      String.raw`-H 'x-name: it'\''s $HOME'`,
    ].join(' \\\n  '),
  );
  expect(curlText({ method: 'GET', url: 'http://a/', headers: null })).toContain("'http://a/'");
});
