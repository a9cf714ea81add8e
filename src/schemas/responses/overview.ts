/** The overview of an account as /v1 answers it. */
import { z } from 'zod';

const tally = {
  total: z.int().min(0),
  byStatus: z.strictObject({
    up: z.int(),
    degraded: z.int(),
    down: z.int(),
    maintenance: z.int(),
    paused: z.int(),
    pending: z.int(),
    unknown: z.int(),
  }),
};

export const overview = z
  .strictObject({
    monitors: z.strictObject(tally),
    scenarios: z.strictObject(tally),
    groups: z.array(z.strictObject({ groupKey: z.string(), ...tally })),
    openIncidents: z.int().min(0),
  })
  .meta({ id: 'Overview' });
