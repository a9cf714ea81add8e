/** Probe keys as /v1 returns them (docs/api.md). */
import { z } from 'zod';
import { idSchema, instant, maybeInstant, pageSchema, type ResponseOf } from './parts';

const fields = {
  id: idSchema('probeKey'),
  region: z
    .string()
    .meta({ description: 'Region of the probes that use the key', example: 'eu-west' }),
  name: z.string().meta({ description: 'Name of the key', example: 'probe' }),
  createdAt: instant.describe('When the key was created'),
  createdBy: z.string().nullable().meta({ description: 'Id of the person; null when unknown' }),
  revokedAt: maybeInstant.describe('When the key was revoked; null: it was not'),
  lastUsedAt: maybeInstant.meta({ description: 'With a precision of one minute' }),
};

export const probeKey = z.strictObject(fields).meta({ id: 'ProbeKey' });
export const probeKeyPage = pageSchema(probeKey);
export const rotatedRegionKey = z
  .strictObject({
    id: z.string().meta({ description: 'The region', example: 'eu-west' }),
    rotations: z.int().meta({ description: 'How often its key was rotated', example: 1 }),
    rotatedAt: instant.describe('When its key was last rotated'),
  })
  .meta({ id: 'RotatedRegionKey' });
export type RotatedRegionKeyResponse = ResponseOf<typeof rotatedRegionKey>;

export const newProbeKey = z
  .strictObject({
    ...fields,
    key: z.string().meta({ description: 'The probe key', example: 'PROBE_KEY' }),
  })
  .meta({ id: 'NewProbeKey', description: 'Only this response contains `key`' });
