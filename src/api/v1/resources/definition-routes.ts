/**
 * Routes that monitors and scenarios share: each translates between HTTP and one use case, and no
 * more. What only one kind can do stands in that kind's room.
 */
import type { z } from 'zod';
import type { ErrorCode } from '../../../contracts/error-codes';
import { listQuery } from '../../../schemas/queries';
import type { Dependencies } from '../../../services/ports/dependencies';
import { createResource } from '../../../services/resources/create-resource';
import { deleteResource } from '../../../services/resources/delete-resource';
import { getResource } from '../../../services/resources/get-resource';
import type { Kind, KindFacts, KindTypes } from '../../../services/resources/kind';
import { listViews } from '../../../services/resources/list-views';
import { replaceResource } from '../../../services/resources/replace-resource';
import { patchResource } from '../../routing/patch-resource';
import { acceptVersion } from '../../routing/preconditions';
import { replacementOf, saysEnabled } from '../../routing/replace-body';
import {
  createdResponse,
  listResponse,
  NO_CONTENT,
  resourceResponse,
} from '../../routing/response';
import { NO_BODY, NO_QUERY, PATCH_BODY, type Route, route } from '../../routing/route';
import { DONE, type RouteDoc } from '../../routing/route-doc';
import { allShownTo, shownTo } from './shown-definition';

/** A kind as its routes need to know it. */
export interface RoutedKind<Types extends KindTypes> {
  readonly facts: KindFacts<Types>;
  readonly kindOf: (services: Dependencies) => Kind<Types>;
  readonly tag: RouteDoc['tag'];
  readonly patch: z.ZodType;
  readonly example: unknown;
  readonly patchExample: unknown;
  /** How the reference speaks of one check of it, of all their results, and of what they measure. */
  readonly words: { readonly check: string; readonly results: string; readonly measures: string };
}

/** What a definition may be refused for beside its shape. */
export const DEFINITION_CODES = [
  'unknown_region',
  'unknown_variable',
  'blocked_target',
  'dependency_cycle',
] as const satisfies readonly ErrorCode[];
const NEW_CODES = [...DEFINITION_CODES, 'key_taken', 'limit_reached'] as const;
const CHANGE_CODES = [...NEW_CODES, 'version_mismatch'] as const;

/** What all routes of a kind are made of: its paths, and its names in them, in the reference and the trail. */
export function namesOf<Types extends KindTypes>({ facts: { idKind } }: RoutedKind<Types>) {
  const idField = `${idKind}Id` as const;
  const operand = idKind === 'monitor' ? 'Monitor' : 'Scenario';
  return {
    list: `/v1/${idKind}s`,
    one: `/v1/${idKind}s/:${idField}`,
    idField,
    noun: idKind,
    operand,
    the: `The ${idKind}`,
  } as const;
}

/** Create, list, read, replace, patch and delete. */
export function definitionRoutes<Types extends KindTypes>(
  routed: RoutedKind<Types>,
): readonly Route[] {
  return [
    listRoute(routed),
    createRoute(routed),
    getRoute(routed),
    replaceRoute(routed),
    patchRoute(routed),
    deleteRoute(routed),
  ];
}

function listRoute<Types extends KindTypes>(routed: RoutedKind<Types>): Route {
  const { facts, kindOf, tag } = routed;
  const { list, noun, operand } = namesOf(routed);
  return route({
    endpoint: `GET ${list}`,
    operationId: `list${operand}s`,
    tag,
    summary: `List ${noun}s, newest first`,
    scope: 'read',
    body: NO_BODY,
    query: listQuery,
    responses: { 200: { description: 'A page', schema: facts.page } },
    handler: async (principal, { services, query, url }) => {
      const { accountId } = principal;
      const page = await listViews(services, kindOf(services), { ...query, accountId });
      return listResponse({ ...page, data: allShownTo(principal, page.data) }, url);
    },
  });
}

function createRoute<Types extends KindTypes>(routed: RoutedKind<Types>): Route {
  const { facts, kindOf, tag, example, words } = routed;
  const { list, noun, operand, the } = namesOf(routed);
  return route({
    endpoint: `POST ${list}`,
    operationId: `create${operand}`,
    tag,
    summary: `Create a ${noun}; its first ${words.check} follows at once`,
    scope: 'write',
    audit: `${noun}.create`,
    body: facts.shape,
    query: NO_QUERY,
    responses: { 201: { description: the, schema: facts.response } },
    codes: NEW_CODES,
    example,
    handler: async ({ accountId }, { services, body }) => {
      const view = await createResource(services, kindOf(services), { accountId, body });
      return createdResponse(view, `${list}/${view.id}`);
    },
  });
}

function getRoute<Types extends KindTypes>(routed: RoutedKind<Types>): Route {
  const { facts, kindOf, tag } = routed;
  const { one, idField, noun, operand, the } = namesOf(routed);
  return route({
    endpoint: `GET ${one}`,
    operationId: `get${operand}`,
    tag,
    summary: `Read a ${noun} with its health`,
    scope: 'read',
    body: NO_BODY,
    query: NO_QUERY,
    responses: { 200: { description: the, schema: facts.response } },
    handler: async (principal, { services, param }) => {
      const target = { accountId: principal.accountId, id: param(idField) };
      const view = await getResource(services, kindOf(services), target);
      return resourceResponse(shownTo(principal, view));
    },
  });
}

function replaceRoute<Types extends KindTypes>(routed: RoutedKind<Types>): Route {
  const { facts, kindOf, tag, example } = routed;
  const { one, idField, noun, operand, the } = namesOf(routed);
  return route({
    endpoint: `PUT ${one}`,
    operationId: `replace${operand}`,
    tag,
    summary: 'Replace the whole definition',
    scope: 'write',
    audit: `${noun}.put`,
    body: replacementOf(facts.shape, facts.readOnlyFields),
    readStored: ({ accountId }, { services, param }) =>
      getResource(services, kindOf(services), { accountId, id: param(idField) }),
    query: NO_QUERY,
    responses: { 200: { description: the, schema: facts.response } },
    codes: CHANGE_CODES,
    example,
    handler: async ({ accountId }, { services, param, body, sent, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      const isEnabled = saysEnabled(sent) ? body.enabled : null;
      const replacement = { accountId, id: param(idField), body, isEnabled, accept };
      return resourceResponse(await replaceResource(services, kindOf(services), replacement));
    },
  });
}

function patchRoute<Types extends KindTypes>(routed: RoutedKind<Types>): Route {
  const { facts, kindOf, tag, patch: documentedBody, patchExample: example } = routed;
  const { one, idField, noun, operand, the } = namesOf(routed);
  const shape = replacementOf(facts.shape, facts.readOnlyFields);
  return route({
    endpoint: `PATCH ${one}`,
    operationId: `update${operand}`,
    tag,
    summary: 'Change single fields (JSON merge patch, RFC 7396)',
    scope: 'write',
    audit: `${noun}.update`,
    body: PATCH_BODY,
    query: NO_QUERY,
    responses: { 200: { description: the, schema: facts.response } },
    codes: CHANGE_CODES,
    documentedBody,
    example,
    handler: async ({ accountId }, { services, param, body: patch, headers }) => {
      const target = { accountId, id: param(idField) };
      const kind = kindOf(services);
      const view = await patchResource(services, {
        patch,
        shape,
        accept: acceptVersion(headers['if-match']),
        read: () => getResource(services, kind, target),
        replace: (patched) => {
          const isEnabled = saysEnabled(patch) ? patched.body.enabled : null;
          return replaceResource(services, kind, { ...target, ...patched, isEnabled });
        },
      });
      return resourceResponse(view);
    },
  });
}

function deleteRoute<Types extends KindTypes>(routed: RoutedKind<Types>): Route {
  const { kindOf, tag, words } = routed;
  const { one, idField, noun, operand } = namesOf(routed);
  return route({
    endpoint: `DELETE ${one}`,
    operationId: `delete${operand}`,
    tag,
    summary: `Delete a ${noun} and its ${words.results}`,
    scope: 'write',
    audit: `${noun}.delete`,
    body: NO_BODY,
    query: NO_QUERY,
    responses: DONE,
    codes: ['version_mismatch'],
    handler: async ({ accountId }, { services, param, headers }) => {
      const accept = acceptVersion(headers['if-match']);
      await deleteResource(services, kindOf(services), { accountId, id: param(idField), accept });
      return NO_CONTENT;
    },
  });
}
