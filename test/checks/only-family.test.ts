/** Tests names that are resolved for one IP version only, in any order of the DNS responses. */
import { requireFamily, restrictFamily } from '../../src/checks/names/ip-family';
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
  ['the other version first', '6', lookUp(['192.0.2.1'], ['::1']), ['::1']],
  ['this version first', '4', lookUp(['192.0.2.1'], ['::1']), ['192.0.2.1']],
  [
    'this version first, and no IP address of the other',
    '4',
    lookUp(['192.0.2.1'], 'ENODATA'),
    ['192.0.2.1'],
  ],
])(
  'only IP addresses of the chosen IP version are used: %s',
  async (_, family, resolveHost, expected) => {
    expect(await restrictFamily(resolveHost, family)('a.example').addresses).toEqual(expected);
  },
);

test.each<[string, '4' | '6', ResolveHost, string]>([
  ['no IP address of this version', '6', lookUp(['192.0.2.1']), 'ENOIPV6'],
  ['an unknown name', '6', lookUp(['192.0.2.1'], 'ENODATA'), 'ENOIPV6'],
  ['a server that fails', '4', lookUp(['::1'], 'ESERVFAIL'), 'ESERVFAIL'],
])(
  'a name without an IP address of the chosen version fails with the cause: %s',
  async (_, family, resolveHost, code) => {
    const { addresses } = restrictFamily(resolveHost, family)('a.example');
    await expect(addresses).rejects.toMatchObject({ code });
  },
);

test('an IP address in a URL must be of the chosen IP version', () => {
  expect(() => requireFamily('192.0.2.1', '6')).toThrow(
    '192.0.2.1 is not an IP address of version 6.',
  );
  for (const family of ['any', '4'] as const) requireFamily('192.0.2.1', family);
  requireFamily('a.example', '6');
});
