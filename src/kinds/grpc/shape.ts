/** The fields of a gRPC check. The check asks a server for its health with grpc.health.v1. */
import { z } from 'zod';
import type { GrpcSettings } from '../../contracts/kinds';
import type { ShapeProblem } from '../../schemas/issues';
import { allowFieldReferences } from '../allow-references';
import {
  hostShape,
  type KindShape,
  portShape,
  type Sent,
  serverNameShape,
  useTlsShape,
} from '../fields';
import { formatAuthority } from '../words';

const SERVICE_MAX = 200;

const fields = {
  host: hostShape,
  port: portShape,
  useTls: useTlsShape.default(false),
  serverName: serverNameShape.default(null),
  service: z
    .string()
    .min(1)
    .max(SERVICE_MAX)
    .regex(/^[^\p{Cc}\p{Surrogate}]+$/u, 'must not contain control characters')
    .nullable()
    .meta({ description: 'Service whose health is requested; null: the whole server' })
    .default(null),
};

const whole = z.object(allowFieldReferences(fields));

function findGrpcProblems({ useTls, serverName }: Sent): readonly ShapeProblem[] {
  if (useTls === true || typeof serverName !== 'string') return [];
  const message = 'is only allowed with useTls, because it is the name in the certificate';
  return [{ path: 'serverName', code: 'invalid_value', message }];
}

export const GRPC_SHAPE: KindShape<'grpc'> = {
  schemaName: 'Grpc',
  words: {
    label: 'gRPC health',
    title: 'gRPC check',
    about: 'Asks the health service of a gRPC server',
    examplePath: '$.status',
  },
  fields,
  secretFields: [],
  hasCertificate: true,
  findProblems: findGrpcProblems,
  read: (sent) => {
    const settings: GrpcSettings = whole.parse({ host: 'missing.invalid', port: 1, ...sent });
    const target = `grpc://${formatAuthority(settings.host, settings.port)}`;
    const url =
      settings.service === null ? target : `${target}/${encodeURIComponent(settings.service)}`;
    return { check: { type: 'grpc', settings }, url, targets: [{ path: 'host', url: target }] };
  },
};
