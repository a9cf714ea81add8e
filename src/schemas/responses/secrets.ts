/** Secrets as /v1 returns them (docs/api.md). Responses never contain the values of secrets. */
import { z } from 'zod';
import { instant, pageSchema, type ResponseOf } from './parts';

export const secret = z
  .strictObject({
    name: z
      .string()
      .meta({ description: 'Name of the secret, as in `{{secret:name}}`', example: 'shop-token' }),
    version: z.int().min(1).describe('Grows with each new value'),
    hosts: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Hosts to which the secret may be sent; null: any host' }),
    createdAt: instant.describe('When the secret was created'),
    updatedAt: instant.describe('When the secret was last changed'),
    usedBy: z.array(z.string()).meta({
      description:
        'Ids of the monitors and scenarios whose current definition names the secret, and of channels',
    }),
  })
  .meta({ id: 'Secret' });

export type SecretResponse = ResponseOf<typeof secret>;

export const secretPage = pageSchema(secret);
