/** Names by one version of IP only, in whatever order the answers come. */
import { onlyFamily, requireFamily } from '../../src/checks/names/only-family';
import type { ResolveHost } from '../../src/checks/resolve-host';

const lookUp =
  (first: readonly string[], later?: readonly string[] | string): ResolveHost =>
  () => ({
    addresses: Promise.resolve(first),
    later:
      typeof later === 'string'
        ? Promise.reject(Object.assign(new Error(later), { code: later }))
        : Promise.resolve(later ?? []),
    cancel: () => undefined,
  });

test.each<[string, '4' | '6', ResolveHost, readonly string[]]>([
  ['both at once', '6', lookUp(['::1', '192.0.2.1', '::2']), ['::1', '::2']],
  ['the other one first', '6', lookUp(['192.0.2.1'], ['::1']), ['::1']],
  ['this one first', '4', lookUp(['192.0.2.1'], ['::1']), ['192.0.2.1']],
  ['this one first, and none of the other', '4', lookUp(['192.0.2.1'], 'ENODATA'), ['192.0.2.1']],
])('only addresses of the chosen family are used: %s', async (_, family, resolveHost, expected) => {
  expect(await onlyFamily(resolveHost, family)('a.example').addresses).toEqual(expected);
});

test.each<[string, '4' | '6', ResolveHost, string]>([
  ['nothing of it', '6', lookUp(['192.0.2.1']), 'ENOIPV6'],
  ['a name that has none of it', '6', lookUp(['192.0.2.1'], 'ENODATA'), 'ENOIPV6'],
  ['a server that fails', '4', lookUp(['::1'], 'ESERVFAIL'), 'ESERVFAIL'],
])(
  'a name without such an address fails with its cause: %s',
  async (_, family, resolveHost, code) => {
    const { addresses } = onlyFamily(resolveHost, family)('a.example');
    await expect(addresses).rejects.toMatchObject({ code });
  },
);

test('an IP address in a URL is of its own version', () => {
  expect(() => requireFamily('192.0.2.1', '6')).toThrow(
    '192.0.2.1 is not an IP address of version 6.',
  );
  for (const family of ['any', '4'] as const) requireFamily('192.0.2.1', family);
  requireFamily('a.example', '6');
});
