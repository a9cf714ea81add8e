/** Path, query and header parameters of a route, for the reference. */
import { z } from 'zod';
import type { ZodOpenApiParameters } from 'zod-openapi';
import { idSchema } from '../../schemas/responses/parts';
import { secretNameShape } from '../../schemas/secret';
import type { Route } from '../routing/route';
import { ID_PARAMETERS } from '../server/id-parameters';
import { findObject, isVersioned } from './shape-facts';

const PATH_PARAMETERS: ReadonlyMap<string, z.ZodType> = new Map([
  ...[...ID_PARAMETERS].map(([name, kind]) => [name, named(idSchema(kind), name)] as const),
  ['secretName', named(secretNameShape, 'secretName')] as const,
]);

const IF_MATCH = z
  .string()
  .optional()
  .meta({
    param: {
      id: 'IfMatch',
      description: 'The entity tag, of which the version counts; stale: 412',
    },
  });
const IF_NONE_MATCH = z
  .string()
  .optional()
  .meta({ param: { id: 'IfNoneMatch', description: 'The entity tag that is held: 304' } });
const IDEMPOTENCY_KEY = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .meta({
    param: {
      id: 'IdempotencyKey',
      description: 'Kept for 24 h: the same key and body get the same response',
    },
  });

/** Names the component after the parameter: `monitorId` becomes `MonitorId`. */
function named(shape: z.ZodType, name: string): z.ZodType {
  return shape.meta({ param: { id: `${name.charAt(0).toUpperCase()}${name.slice(1)}` } });
}

export function buildParameters(entry: Route): ZodOpenApiParameters {
  const names = [...entry.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const query = findObject(entry.shapes.query);
  const header = listHeaders(entry);
  const path = names.map((name) => [name, PATH_PARAMETERS.get(name) ?? z.string()] as const);
  return {
    ...(names.length > 0 && { path: z.object(Object.fromEntries(path)) }),
    ...(query !== null && Object.keys(query.shape).length > 0 && { query }),
    ...(Object.keys(header).length > 0 && { header: z.object(header) }),
  };
}

/** Lists the precondition headers and the idempotency key, for routes that read these headers. */
function listHeaders({ method, scope, doc }: Route): Record<string, z.ZodType> {
  const isConditional = doc.codes?.includes('version_mismatch') === true;
  const isTagged = method === 'GET' && isVersioned(doc.responses[200]?.schema);
  return {
    ...(isConditional && { 'If-Match': IF_MATCH }),
    ...(isTagged && { 'If-None-Match': IF_NONE_MATCH }),
    ...(method === 'POST' && scope !== 'public' && { 'Idempotency-Key': IDEMPOTENCY_KEY }),
  };
}
