/**
 * The routes of a thing (an object that an account owns): list, create, read, replace, patch and delete, with their
 * documentation for the reference.
 */
import type { z } from 'zod';
import type { ErrorCode } from '../../contracts/error-codes';
import { pageQuery } from '../../schemas/queries';
import type { Principal } from '../../services/accounts/principal';
import type { ListPage, ListRequest } from '../../services/lists/read-list';
import {
  createTypedObject,
  findTypedObject,
  type ObjectType,
  removeTypedObject,
  replaceTypedObject,
} from '../../services/objects/object-type';
import { type AccountObject, listObjects } from '../../services/objects/object-verbs';
import { toReplacementShape } from './replace-body';
import {
  type Caller,
  type Change,
  createRoute,
  deleteRoute,
  getRoute,
  listRoute,
  patchRoute,
  replaceRoute,
  type Target,
} from './resource-routes';
import type { ResourceNames } from './resource-texts';
import type { Route } from './route';

interface Shown {
  readonly id: string;
  readonly version: number;
}

export interface ObjectDoc<Response> {
  readonly names: ResourceNames;
  readonly schema: z.ZodType<Response>;
  readonly page: z.ZodType<ListPage<Response>>;
  readonly descriptions: {
    readonly list?: string;
    readonly create: string;
    readonly read?: string;
    readonly remove: string;
  };
  readonly codes: {
    readonly create: readonly ErrorCode[];
    readonly remove?: readonly ErrorCode[];
  };
  readonly example: unknown;
  /** Returns the part of the object that the caller may see. If absent, callers see the whole object. */
  readonly show?: (principal: Principal, response: Response) => Response;
}

/** Returns the body schema of a thing, and its use cases as functions with the parameters that routes have. */
export function createVerbs<Entity extends AccountObject, Body, Response>(
  thing: ObjectType<Entity, Body, Response>,
) {
  const present = ({ services }: Caller, object: Entity): Response =>
    thing.bind(services).present(object);
  return {
    body: toReplacementShape(thing.shape, thing.readOnlyFields),
    list: ({ services, principal }: Caller, query: ListRequest) =>
      listObjects(thing.bind(services), principal.accountId, query),
    create: async (caller: Caller, body: Body) =>
      present(caller, await createTypedObject(caller.services, thing, caller.principal, body)),
    read: async (target: Target) => {
      const { services, principal, id } = target;
      const { accountId } = principal;
      return present(target, await findTypedObject(services, thing, { accountId, id }));
    },
    replace: async ({ services, principal, ...change }: Change, body: Body) => {
      const replaced = await replaceTypedObject(services, thing, principal, { ...change, body });
      return present({ services, principal }, replaced);
    },
    remove: ({ services, principal: { accountId }, id, accept }: Change) =>
      removeTypedObject(services, thing, { accountId, id, accept }),
  };
}

/**
 * Returns each route separately, because the route table puts other routes between these routes, and some things do not
 * have all of them.
 */
export function objectRoutes<Entity extends AccountObject, Body, Response extends Shown>(
  thing: ObjectType<Entity, Body, Response>,
  {
    names,
    schema,
    page,
    descriptions,
    codes,
    example,
    show = (_, shown) => shown,
  }: ObjectDoc<Response>,
) {
  const { list, create, read, remove } = createVerbs(thing);
  return {
    list: listRoute(names, {
      description: descriptions.list,
      query: pageQuery,
      schema: page,
      list: async (caller, query) => {
        const { data, ...found } = await list(caller, query);
        return { ...found, data: data.map((shown) => show(caller.principal, shown)) };
      },
    }),
    create: createRoute(names, {
      description: descriptions.create,
      body: thing.shape,
      schema,
      codes: codes.create,
      example,
      create,
    }),
    read: getRoute(names, {
      description: descriptions.read,
      schema,
      read: async (target) => show(target.principal, await read(target)),
    }),
    remove: deleteRoute(names, {
      description: descriptions.remove,
      codes: codes.remove ?? [],
      remove,
    }),
  };
}

interface ReplacementDoc {
  /** The effect of a change on other objects. */
  readonly effect?: string;
  readonly codes?: readonly ErrorCode[];
  readonly patch: z.ZodType;
  readonly patchExample: unknown;
}

/** Returns the routes for PUT and PATCH. */
export function replacementRoutes<Entity extends AccountObject, Body, Response extends Shown>(
  thing: ObjectType<Entity, Body, Response>,
  { names, schema, example }: Pick<ObjectDoc<Response>, 'names' | 'schema' | 'example'>,
  { effect, codes = [], patch, patchExample }: ReplacementDoc,
): readonly Route[] {
  const { body, read, replace } = createVerbs(thing);
  const replacement = { effect, codes, example, schema, body, read, replace };
  return [
    replaceRoute(names, replacement),
    patchRoute(names, replacement, { patch, example: patchExample }),
  ];
}
