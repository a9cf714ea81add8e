/** The body that makes a key for a probe (docs/api.md). */
import { z } from 'zod';

export const probeKeyBody = z.strictObject({
  region: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be like eu-west'),
  name: z.string().trim().min(1).max(100).default('probe'),
});
export type ProbeKeyBody = z.output<typeof probeKeyBody>;
