/** The fields of a DNS check. The check asks name servers for the records of a name. */
import { z } from 'zod';
import { DNS_CODES, DNS_RECORDS, type DnsSettings } from '../../contracts/kinds';
import type { ShapeProblem } from '../../schemas/issues';
import { allowFieldReferences } from '../allow-references';
import { expectShape, hostShape, type KindShape, type Sent } from '../fields';
import { formatAuthority } from '../words';
import { formatDnsServer, parseDnsServer } from './server';

const SERVERS_MAX = 10;

const serverShape = z
  .string()
  .max(60)
  .refine(
    (text) => parseDnsServer(text) !== null,
    'must be an IP address, with a port if it is not 53',
  )
  .transform((text) => {
    const server = parseDnsServer(text);
    return server === null ? text : formatDnsServer(server);
  });

const shapes = {
  host: hostShape,
  record: z.enum(DNS_RECORDS).meta({ description: 'Type of the requested records' }),
  servers: z
    .array(serverShape)
    .max(SERVERS_MAX)
    .refine((servers) => new Set(servers).size === servers.length, 'must not name a server twice')
    .meta({ description: 'IP addresses of name servers. Default: the name servers of the probe' }),
  agree: z.enum(['all', 'any']).meta({
    description:
      'With several servers. all: all must return the same good records; any: one good response is enough',
  }),
  transport: z.enum(['udp', 'tcp']).meta({
    description:
      'Transport of the query. A response that does not fit into UDP is requested by TCP',
  }),
  rcode: z.enum(DNS_CODES).meta({ description: 'NXDOMAIN: the name must not exist' }),
  expect: expectShape,
};

const fields = {
  host: shapes.host,
  record: shapes.record,
  servers: shapes.servers.default([]),
  agree: shapes.agree.default('all'),
  transport: shapes.transport.default('udp'),
  rcode: shapes.rcode.default('NOERROR'),
  expect: shapes.expect.default(null),
};

const whole = z.object(allowFieldReferences(fields));

const IP_ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|\[?[0-9a-f]*:[0-9a-f:.]*\]?)$/i;

function findDnsProblems({ host, record, rcode, expect }: Sent): readonly ShapeProblem[] {
  const problems: ShapeProblem[] = [];
  if (typeof host === 'string' && IP_ADDRESS.test(host) && record !== 'PTR') {
    const message = 'must be a name; only PTR records can be looked up for an IP address';
    problems.push({ path: 'host', code: 'invalid_value', message });
  }
  if (rcode === 'NXDOMAIN' && typeof expect === 'string') {
    const message = 'cannot be combined with the rcode NXDOMAIN, which has no records';
    problems.push({ path: 'expect', code: 'invalid_value', message });
  }
  return problems;
}

export const DNS_SHAPE: KindShape<'dns'> = {
  schemaName: 'Dns',
  words: {
    label: 'DNS record',
    title: 'DNS check',
    about: 'Asks name servers for the records of a name',
    examplePath: '$.records[0]',
  },
  fields,
  secretFields: [],
  hasCertificate: false,
  findProblems: findDnsProblems,
  read: (sent) => {
    const settings: DnsSettings = whole.parse({ host: 'missing.invalid', record: 'A', ...sent });
    const targets = settings.servers.map((text, index) => {
      // A text with references cannot be parsed here. The text is used unchanged.
      const server = parseDnsServer(text);
      const authority = server === null ? text : formatAuthority(server.host, server.port);
      return { path: `servers[${index}]`, url: `dns://${authority}` };
    });
    const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
    const url = `dns://${host}/${settings.record}`;
    return { check: { type: 'dns', settings }, url, targets };
  },
};
