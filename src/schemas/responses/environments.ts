/** Environments and variables of the account as /v1 returns them (docs/environments.md). */
import { z } from 'zod';
import { idSchema, instant, maybeInstant, pageSchema, type ResponseOf } from './parts';

const variables = z.record(z.string(), z.string());
const rolloutId = z.string().nullable().meta({
  description: 'Id of the rollout of the last change; null: no monitor or scenario used the values',
});

export const environment = z
  .strictObject({
    id: idSchema('environment'),
    version: z.int().min(1).meta({
      description: 'Grows with each change. The `ETag` contains it, and `If-Match` compares it',
      example: 1,
    }),
    key: z.string().meta({
      description: 'Name in the field `environment` of monitors and scenarios',
      example: 'staging',
    }),
    name: z.string().meta({ description: 'Shown in lists', example: 'Staging' }),
    variables: variables.meta({
      description: 'Name → text that replaces `{{name}}`',
      example: { base: 'https://staging.example.com' },
    }),
    secrets: z.record(z.string(), z.string()).meta({
      description: 'Name in a definition → name of a secret of the account',
    }),
    rolloutId,
    createdAt: instant.describe('When the environment was created'),
    updatedAt: instant.describe('When the environment was last changed'),
  })
  .meta({ id: 'Environment', description: 'Values that complete monitors and scenarios' });

export type EnvironmentResponse = ResponseOf<typeof environment>;

export const environmentPage = pageSchema(environment);

export const accountVariables = z
  .strictObject({
    version: z.int().min(0).meta({ description: '0: variables were never set' }),
    variables: variables.meta({
      description: 'Name → text that replaces `{{name}}`',
      example: { base: 'https://shop.example.com' },
    }),
    rolloutId,
    updatedAt: maybeInstant.describe('When the variables were last changed; null: never'),
  })
  .meta({ id: 'AccountVariables', description: 'Variables of all monitors and scenarios' });

export type AccountVariablesResponse = ResponseOf<typeof accountVariables>;
