/** Environments and variables of the account (docs/environments.md). */
import { z } from 'zod';
import { accountVariablesBody, environmentBody } from '../../../schemas/environments/environment';
import type { CheckedShape } from '../../../schemas/issues';
import { pageQuery } from '../../../schemas/queries';
import {
  accountVariables,
  environment,
  environmentPage,
} from '../../../schemas/responses/environments';
import { rolloutPlan } from '../../../schemas/responses/rollouts';
import {
  ACCOUNT_VARIABLES_READ_ONLY_FIELDS,
  getAccountVariables,
  previewAccountVariables,
  replaceAccountVariables,
} from '../../../services/environments/account-variables';
import {
  createEnvironment,
  deleteEnvironment,
  ENVIRONMENT_READ_ONLY_FIELDS,
  environmentKind,
  previewEnvironment,
  replaceEnvironment,
} from '../../../services/environments/environments';
import { PATCHES } from '../../openapi/named-shapes';
import { acceptVersion } from '../../routing/preconditions';
import { replacementShape } from '../../routing/replace-body';
import {
  createRoute,
  createVerbs,
  deleteRoute,
  getRoute,
  listRoute,
  type Reading,
} from '../../routing/resource-routes';
import { resourceResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';
import {
  CHANGE_DEADLINE_MS,
  dryRunQuery,
  plannedRoutes,
  planResponse,
} from '../rollouts/planned-routes';

const ENVIRONMENT = {
  tag: 'Environments',
  path: '/v1/environments',
  param: 'environmentId',
  operand: 'Environment',
  audit: 'environment',
  the: 'The environment',
} as const;

const EXAMPLE = {
  key: 'staging',
  name: 'Staging',
  variables: { base: 'https://staging.example.com' },
};

/** A body without rules across its fields. */
function withoutRules<Shape extends z.ZodType>(shape: Shape): CheckedShape<Shape> {
  return { shape, findProblems: () => [] };
}

const { list, read } = createVerbs(environmentKind);

const READ: Reading<typeof environment> = {
  summary: 'Read an environment',
  schema: environment,
  read,
};

const changeRoutes = plannedRoutes(ENVIRONMENT, {
  schema: z.union([environment, rolloutPlan]),
  body: replacementShape(withoutRules(environmentBody), ENVIRONMENT_READ_ONLY_FIELDS),
  codes: ['in_use'],
  read,
  replace: ({ services, principal, ...change }, body) =>
    replaceEnvironment(services, principal, { ...change, body }),
  plan: ({ services, principal, ...change }, body) =>
    previewEnvironment(services, principal.accountId, { ...change, body }),
  put: { summary: 'Replace an environment; everything that uses it follows', example: EXAMPLE },
  patch: {
    summary: 'Change single fields (JSON merge patch, RFC 7396)',
    shape: PATCHES.EnvironmentPatch,
    example: { variables: { base: 'https://staging-2.example.com' } },
  },
});

export const environmentRoutes: readonly Route[] = [
  listRoute(ENVIRONMENT, {
    summary: 'List environments, newest first',
    query: pageQuery,
    schema: environmentPage,
    list,
  }),
  createRoute(ENVIRONMENT, {
    summary: 'Create an environment: values that complete monitors and scenarios',
    body: environmentBody,
    schema: environment,
    codes: ['key_taken', 'limit_reached'],
    example: EXAMPLE,
    create: ({ services, principal }, body) =>
      createEnvironment(services, principal.accountId, body),
  }),
  getRoute(ENVIRONMENT, READ),
  ...changeRoutes,
  deleteRoute(ENVIRONMENT, {
    summary: 'Delete an environment that nothing uses any more',
    codes: ['in_use'],
    remove: ({ services, principal, ...change }) =>
      deleteEnvironment(services, principal.accountId, change),
  }),
  route({
    endpoint: 'GET /v1/variables',
    operationId: 'getVariables',
    tag: 'Environments',
    summary: 'Read the variables of the account',
    scope: 'read',
    responses: { 200: { description: 'The variables', schema: accountVariables } },
    handler: async ({ accountId }, { services }) =>
      resourceResponse(await getAccountVariables(services, accountId)),
  }),
  route({
    endpoint: 'PUT /v1/variables',
    operationId: 'replaceVariables',
    tag: 'Environments',
    summary: 'Replace the variables of the account; everything that uses them follows',
    scope: 'write',
    deadlineMs: CHANGE_DEADLINE_MS,
    audit: 'variables.put',
    body: replacementShape(withoutRules(accountVariablesBody), ACCOUNT_VARIABLES_READ_ONLY_FIELDS),
    readStored: ({ accountId }, { services }) => getAccountVariables(services, accountId),
    query: dryRunQuery,
    responses: {
      200: {
        description: 'The variables; for a dry run, the plan',
        schema: z.union([accountVariables, rolloutPlan]),
      },
    },
    codes: ['version_mismatch', 'in_use'],
    example: { variables: { company: 'Example Ltd' } },
    handler: async (principal, { services, query, body, headers }) => {
      const request = { body, accept: acceptVersion(headers['if-match']) };
      if (query.dryRun === 'true')
        return planResponse(await previewAccountVariables(services, principal.accountId, request));
      return resourceResponse(await replaceAccountVariables(services, principal, request));
    },
  }),
];
