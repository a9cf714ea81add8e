/** The fields of a TCP check. The check tests whether a port accepts connections, and how the server responds. */
import { z } from 'zod';
import type { TcpSettings } from '../../contracts/kinds';
import type { ShapeProblem } from '../../schemas/issues';
import { allowFieldReferences } from '../allow-references';
import {
  expectShape,
  findBoth,
  findUnreadExtraction,
  hostShape,
  type KindShape,
  portShape,
  SEND_BYTES_MAX,
  type Sent,
  sendShape,
  startTlsShape,
  useTlsShape,
} from '../fields';
import { formatAuthority } from '../words';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const fields = {
  host: hostShape,
  port: portShape,
  useTls: useTlsShape.default(false),
  startTls: startTlsShape.default(null),
  send: sendShape.default(null),
  sendBase64: z
    .string()
    .min(1)
    .regex(BASE64, 'must be base64')
    .refine((text) => (text.length / 4) * 3 <= SEND_BYTES_MAX + 2, 'must have at most 4 KiB')
    .nullable()
    .meta({ description: 'Bytes to send, in base64, instead of `send`' })
    .default(null),
  expect: expectShape.default(null),
};

const whole = z.object(allowFieldReferences(fields));

function findTcpProblems(body: Sent): readonly ShapeProblem[] {
  return [
    ...findBoth(body, ['useTls', 'startTls']),
    ...findBoth(body, ['send', 'sendBase64']),
    ...findUnreadExtraction(body),
  ];
}

export const TCP_SHAPE: KindShape<'tcp'> = {
  schemaName: 'Tcp',
  words: {
    label: 'TCP port',
    title: 'TCP check',
    about: 'Connects to a port, and can check the response of its server',
  },
  fields,
  secretFields: ['send'],
  hasCertificate: true,
  findProblems: findTcpProblems,
  read: (sent) => {
    const settings: TcpSettings = whole.parse({ host: 'missing.invalid', port: 1, ...sent });
    const url = `tcp://${formatAuthority(settings.host, settings.port)}`;
    return { check: { type: 'tcp', settings }, url, targets: [{ path: 'host', url }] };
  },
};
