/** Profiles as /v1 returns them (docs/profiles.md). */
import { z } from 'zod';
import { idSchema, instant, json, pageSchema, type ResponseOf } from './parts';

export const profile = z
  .strictObject({
    id: idSchema('profile'),
    version: z.int().min(1),
    key: z.string(),
    name: z.string(),
    set: z.record(z.string(), json).meta({ description: 'Field → value, as it was sent' }),
    rolloutId: z.string().nullable().meta({
      description:
        'Id of the rollout of the last change; null: no monitor or scenario used the profile',
    }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Profile', description: 'Values that monitors and scenarios inherit' });

export type ProfileResponse = ResponseOf<typeof profile>;

export const profilePage = pageSchema(profile);
