/** Routes of pipelines, which get access without a stored key (docs/ci.md). */
import {
  pipelineBody,
  pipelineReplacement,
  pipelineTokenBody,
} from '../../../schemas/pipelines/pipeline';
import { pageQuery } from '../../../schemas/queries';
import { pipeline, pipelineKey, pipelinePage } from '../../../schemas/responses/pipelines';
import { exchangeToken } from '../../../services/pipelines/exchange-token';
import {
  createPipeline,
  deletePipeline,
  getPipeline,
  listPipelines,
  replacePipeline,
} from '../../../services/pipelines/pipelines';
import { listResponse, NO_CONTENT, okResponse } from '../../routing/response';
import { publicRoute, type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';

/** Time limit for fetching two documents from the issuer, and for our own work. */
const EXCHANGE_DEADLINE_MS = 10_000;

const EXAMPLE = { name: 'Shop', repository: 'acme/shop', branch: 'main', scopes: ['run'] };

export const pipelineRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/pipelines',
    operationId: 'listPipelines',
    tag: 'API keys',
    summary: 'List pipelines',
    description:
      'Returns the repositories whose CI runs get access without a stored key, newest first.',
    guide: 'docs/api/accounts.md#pipelines',
    scope: 'admin',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: pipelinePage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listPipelines(services, accountId, query), url),
  }),
  route({
    endpoint: 'POST /v1/pipelines',
    operationId: 'createPipeline',
    tag: 'API keys',
    summary: 'Create a pipeline',
    description:
      'Lets the CI runs of a repository exchange their ID token for an API key that is valid for 15 minutes. No key is stored.',
    guide: 'docs/api/accounts.md#pipelines',
    scope: 'admin',
    audit: 'pipeline.create',
    body: pipelineBody,
    responses: { 201: { description: 'The pipeline', schema: pipeline } },
    codes: ['plan_required', 'limit_reached'],
    example: EXAMPLE,
    handler: async (principal, { services, body }) => {
      const created = await createPipeline(services, principal, body);
      return {
        status: 201,
        headers: { Location: `/v1/pipelines/${created.id}` },
        body: created,
      };
    },
  }),
  route({
    endpoint: 'GET /v1/pipelines/:pipelineId',
    operationId: 'getPipeline',
    tag: 'API keys',
    summary: 'Get a pipeline',
    description: 'Returns the repository, the branch, the issuer and the scopes of a pipeline.',
    guide: 'docs/api/accounts.md#pipelines',
    scope: 'admin',
    responses: { 200: { description: 'The pipeline', schema: pipeline } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse(await getPipeline(services, accountId, param('pipelineId'))),
  }),
  route({
    endpoint: 'PUT /v1/pipelines/:pipelineId',
    operationId: 'replacePipeline',
    tag: 'API keys',
    summary: 'Replace a pipeline',
    description:
      'Replaces the whole pipeline. The keys of its runs are revoked at once; the runs can exchange their token again.',
    guide: 'docs/api/accounts.md#pipelines',
    scope: 'admin',
    audit: 'pipeline.put',
    body: pipelineReplacement,
    responses: { 200: { description: 'The pipeline', schema: pipeline } },
    codes: ['plan_required'],
    example: EXAMPLE,
    documentedBody: pipelineBody,
    handler: async (principal, { services, param, body }) =>
      okResponse(await replacePipeline(services, principal, { id: param('pipelineId'), body })),
  }),
  route({
    endpoint: 'DELETE /v1/pipelines/:pipelineId',
    operationId: 'deletePipeline',
    tag: 'API keys',
    summary: 'Delete a pipeline and revoke its keys',
    description:
      'Runs of the repository get no more keys, and the keys of runs in progress stop working at once.',
    guide: 'docs/api/accounts.md#pipelines',
    scope: 'admin',
    audit: 'pipeline.delete',
    responses: DONE,
    handler: async ({ accountId }, { services, param }) => {
      await deletePipeline(services, accountId, param('pipelineId'));
      return NO_CONTENT;
    },
  }),
  publicRoute({
    endpoint: 'POST /v1/pipelines/:pipelineId/keys',
    operationId: 'createPipelineKey',
    tag: 'API keys',
    summary: 'Create a key for a CI run',
    description:
      'Exchanges the ID token of a CI run for an API key that is valid for 15 minutes. A token may be exchanged several times while it is valid; each exchange creates another key.',
    guide: 'docs/api/accounts.md#pipelines',
    audit: 'pipeline.exchange',
    body: pipelineTokenBody,
    deadlineMs: EXCHANGE_DEADLINE_MS,
    responses: { 201: { description: 'The key, this once', schema: pipelineKey } },
    codes: ['invalid_token', 'unavailable', 'rate_limited'],
    example: { token: 'eyJhbGciOi…' },
    handler: async ({ services, body, param, clientAddress }) => {
      const pipelineId = param('pipelineId');
      const exchange = { pipelineId, token: body.token, from: clientAddress };
      const { apiKey, response, ...made } = await exchangeToken(services, exchange);
      const { accountId, id, name, scopes } = apiKey;
      const actedAs = { accountId, actor: { type: 'api_key', id, name } } as const;
      // The audit trail records which run got which key. It does not contain the key or the token.
      const { expiresAt } = response;
      const after = { name: made.pipelineName, keyId: id, run: made.subject, scopes, expiresAt };
      const what = { action: 'pipeline.exchange', resourceType: 'pipeline' } as const;
      const changes = [{ ...what, resourceId: pipelineId, before: null, after }];
      const headers = { Location: `/v1/api-keys/${id}` };
      return { status: 201, headers, body: response, actedAs, changes };
    },
  }),
];
