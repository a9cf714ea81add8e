/** Facts about a TLS handshake, in results. */
import { z } from 'zod';

export const tlsFacts = z
  .strictObject({
    version: z.string().nullable(),
    issuer: z.string().nullable(),
    fingerprint: z.string().optional().meta({ description: 'SHA-256, lower-case hex; not kept' }),
    expiresAt: z.string().nullable(),
    daysUntilExpiry: z.number().nullable(),
    trusted: z.boolean(),
    forHost: z
      .boolean()
      .optional()
      .meta({ description: 'Whether it is for the host; only where that is not required' }),
    client: z
      .strictObject({
        fingerprint: z.string(),
        issuer: z.string().nullable(),
        expiresAt: z.string(),
      })
      .optional()
      .meta({ description: 'What the request showed of itself; not kept of monitors' }),
  })
  .meta({ id: 'Tls' });
