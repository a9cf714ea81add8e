/**
 * The fields of a TLS check. The check tests whether a certificate is trusted, the names in the certificate, and the
 * TLS version.
 */
import { z } from 'zod';
import { TLS_VERSIONS, type TlsSettings } from '../../contracts/kinds';
import { allowFieldReferences } from '../allow-references';
import { hostShape, type KindShape, portShape, serverNameShape, startTlsShape } from '../fields';
import { formatAuthority } from '../words';

const NAMES_MAX = 20;

const shapes = {
  host: hostShape,
  port: portShape,
  serverName: serverNameShape,
  minVersion: z
    .enum(TLS_VERSIONS)
    .meta({ description: 'A server that supports only older versions fails' }),
  names: z
    .array(hostShape)
    .max(NAMES_MAX)
    .meta({ description: 'Further names that the certificate must be valid for' }),
  startTls: startTlsShape,
};

const fields = {
  host: shapes.host,
  port: shapes.port.default(443),
  serverName: shapes.serverName.default(null),
  minVersion: shapes.minVersion.default('TLSv1.2'),
  names: shapes.names.default([]),
  startTls: shapes.startTls.default(null),
};

const whole = z.object(allowFieldReferences(fields));

export const TLS_SHAPE: KindShape<'tls'> = {
  schemaName: 'Tls',
  words: {
    label: 'TLS certificate',
    title: 'TLS check',
    about: 'Checks the certificate of a server',
    examplePath: '$.daysUntilExpiry',
  },
  fields,
  secretFields: [],
  hasCertificate: true,
  findProblems: () => [],
  read: (sent) => {
    const settings: TlsSettings = whole.parse({ host: 'missing.invalid', ...sent });
    const url = `tls://${formatAuthority(settings.host, settings.port)}`;
    return { check: { type: 'tls', settings }, url, targets: [{ path: 'host', url }] };
  },
};
