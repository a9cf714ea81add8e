/** Tests which URLs the hosts of a secret allow. */
import { isAllowedFor, normalizeHostPattern } from '../../../src/domain/secrets/secret-hosts';

test.each([
  ['API.Example.com', 'api.example.com'],
  ['https://API.example.com', 'api.example.com'],
  ['api.example.com:443', 'api.example.com'],
  ['api.example.com:8443', 'api.example.com:8443'],
  ['http://api.example.com:80', 'http://api.example.com'],
  ['HTTP://*.Example.com:8080', 'http://*.example.com:8080'],
  ['*.Example.com', '*.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['127.0.0.1', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['[::1]', '[::1]'],
  ['http://[::1]:81', 'http://[::1]:81'],
  ['TCP://Redis.Example.com:80', 'tcp://redis.example.com:80'],
  ['tcp://*.example.com:6379', 'tcp://*.example.com:6379'],
])('the host pattern %s is stored as %s, in the spelling of URLs', (text, kept) => {
  expect(normalizeHostPattern(text)).toBe(kept);
  expect(normalizeHostPattern(kept)).toBe(kept);
});

test.each([
  ['', '*', '*.', 'a.*.b', 'http://', 'x/y', 'http://x/', 'x:', 'x:123456', 'x:99999'],
  ['tcp://x', 'tcp://x:0', 'tcp://x:99999', 'tcp://x/y'],
  ['a b', 'u@x', 'http://u@x', 'x?y', '**.x', 'ftp://x', 'https://http://x', '*.[::1]'],
])('text such as %j is refused as a host pattern', (...texts) => {
  expect(texts.filter((text) => normalizeHostPattern(text) !== null)).toEqual([]);
});

const isAmong = (patterns: readonly string[]) => (address: string) =>
  isAllowedFor(new URL(address), patterns);

test('a wildcard in a host pattern matches subdomains at any depth, but not the domain itself', () => {
  const among = isAmong(['*.example.com', 'one.test']);
  const allowed = ['https://a.example.com/x', 'https://a.b.example.com', 'https://one.test'];
  expect(allowed.map(among)).toEqual([true, true, true]);
  const others = ['example.com', 'aexample.com', 'x.one.test', 'example.com.evil.test'];
  expect(others.map((host) => among(`https://${host}`))).toEqual([false, false, false, false]);
});

test('a host pattern matches https on port 443 unless it names a scheme or port', () => {
  const secure = isAmong(['api.test']);
  const addresses = ['https://api.test:443/', 'http://api.test/', 'https://api.test:8443/'];
  expect(addresses.map(secure)).toEqual([true, false, false]);
  const plain = isAmong(['http://api.test:8080', '*.shop.test:8443']);
  const asNamed = ['http://api.test:8080', 'https://a.shop.test:8443'];
  const otherwise = ['http://api.test', 'https://api.test:8080', 'http://a.shop.test:8443'];
  expect(asNamed.map(plain)).toEqual([true, true]);
  expect(otherwise.map(plain)).toEqual([false, false, false]);
});

test('a host pattern matches a WebSocket with the same host, port and encryption', () => {
  const isFine = isAmong(['api.example.com', 'http://10.0.0.5:8080']);
  const urls = ['wss://api.example.com/events', 'ws://10.0.0.5:8080', 'ws://api.example.com'];
  expect(urls.map(isFine)).toEqual([true, true, false]);
});

test('a host pattern for tcp matches its host and port, but no HTTP request', () => {
  const isFine = isAmong(['tcp://*.example.com:6379']);
  const urls = ['tcp://redis.example.com:6379', 'tcp://redis.example.com:6380'];
  expect(urls.map(isFine)).toEqual([true, false]);
  expect(isFine('https://redis.example.com:6379/')).toBe(false);
});
