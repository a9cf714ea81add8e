/** The routes of environments and of account variables (docs/environments.md). */
import { z } from 'zod';
import { accountVariablesBody } from '../../../schemas/environments/environment';
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
import { ENVIRONMENTS, previewEnvironment } from '../../../services/environments/environments';
import { PATCHES } from '../../openapi/named-shapes';
import { objectRoutes } from '../../routing/object-routes';
import { acceptVersion } from '../../routing/preconditions';
import { toReplacementShape } from '../../routing/replace-body';
import { resourceResponse } from '../../routing/response';
import { type Route, route } from '../../routing/route';
import {
  CHANGE_DEADLINE_MS,
  dryRunQuery,
  plannedRoutes,
  planResponse,
} from '../rollouts/planned-routes';

const DOC = {
  names: {
    tag: 'Environments',
    path: '/v1/environments',
    param: 'environmentId',
    operand: 'Environment',
    audit: 'environment',
    the: 'The environment',
    one: 'an environment',
    many: 'environments',
    guide: 'docs/environments.md',
  },
  schema: environment,
  page: environmentPage,
  descriptions: {
    create:
      'Creates an environment: values that complete the definitions of monitors and scenarios. It has no effect before a check names it.',
    remove: 'Deletes the environment. While something uses it, the response is 409 `in_use`.',
  },
  codes: { create: ['key_taken', 'limit_reached'], remove: ['in_use'] },
  example: {
    key: 'staging',
    name: 'Staging',
    variables: { base: 'https://staging.example.com' },
  },
} as const;

const { list, create, read, remove } = objectRoutes(ENVIRONMENTS, DOC);

export const environmentRoutes: readonly Route[] = [
  list,
  create,
  read,
  ...plannedRoutes(ENVIRONMENTS, DOC.names, {
    schema: z.union([environment, rolloutPlan]),
    codes: ['in_use'],
    preview: previewEnvironment,
    effect:
      'The key cannot be changed. A rollout applies the change to the monitors and scenarios that use it. With `dryRun`, the response is the plan, and nothing changes.',
    put: {
      example: DOC.example,
    },
    patch: {
      shape: PATCHES.EnvironmentPatch,
      example: { variables: { base: 'https://staging-2.example.com' } },
    },
  }),
  remove,
  route({
    endpoint: 'GET /v1/variables',
    operationId: 'getVariables',
    tag: 'Environments',
    summary: 'Get the account variables',
    description: 'Returns the variables that all monitors and scenarios of the account can use.',
    guide: 'docs/environments.md#which-value-counts',
    scope: 'read',
    responses: { 200: { description: 'The variables', schema: accountVariables } },
    handler: async ({ accountId }, { services }) =>
      resourceResponse(await getAccountVariables(services, accountId)),
  }),
  route({
    endpoint: 'PUT /v1/variables',
    operationId: 'replaceVariables',
    tag: 'Environments',
    summary: 'Replace the account variables',
    description:
      'Replaces all variables. A rollout applies the change to the monitors and scenarios that use them. With `dryRun`, the response is the plan, and nothing changes.',
    guide: 'docs/environments.md#changes',
    scope: 'write',
    deadlineMs: CHANGE_DEADLINE_MS,
    audit: 'variables.put',
    body: toReplacementShape(accountVariablesBody, ACCOUNT_VARIABLES_READ_ONLY_FIELDS),
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
