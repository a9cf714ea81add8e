/** The body that creates a probe key (docs/api.md). */
import { z } from 'zod';

const regionField = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be like eu-west');

export const probeKeyBody = z.strictObject({
  region: regionField.describe('Region of the probes that use the key'),
  name: z.string().trim().min(1).max(100).default('probe').describe('Name of the key'),
});
export type ProbeKeyBody = z.output<typeof probeKeyBody>;

export const regionKeyBody = z.strictObject({
  region: regionField.describe('Region whose key is rotated'),
});
