/** Path, query and header parameters of a route, for the reference. */
import { z } from 'zod';
import type { ZodOpenApiParameters } from 'zod-openapi';
import { idSchema } from '../../schemas/responses/parts';
import { secretNameShape } from '../../schemas/secret';
import type { Route } from '../routing/route';
import { ID_PARAMETERS } from '../server/id-parameters';
import { findObject, isVersioned } from './shape-facts';

/** Descriptions of the parameters whose names alone do not explain them. */
const PATH_WORDS: Readonly<Record<string, string>> = {
  keyId: 'The id of the API key',
  pageId: 'The id of the status page',
  postId: 'The id of the post',
  providerId: 'The id of the identity provider, as in `GET /v1/sign-in/options`',
  resultId: 'The id of the result',
  secretName: 'The name of the secret',
  viewId: 'The id of the saved view',
  windowId: 'The id of the maintenance window',
};

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
      description:
        'The `ETag` of the version that you have read, whole or only the version. If it is outdated, the response is 412. Default: any version',
    },
  });
const IF_NONE_MATCH = z
  .string()
  .optional()
  .meta({
    param: {
      id: 'IfNoneMatch',
      description:
        'The `ETag` that you have. If nothing has changed since, the response is 304 without a body',
    },
  });
const IDEMPOTENCY_KEY = z
  .string()
  .min(1)
  .max(255)
  .optional()
  .meta({
    param: {
      id: 'IdempotencyKey',
      description:
        'A key of your choice, kept for 24 hours: the same key and body get the same response, and nothing is done again',
    },
  });

/** Names the component after the parameter: `monitorId` becomes `MonitorId`. */
function named(shape: z.ZodType, name: string): z.ZodType {
  const id = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return shape.meta({ param: { id, description: describePathParameter(name) } });
}

/** Describes a parameter by its name: `probeKeyId` is the id of the probe key. */
function describePathParameter(name: string): string {
  const words = name
    .replace(/Id$/, '')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return PATH_WORDS[name] ?? `The id of the ${words}`;
}

export function buildParameters(entry: Route): ZodOpenApiParameters {
  const names = [...entry.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const query = findObject(entry.shapes.query);
  const header = listHeaders(entry);
  const path = names.map(
    (name) => [name, PATH_PARAMETERS.get(name) ?? otherParameter(name)] as const,
  );
  return {
    ...(names.length > 0 && { path: z.object(Object.fromEntries(path)) }),
    ...(query !== null && Object.keys(query.shape).length > 0 && { query }),
    ...(Object.keys(header).length > 0 && { header: z.object(header) }),
  };
}

function otherParameter(name: string): z.ZodType {
  return z.string().meta({ param: { description: describePathParameter(name) } });
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
