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
import { describeChange, describeOperation, type ResourceNames } from './resource-texts';
import { createdResponse, listResponse, NO_CONTENT, resourceResponse } from './response';
import { PATCH_BODY, type Route, route } from './route';
import { DONE } from './route-doc';

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

const IF_CHANGED = 'With `If-None-Match`, the response is 304 if nothing has changed.';
const READS = { scope: 'read' } as const;
const WRITES = { scope: 'write' } as const;

type Shown<Schema extends z.ZodType> = z.output<Schema> | ResponseOf<Schema>;
type Versioned = { readonly version: number };

interface Listing<Query, Schema extends z.ZodType> {
  /** The description in the reference. By default, it says that the list comes in pages, newest first. */
  readonly description?: string | undefined;
  readonly query: z.ZodType<Query>;
  readonly schema: Schema;
  readonly list: (caller: Caller, query: Query) => Promise<Shown<Schema> & ListPage<unknown>>;
}

export function listRoute<Query, Schema extends z.ZodType>(
  names: ResourceNames,
  { description, query: shape, schema, list }: Listing<Query, Schema>,
): Route {
  const { path, operand, operands = `${operand}s`, many } = names;
  return route({
    endpoint: `GET ${path}`,
    operationId: `list${operands}`,
    ...describeOperation(names, 'List', description ?? `Returns ${many} in pages, newest first.`),
    ...READS,
    query: shape,
    responses: { 200: { description: 'A page', schema } },
    handler: async (principal, { services, query, url }) =>
      listResponse(await list({ services, principal }, query), url),
  });
}

interface Writing {
  readonly codes?: readonly ErrorCode[];
  readonly example: unknown;
  /** The body in the reference. Default: the validating schema. */
  readonly documented?: z.ZodType | undefined;
}

interface Creation<Body, Schema extends z.ZodType> extends Writing {
  readonly description: string;
  readonly body: BodyShape<Body>;
  readonly schema: Schema;
  readonly create: (
    caller: Caller,
    body: Body,
  ) => Promise<Shown<Schema> & Versioned & { readonly id: string }>;
}

export function createRoute<Body, Schema extends z.ZodType>(
  names: ResourceNames,
  {
    description,
    codes = [],
    example,
    documented,
    body: shape,
    schema,
    create,
  }: Creation<Body, Schema>,
): Route {
  const { path, operand, audit, the } = names;
  return route({
    endpoint: `POST ${path}`,
    operationId: `create${operand}`,
    ...describeOperation(names, 'Create', description),
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
  /** What the response contains. Default: the whole object, if it has changed. */
  readonly description?: string | undefined;
  readonly schema: Schema;
  readonly read: (target: Target) => Promise<Shown<Schema> & Versioned>;
}

export function getRoute<Schema extends z.ZodType>(
  names: ResourceNames,
  { description, schema, read }: Reading<Schema>,
): Route {
  const { path, param, operand, the, one } = names;
  return route({
    endpoint: `GET ${path}/:${param}`,
    operationId: `get${operand}`,
    ...describeOperation(names, 'Get', description ?? `Returns ${one}. ${IF_CHANGED}`),
    ...READS,
    responses: { 200: { description: the, schema } },
    handler: async (principal, { services, param: paramOf }) =>
      resourceResponse(await read({ services, principal, id: paramOf(param) })),
  });
}

export interface Replacing<Body, Schema extends z.ZodType> extends Writing {
  /** What is special about a change of this resource. It is appended to the description that all changes have. */
  readonly effect?: string | undefined;
  /** Time limit of the route. If absent, the default time limit applies. */
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
  names: ResourceNames,
  {
    effect,
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
  const { path, param, operand, audit, the } = names;
  return route({
    endpoint: `PUT ${path}/:${param}`,
    operationId: `replace${operand}`,
    ...describeOperation(names, 'Replace', describeChange('PUT', effect)),
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
  /** The shape of the patch, for the reference. */
  readonly patch: z.ZodType;
}

export function patchRoute<Body, Schema extends z.ZodType>(
  names: ResourceNames,
  {
    effect,
    codes = [],
    deadlineMs,
    body: shape,
    fields = shape,
    schema,
    read,
    replace,
  }: Omit<Replacing<Body, Schema>, 'example'>,
  { patch: documentedBody, example }: Patching,
): Route {
  const { path, param, operand, audit, the } = names;
  return route({
    endpoint: `PATCH ${path}/:${param}`,
    operationId: `update${operand}`,
    ...describeOperation(names, 'Update', describeChange('PATCH', effect)),
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

interface Deletion extends Pick<Writing, 'codes'> {
  readonly description: string;
  readonly remove: (change: Change) => Promise<unknown>;
}

export function deleteRoute(
  names: ResourceNames,
  { description, codes = [], remove }: Deletion,
): Route {
  const { path, param, operand, audit } = names;
  return route({
    endpoint: `DELETE ${path}/:${param}`,
    operationId: `delete${operand}`,
    ...describeOperation(names, 'Delete', description),
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
