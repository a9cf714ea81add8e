/** Facts about a TLS handshake, in results. */
import { z } from 'zod';

export const tlsFacts = z
  .strictObject({
    version: z
      .string()
      .nullable()
      .meta({ description: 'TLS version, like `TLSv1.3`; null if unknown', example: 'TLSv1.3' }),
    issuer: z.string().nullable().meta({
      description: 'Issuer of the certificate; null if unknown',
      example: "Let's Encrypt",
    }),
    fingerprint: z
      .string()
      .optional()
      .meta({ description: 'SHA-256 in lower-case hex. Absent in stored results of monitors' }),
    expiresAt: z.string().nullable().meta({
      description: 'When the certificate expires; null if unknown',
      example: '2026-04-30T12:00:00.000Z',
    }),
    daysUntilExpiry: z.number().nullable().meta({
      description: 'Days until the certificate expires, at the time of the check; null if unknown',
      example: 89,
    }),
    trusted: z.boolean().meta({ description: 'Whether the certificate is trusted', example: true }),
    forHost: z.boolean().optional().meta({
      description:
        'Whether the certificate is valid for the host. Present only if that is not required',
    }),
    client: z
      .strictObject({
        fingerprint: z.string().describe('SHA-256 in lower-case hex'),
        issuer: z.string().nullable().describe('Issuer of the certificate; null if unknown'),
        expiresAt: z.string().describe('When the certificate expires'),
      })
      .optional()
      .meta({
        description: 'The client certificate of the request. Absent in stored results of monitors',
      }),
  })
  .meta({ id: 'Tls' });
