/** Facts about a TLS handshake, in results. */
import { z } from 'zod';

export const tlsFacts = z
  .strictObject({
    version: z.string().nullable(),
    issuer: z.string().nullable(),
    fingerprint: z
      .string()
      .optional()
      .meta({ description: 'SHA-256 in lower-case hex. Absent in stored results of monitors' }),
    expiresAt: z.string().nullable(),
    daysUntilExpiry: z.number().nullable(),
    trusted: z.boolean(),
    forHost: z.boolean().optional().meta({
      description:
        'Whether the certificate is valid for the host. Present only if that is not required',
    }),
    client: z
      .strictObject({
        fingerprint: z.string(),
        issuer: z.string().nullable(),
        expiresAt: z.string(),
      })
      .optional()
      .meta({
        description: 'The client certificate of the request. Absent in stored results of monitors',
      }),
  })
  .meta({ id: 'Tls' });
