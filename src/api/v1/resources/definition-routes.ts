/** Routes that monitors and scenarios share. */
import type { z } from 'zod';
import type { ErrorCode } from '../../../contracts/error-codes';
import type { Fields } from '../../../domain/definitions/layers';
import { listQuery } from '../../../schemas/queries';
import type { Dependencies } from '../../../services/ports/dependencies';
import type { Kind, KindFacts, KindTypes } from '../../../services/resources/kind';
import { listViews } from '../../../services/resources/list-resources';
import {
  createResource,
  deleteResource,
  getResource,
  replaceResource,
} from '../../../services/resources/resource-verbs';
import { hasEnabled, RAW_BODY, toReplacementShape } from '../../routing/replace-body';
import {
  createRoute,
  deleteRoute,
  getRoute,
  listRoute,
  patchRoute,
  type Replacing,
  replaceRoute,
} from '../../routing/resource-routes';
import type { ResourceNames } from '../../routing/resource-texts';
import type { Route } from '../../routing/route';
import type { Guide, RouteDoc } from '../../routing/route-doc';
import { maskDefinition, maskDefinitions } from './mask-definition';

/** The facts that define the routes of a kind (monitor or scenario). */
export interface RoutedKind<Types extends KindTypes> {
  readonly facts: KindFacts<Types>;
  readonly getKind: (services: Dependencies) => Kind<Types>;
  readonly tag: RouteDoc['tag'];
  readonly patch: z.ZodType;
  /** The schema of the body in the API reference. Absent if it is the schema that validates requests. */
  readonly documented?: z.ZodType;
  readonly example: unknown;
  readonly patchExample: unknown;
  /** Where the kind is documented. */
  readonly guide: Guide;
  /** Words for the API reference: a single check, several results, and what results measure. */
  readonly words: { readonly check: string; readonly results: string; readonly measures: string };
}

/** Error codes for definitions that match the schema but are refused for another reason. */
export const DEFINITION_CODES = [
  'unknown_region',
  'unknown_variable',
  'blocked_target',
  'dependency_cycle',
] as const satisfies readonly ErrorCode[];
const NEW_CODES = [...DEFINITION_CODES, 'key_taken', 'limit_reached'] as const;

/** The names for all routes of a kind: in paths, in the reference and in the audit trail. */
export function buildNames<Types extends KindTypes>({
  facts: { idKind },
  tag,
  guide,
}: RoutedKind<Types>) {
  return {
    tag,
    path: `/v1/${idKind}s`,
    param: `${idKind}Id`,
    operand: idKind === 'monitor' ? 'Monitor' : 'Scenario',
    audit: idKind,
    the: `The ${idKind}`,
    one: `a ${idKind}`,
    many: `${idKind}s`,
    guide,
  } as const satisfies ResourceNames;
}

const REPLACES = { type: 'replace' } as const;

const UNCHANGED = 'If nothing changes, the version stays the same.';

export function definitionRoutes<Types extends KindTypes>(
  routed: RoutedKind<Types>,
): readonly Route[] {
  const { facts, getKind, words, example } = routed;
  const { idKind: noun, response: schema } = facts;
  const names = buildNames(routed);
  const replacement = replacementOfKind(routed);
  return [
    listRoute(names, {
      description: `Returns ${noun}s with their health in pages, newest first. A ${noun} must match all filters.`,
      query: listQuery,
      schema: facts.page,
      list: async ({ services, principal }, query) => {
        const { accountId } = principal;
        const page = await listViews(services, getKind(services), { ...query, accountId });
        return { ...page, data: maskDefinitions(principal, page.data) };
      },
    }),
    createRoute(names, {
      description: `Creates a ${noun}; its first ${words.check} starts at once, unless \`enabled\` is false. Send an \`Idempotency-Key\` to make retries safe.`,
      body: RAW_BODY,
      schema,
      codes: NEW_CODES,
      example,
      documented: documentedBody(routed),
      create: ({ services, principal: { accountId } }, sent) =>
        createResource(services, getKind(services), { accountId, sent }),
    }),
    getRoute(names, {
      description: `Returns the ${noun} with its definition and its health. Sensitive headers are masked without the scope \`write\`.`,
      schema,
      read: async (target) => maskDefinition(target.principal, await replacement.read(target, {})),
    }),
    replaceRoute(names, replacement),
    patchRoute(
      names,
      { ...replacement, effect: UNCHANGED },
      { patch: routed.patch, example: routed.patchExample },
    ),
    deleteRoute(names, {
      description: `Deletes the ${noun} with its ${words.results} and stops its schedule. This cannot be undone; pause the ${noun} to keep its ${words.results}.`,
      remove: ({ services, principal: { accountId }, ...change }) =>
        deleteResource(services, getKind(services), { accountId, ...change }),
    }),
  ];
}

function documentedBody<Types extends KindTypes>({ documented, facts }: RoutedKind<Types>) {
  return documented ?? facts.shape.shape;
}

function replacementOfKind<Types extends KindTypes>(
  routed: RoutedKind<Types>,
): Replacing<Fields, z.ZodType<Types['View']>> {
  const { facts, getKind, example } = routed;
  return {
    effect: `Without \`enabled\`, a paused ${facts.idKind} stays paused. ${UNCHANGED}`,
    body: RAW_BODY,
    fields: toReplacementShape(facts.shape, facts.readOnlyFields),
    schema: facts.response,
    codes: NEW_CODES,
    example,
    documented: documentedBody(routed),
    read: ({ services, principal: { accountId }, id }) =>
      getResource(services, getKind(services), { accountId, id }),
    replace: ({ services, principal: { accountId }, id, accept, patch }, sent) => {
      const stated = patch ?? sent;
      const isEnabled = hasEnabled(stated) ? stated['enabled'] : null;
      const change = patch === undefined ? REPLACES : ({ type: 'patch', patch } as const);
      const replaced = { accountId, id, accept, sent, change, isEnabled };
      return replaceResource(services, getKind(services), replaced);
    },
  };
}
