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
    version: z.int().min(1),
    key: z.string(),
    name: z.string(),
    variables,
    secrets: z.record(z.string(), z.string()).meta({
      description: 'Name in a definition → name of a secret of the account',
    }),
    rolloutId,
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Environment', description: 'Values that complete monitors and scenarios' });

export type EnvironmentResponse = ResponseOf<typeof environment>;

export const environmentPage = pageSchema(environment);

export const accountVariables = z
  .strictObject({
    version: z.int().min(0).meta({ description: '0: variables were never set' }),
    variables,
    rolloutId,
    updatedAt: maybeInstant,
  })
  .meta({ id: 'AccountVariables', description: 'Variables of all monitors and scenarios' });

export type AccountVariablesResponse = ResponseOf<typeof accountVariables>;
