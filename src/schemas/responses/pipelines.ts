/** Pipelines as /v1 returns them. */
import { z } from 'zod';
import { SCOPES } from '../../domain/accounts/roles';
import { idSchema, instant, pageSchema, type ResponseOf } from './parts';

const scopes = z.array(z.enum(SCOPES));

export const pipeline = z
  .strictObject({
    id: idSchema('pipeline'),
    name: z.string().meta({ description: 'Name of the pipeline', example: 'deploy' }),
    issuer: z.string().meta({
      description: 'Issuer of the tokens of its CI service',
      example: 'https://token.actions.githubusercontent.com',
    }),
    repository: z
      .string()
      .meta({ description: 'Owner and name of the repository', example: 'acme/shop' }),
    branch: z.string().nullable().describe('The only branch whose runs get a key; null: all'),
    scopes: scopes.describe('Scopes of the keys of its runs'),
    createdAt: instant.describe('When the pipeline was created'),
    createdBy: z.string().nullable().meta({
      description: 'Id of the person who created it or changed it last; null when unknown',
    }),
  })
  .meta({ id: 'Pipeline', description: 'A repository whose CI runs need no stored key' });

export type PipelineResponse = ResponseOf<typeof pipeline>;

export const pipelinePage = pageSchema(pipeline);

export const pipelineKey = z
  .strictObject({
    id: idSchema('apiKey'),
    key: z.string().meta({ description: 'The API key. Only this response contains it' }),
    scopes: scopes.describe('Scopes of the key'),
    expiresAt: instant.describe('When the key expires'),
  })
  .meta({ id: 'PipelineKey', description: 'An API key for one CI run' });

export type PipelineKeyResponse = ResponseOf<typeof pipelineKey>;
