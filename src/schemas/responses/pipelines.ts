/** Pipelines as /v1 returns them. */
import { z } from 'zod';
import { SCOPES } from '../../domain/accounts/roles';
import { idSchema, instant, pageSchema, type ResponseOf } from './parts';

const scopes = z.array(z.enum(SCOPES));

export const pipeline = z
  .strictObject({
    id: idSchema('pipeline'),
    name: z.string(),
    issuer: z.string(),
    repository: z.string(),
    branch: z.string().nullable(),
    scopes,
    createdAt: instant,
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
    scopes,
    expiresAt: instant,
  })
  .meta({ id: 'PipelineKey', description: 'An API key for one CI run' });

export type PipelineKeyResponse = ResponseOf<typeof pipelineKey>;
