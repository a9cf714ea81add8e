/** Tests that responses of RDAP servers are parsed from any text. */
import fc from 'fast-check';
import {
  findRdapServer,
  readRdapServers,
  readRegistration,
} from '../../../src/kinds/domain/output';
import { propertyOptions } from '../../support/property-runs';

const LIST = JSON.stringify({
  services: [
    [
      ['COM', 'net'],
      ['http://rdap.example/x', 'https://rdap.example/x/'],
    ],
    [['uk'], ['http://uk.example']],
    [['co.uk'], ['https://co.example/']],
    [['bad'], ['ftp://bad.example/']],
    ['nonsense'],
  ],
});

test('a domain check asks the RDAP server of the longest matching suffix, over TLS if possible', () => {
  const servers = readRdapServers(LIST) ?? new Map();
  const names = ['a.com', 'b.a.net', 'a.uk', 'a.co.uk', 'co.uk', 'a.bad', 'com'];
  expect(names.map((name) => findRdapServer(servers, name))).toEqual([
    'https://rdap.example/x/',
    'https://rdap.example/x/',
    'http://uk.example/',
    'https://co.example/',
    'http://uk.example/',
    null,
    null,
  ]);
});

test.each(['', 'null', '[]', '{"services":1}', '{"services":[]}'])(
  '%j is refused as a list of RDAP servers',
  (text) => {
    expect(readRdapServers(text)).toBeNull();
  },
);

test('a domain registration without dates, registrar and statuses is valid', () => {
  expect(readRegistration('{"objectClassName":"domain"}')).toEqual({
    expiresAtMs: null,
    registrar: null,
    statuses: [],
  });
});

test('any text of an RDAP server is read as a registration or refused', () => {
  const domain = fc.record({
    objectClassName: fc.constantFrom('domain', 'Domain', 'entity'),
    events: fc.jsonValue(),
    entities: fc.jsonValue(),
    status: fc.jsonValue(),
  });
  fc.assert(
    fc.property(fc.oneof(domain, fc.jsonValue()), (value) => {
      const read = readRegistration(JSON.stringify(value));
      if (read === null) return;
      expect(read.expiresAtMs === null || Number.isFinite(read.expiresAtMs)).toBe(true);
    }),
    propertyOptions(300),
  );
});
