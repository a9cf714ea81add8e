/** Secrets as /v1 returns them (docs/api.md). Responses never contain the values of secrets. */
import { z } from 'zod';
import { instant, pageSchema, type ResponseOf } from './parts';

export const secret = z
  .strictObject({
    name: z.string(),
    version: z.int().min(1),
    hosts: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Hosts to which the secret may be sent; null: any host' }),
    createdAt: instant,
    updatedAt: instant,
    usedBy: z.array(z.string()).meta({
      description:
        'Ids of the monitors and scenarios whose current definition names the secret, and of channels',
    }),
  })
  .meta({ id: 'Secret' });

export type SecretResponse = ResponseOf<typeof secret>;

export const secretPage = pageSchema(secret);
