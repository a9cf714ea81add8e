/** Which hosts a secret's list lets through. */
import { isHostAmong, normalHostPattern } from '../../../src/domain/secrets/secret-hosts';

test.each([
  ['API.Example.com', 'api.example.com'],
  ['*.Example.com', '*.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['127.0.0.1', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['[::1]', '[::1]'],
])('%s is kept as %s, as a URL holds it', (text, kept) => {
  expect(normalHostPattern(text)).toBe(kept);
});

test.each(['', '*', '*.', 'a.*.b', 'http://x', 'x/y', 'x:80', 'a b', 'u@x', 'x?y', '**.x'])(
  '%j is no pattern of hosts',
  (text) => {
    expect(normalHostPattern(text)).toBeNull();
  },
);

test('a star means names under the rest, at any depth, and neither the rest nor what only ends like it', () => {
  const among = (host: string) => isHostAmong(host, ['*.example.com', 'one.test']);
  expect(['a.example.com', 'a.b.example.com', 'one.test'].map(among)).toEqual([true, true, true]);
  expect(['example.com', 'aexample.com', 'x.one.test', 'example.com.evil.test'].map(among)).toEqual(
    [false, false, false, false],
  );
});
