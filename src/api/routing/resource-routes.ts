/**
 * The routes that all resources have: list, create, read, replace, patch and delete. A resource provides its names,
 * schemas and use cases.
 */
import type { z } from 'zod';
import type { ErrorCode } from '../../contracts/error-codes';
import type { ResponseOf } from '../../schemas/responses/parts';
import type { Principal } from '../../services/accounts/principal';
import type { ListPage } from '../../services/lists/read-list';
import type { Dependencies } from '../../services/ports/dependencies';
import { patchResource } from './patch-resource';
import { acceptVersion } from './preconditions';
import type { BodyShape } from './read-shape';
import { createdResponse, listResponse, NO_CONTENT, resourceResponse } from './response';
import { PATCH_BODY, type Route, route } from './route';
import { DONE, type RouteDoc } from './route-doc';

/** The names of a resource in paths, in the reference and in the audit trail. */
export interface ResourceNames {
  readonly tag: RouteDoc['tag'];
  /** For example `/v1/status-pages`. */
  readonly path: `/v1/${string}`;
  /** For example `pageId`. */
  readonly param: string;
  /** Used in operation ids, for example `StatusPage`. */
  readonly operand: string;
  /** The plural in operation ids. Default: the operand plus `s`. */
  readonly operands?: string;
  /** Used in the audit trail, for example `status_page`. */
  readonly audit: string;
  /** Used in the reference, for example `The status page`. */
  readonly the: string;
}

export interface Caller {
  readonly services: Dependencies;
  readonly principal: Principal;
}

export interface Target extends Caller {
  readonly id: string;
}

/** `accept` throws if the current version is not the version that the client expects. */
export interface Change extends Target {
  readonly accept: (version: number) => void;
  /** The patch that was merged into the body. If absent, the body was sent as a whole. */
  readonly patch?: Readonly<Record<string, unknown>>;
}

const READS = { scope: 'read' } as const;
const WRITES = { scope: 'write' } as const;

type Shown<Schema extends z.ZodType> = z.output<Schema> | ResponseOf<Schema>;
type Versioned = { readonly version: number };

interface Listing<Query, Schema extends z.ZodType> {
  readonly summary: string;
  readonly query: z.ZodType<Query>;
  readonly schema: Schema;
  readonly list: (caller: Caller, query: Query) => Promise<Shown<Schema> & ListPage<unknown>>;
}

export function listRoute<Query, Schema extends z.ZodType>(
  { tag, path, operand, operands = `${operand}s` }: ResourceNames,
  { summary, query: shape, schema, list }: Listing<Query, Schema>,
): Route {
  return route({
    endpoint: `GET ${path}`,
    operationId: `list${operands}`,
    tag,
    summary,
    ...READS,
    query: shape,
    responses: { 200: { description: 'A page', schema } },
    handler: async (principal, { services, query, url }) =>
      listResponse(await list({ services, principal }, query), url),
  });
}

interface Writing {
  readonly summary: string;
  readonly codes?: readonly ErrorCode[];
  readonly example: unknown;
  /** The body in the reference. Default: the validating schema. */
  readonly documented?: z.ZodType | undefined;
}

interface Creation<Body, Schema extends z.ZodType> extends Writing {
  readonly body: BodyShape<Body>;
  readonly schema: Schema;
  readonly create: (
    caller: Caller,
    body: Body,
  ) => Promise<Shown<Schema> & Versioned & { readonly id: string }>;
}

export function createRoute<Body, Schema extends z.ZodType>(
  { tag, path, operand, audit, the }: ResourceNames,
  { summary, codes = [], example, documented, body: shape, schema, create }: Creation<Body, Schema>,
): Route {
  return route({
    endpoint: `POST ${path}`,
    operationId: `create${operand}`,
    tag,
    summary,
    ...WRITES,
    audit: `${audit}.create`,
    body: shape,
    responses: { 201: { description: the, schema } },
    codes,
    example,
    ...(documented !== undefined && { documentedBody: documented }),
    handler: async (principal, { services, body }) => {
      const created = await create({ services, principal }, body);
      return createdResponse(created, `${path}/${created.id}`);
    },
  });
}

export interface Reading<Schema extends z.ZodType> {
  readonly summary: string;
  readonly schema: Schema;
  readonly read: (target: Target) => Promise<Shown<Schema> & Versioned>;
}

export function getRoute<Schema extends z.ZodType>(
  { tag, path, param, operand, the }: ResourceNames,
  { summary, schema, read }: Reading<Schema>,
): Route {
  return route({
    endpoint: `GET ${path}/:${param}`,
    operationId: `get${operand}`,
    tag,
    summary,
    ...READS,
    responses: { 200: { description: the, schema } },
    handler: async (principal, { services, param: paramOf }) =>
      resourceResponse(await read({ services, principal, id: paramOf(param) })),
  });
}

export interface Replacing<Body, Schema extends z.ZodType> extends Writing {
  /** Time limit of the route. If absent, the time limit of most routes applies. */
  readonly deadlineMs?: number;
  readonly schema: Schema;
  /** A whole definition. Its read-only fields are ignored. */
  readonly body: BodyShape<Body>;
  /** Finds unknown fields of a patch, if `body` accepts any field. */
  readonly fields?: BodyShape<unknown>;
  /** Reads the resource to replace. A patch may be refused here, before it is merged. */
  readonly read: (
    target: Target,
    patch: Readonly<Record<string, unknown>>,
  ) => Promise<Shown<Schema> & Versioned>;
  /** Replaces the resource. `sent` is the raw body, without defaults. */
  readonly replace: (
    change: Change,
    body: Body,
    sent: unknown,
  ) => Promise<Shown<Schema> & Versioned>;
}

export function replaceRoute<Body, Schema extends z.ZodType>(
  { tag, path, param, operand, audit, the }: ResourceNames,
  {
    summary,
    codes = [],
    example,
    documented,
    deadlineMs,
    body: shape,
    schema,
    read,
    replace,
  }: Replacing<Body, Schema>,
): Route {
  return route({
    endpoint: `PUT ${path}/:${param}`,
    operationId: `replace${operand}`,
    tag,
    summary,
    ...WRITES,
    ...(deadlineMs !== undefined && { deadlineMs }),
    audit: `${audit}.put`,
    body: shape,
    readStored: (principal, { services, param: paramOf }) =>
      read({ services, principal, id: paramOf(param) }, {}),
    responses: { 200: { description: the, schema } },
    codes: [...codes, 'version_mismatch'],
    example,
    ...(documented !== undefined && { documentedBody: documented }),
    handler: async (principal, { services, param: paramOf, body, sent, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      const change = { services, principal, id: paramOf(param), accept };
      return resourceResponse(await replace(change, body, sent));
    },
  });
}

interface Patching extends Pick<Writing, 'example'> {
  readonly summary?: string;
  /** The shape of the patch, for the reference. */
  readonly patch: z.ZodType;
}

export function patchRoute<Body, Schema extends z.ZodType>(
  { tag, path, param, operand, audit, the }: ResourceNames,
  {
    codes = [],
    deadlineMs,
    body: shape,
    fields = shape,
    schema,
    read,
    replace,
  }: Omit<Replacing<Body, Schema>, 'summary' | 'example'>,
  {
    summary = 'Change single fields (JSON merge patch, RFC 7396)',
    patch: documentedBody,
    example,
  }: Patching,
): Route {
  return route({
    endpoint: `PATCH ${path}/:${param}`,
    operationId: `update${operand}`,
    tag,
    summary,
    ...WRITES,
    ...(deadlineMs !== undefined && { deadlineMs }),
    audit: `${audit}.update`,
    body: PATCH_BODY,
    responses: { 200: { description: the, schema } },
    codes: [...codes, 'version_mismatch'],
    documentedBody,
    example,
    handler: async (principal, { services, param: paramOf, body: patch, headers }) => {
      const target = { services, principal, id: paramOf(param) };
      const patched = await patchResource(services, {
        patch,
        shape,
        fields,
        accept: acceptVersion(headers['if-match']),
        read: () => read(target, patch),
        replace: ({ body, accept }) => replace({ ...target, accept, patch }, body, patch),
      });
      return resourceResponse(patched);
    },
  });
}

interface Deletion extends Pick<Writing, 'summary' | 'codes'> {
  readonly remove: (change: Change) => Promise<unknown>;
}

export function deleteRoute(
  { tag, path, param, operand, audit }: ResourceNames,
  { summary, codes = [], remove }: Deletion,
): Route {
  return route({
    endpoint: `DELETE ${path}/:${param}`,
    operationId: `delete${operand}`,
    tag,
    summary,
    ...WRITES,
    audit: `${audit}.delete`,
    responses: DONE,
    codes: [...codes, 'version_mismatch'],
    handler: async (principal, { services, param: paramOf, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      await remove({ services, principal, id: paramOf(param), accept });
      return NO_CONTENT;
    },
  });
}
