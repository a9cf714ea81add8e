/** Secrets as /v1 returns them (docs/api.md): never their values. */
import { z } from 'zod';
import { instant, pageSchema, type ResponseOf } from './parts';

export const secret = z
  .strictObject({
    name: z.string(),
    version: z.int().min(1),
    hosts: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Where it may be sent; null: anywhere' }),
    createdAt: instant,
    updatedAt: instant,
    usedBy: z.array(z.string()).meta({
      description:
        'Ids of monitors and scenarios whose definition in force names it, and of channels',
    }),
  })
  .meta({ id: 'Secret' });

export type SecretResponse = ResponseOf<typeof secret>;

export const secretPage = pageSchema(secret);
