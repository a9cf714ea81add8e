/** Profiles as /v1 returns them (docs/profiles.md). */
import { z } from 'zod';
import { idSchema, instant, json, pageSchema, type ResponseOf } from './parts';

export const profile = z
  .strictObject({
    id: idSchema('profile'),
    version: z.int().min(1).meta({
      description: 'Grows with each change. The `ETag` contains it, and `If-Match` compares it',
      example: 1,
    }),
    key: z.string().meta({
      description: 'Name in the field `profile` of monitors and scenarios',
      example: 'production',
    }),
    name: z.string().meta({ description: 'Shown in lists', example: 'Production' }),
    set: z.record(z.string(), json).meta({ description: 'Field → value, as it was sent' }),
    rolloutId: z.string().nullable().meta({
      description:
        'Id of the rollout of the last change; null: no monitor or scenario used the profile',
    }),
    createdAt: instant.describe('When the profile was created'),
    updatedAt: instant.describe('When the profile was last changed'),
  })
  .meta({ id: 'Profile', description: 'Values that monitors and scenarios inherit' });

export type ProfileResponse = ResponseOf<typeof profile>;

export const profilePage = pageSchema(profile);
