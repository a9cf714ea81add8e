/** Pipelines that authenticate without a stored key (docs/ci.md). */
import { pipelineBody, pipelineTokenBody } from '../../../schemas/pipelines/pipeline';
import { pageQuery } from '../../../schemas/queries';
import { pipeline, pipelineKey, pipelinePage } from '../../../schemas/responses/pipelines';
import { exchangeToken } from '../../../services/pipelines/exchange-token';
import {
  createPipeline,
  deletePipeline,
  getPipeline,
  listPipelines,
} from '../../../services/pipelines/pipelines';
import { listResponse, NO_CONTENT, okResponse } from '../../routing/response';
import { publicRoute, type Route, route } from '../../routing/route';
import { DONE } from '../../routing/route-doc';

export const pipelineRoutes: readonly Route[] = [
  route({
    endpoint: 'GET /v1/pipelines',
    operationId: 'listPipelines',
    tag: 'Account',
    summary: 'List pipelines, newest first',
    scope: 'admin',
    query: pageQuery,
    responses: { 200: { description: 'A page', schema: pipelinePage } },
    handler: async ({ accountId }, { services, query, url }) =>
      listResponse(await listPipelines(services, accountId, query), url),
  }),
  route({
    endpoint: 'POST /v1/pipelines',
    operationId: 'createPipeline',
    tag: 'Account',
    summary: 'Let in the CI runs of a repository',
    scope: 'admin',
    audit: 'pipeline.create',
    body: pipelineBody,
    responses: { 201: { description: 'The pipeline', schema: pipeline } },
    codes: ['plan_required', 'limit_reached'],
    example: { name: 'Shop', repository: 'acme/shop', branch: 'main', scopes: ['run'] },
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
    tag: 'Account',
    summary: 'Read a pipeline',
    scope: 'admin',
    responses: { 200: { description: 'The pipeline', schema: pipeline } },
    handler: async ({ accountId }, { services, param }) =>
      okResponse(await getPipeline(services, accountId, param('pipelineId'))),
  }),
  route({
    endpoint: 'DELETE /v1/pipelines/:pipelineId',
    operationId: 'deletePipeline',
    tag: 'Account',
    summary: 'Let in no more runs, and end the keys of those under way',
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
    operationId: 'exchangePipelineToken',
    tag: 'Account',
    summary: 'Exchange the ID token of a CI run for an API key of 15 minutes',
    audit: 'pipeline.exchange',
    body: pipelineTokenBody,
    responses: { 201: { description: 'The key, this once', schema: pipelineKey } },
    codes: ['invalid_token', 'unavailable', 'rate_limited'],
    example: { token: 'eyJhbGciOi…' },
    handler: async ({ services, body, param, clientAddress }) => {
      const exchange = { pipelineId: param('pipelineId'), token: body.token, from: clientAddress };
      const { apiKey, response } = await exchangeToken(services, exchange);
      const { accountId, id, name } = apiKey;
      const actedAs = { accountId, actor: { type: 'api_key', id, name } } as const;
      return { status: 201, body: response, actedAs };
    },
  }),
];
