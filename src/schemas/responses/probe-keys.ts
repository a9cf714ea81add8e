/** Probe keys as /v1 returns them (docs/api.md). */
import { z } from 'zod';
import { idSchema, instant, maybeInstant, pageSchema, type ResponseOf } from './parts';

const fields = {
  id: idSchema('probeKey'),
  region: z.string(),
  name: z.string(),
  createdAt: instant,
  createdBy: z.string().nullable().meta({ description: 'Id of the person; null when unknown' }),
  revokedAt: maybeInstant,
  lastUsedAt: maybeInstant.meta({ description: 'With a precision of one minute' }),
};

export const probeKey = z.strictObject(fields).meta({ id: 'ProbeKey' });
export const probeKeyPage = pageSchema(probeKey);
export const rotatedRegionKey = z
  .strictObject({
    id: z.string().meta({ description: 'The region' }),
    rotations: z.int().meta({ description: 'How often its key was rotated' }),
    rotatedAt: instant,
  })
  .meta({ id: 'RotatedRegionKey' });
export type RotatedRegionKeyResponse = ResponseOf<typeof rotatedRegionKey>;

export const newProbeKey = z
  .strictObject({ ...fields, key: z.string() })
  .meta({ id: 'NewProbeKey', description: 'Only this response contains `key`' });
