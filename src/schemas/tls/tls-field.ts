/** The schema of a request's TLS rules: trusted certificates and the client certificate. */
import { z } from 'zod';
import { hostShape } from '../../kinds/fields';
import { tlsField } from '../fields';

const PEM_MAX = 16_384;
const PINS_MAX = 10;
const SECRET_REFERENCE = /^\{\{\s*secret:[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\s*\}\}$/;
const CERTIFICATES =
  /^\s*(?:-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;
const TRUST_FORMS = 'must be "system", "unchecked", {ca} or {pin}';
const CREATE_IT =
  'must be {{secret:name}}: create a secret with keepwatch secrets set NAME or PUT /v1/secrets/{name} {"value": "…"}, and name it here';

/** True for text that consists of certificates and is short enough. */
export function isCertificates(text: string): boolean {
  return text.length <= PEM_MAX && CERTIFICATES.test(text);
}

export const tlsSecretShape = z
  .string()
  .regex(SECRET_REFERENCE, CREATE_IT)
  .meta({ description: 'As `{{secret:name}}`' });

/** Certificates as PEM. They are public, so definitions may contain them directly. */
export const pemShape = z
  .string()
  .max(PEM_MAX)
  .regex(
    new RegExp(`${SECRET_REFERENCE.source}|${CERTIFICATES.source}`),
    'must contain only certificates in PEM, or be {{secret:name}}',
  )
  .meta({ description: 'Certificates in PEM, or `{{secret:name}}`' });

const pin = z
  .string()
  .regex(
    /^[0-9A-Fa-f]{2}(?::?[0-9A-Fa-f]{2}){31}$/,
    'must be the SHA-256 of a certificate: 64 hex digits, like tls.fingerprint of a result',
  )
  .transform((text) => text.replaceAll(':', '').toLowerCase());

export const tlsTrustShape = z
  .union(
    [
      z.enum(['system', 'unchecked'], TRUST_FORMS),
      z.strictObject({
        ca: pemShape.describe(
          'Certificates of the trusted authority, in PEM or as `{{secret:name}}`',
        ),
      }),
      z.strictObject({
        pin: z
          .array(pin)
          .min(1)
          .max(PINS_MAX)
          .refine(
            (pins) => new Set(pins).size === pins.length,
            'must list each fingerprint only once',
          )
          .meta({ description: 'SHA-256 of the certificates that are trusted, in hex' }),
      }),
    ],
    TRUST_FORMS,
  )
  .meta({
    description:
      'Trusted certificates: of well-known authorities (system, the default), of a given authority, single certificates, or any',
  });

const trustFields = {
  trust: tlsTrustShape.optional(),
  checkHost: z
    .boolean()
    .meta({ description: 'Whether the certificate must be valid for the host. Default: true' })
    .optional(),
  certificate: pemShape
    .optional()
    .describe('Client certificate with its chain, in PEM or as `{{secret:name}}`'),
  key: tlsSecretShape
    .optional()
    .describe('Private key of the client certificate, as `{{secret:name}}`'),
  passphrase: tlsSecretShape
    .optional()
    .describe('Passphrase of the private key, as `{{secret:name}}`'),
  serverName: hostShape
    .meta({
      description:
        'Server name in the handshake, for which the certificate must be valid. Default: the host',
    })
    .optional(),
};

/** Names of the TLS fields that only HTTP requests have. */
export const TRUST_FIELDS: readonly string[] = Object.keys(trustFields);

const { warnDays } = tlsField.unwrap().shape;

/** The TLS fields of a monitor or step: how certificates are verified, and when people are warned of their expiry. */
export const requestTlsShape = z.strictObject({ ...trustFields, warnDays }).meta({
  description:
    'Trusted certificates, the client certificate, and when people are warned of an expiry',
});

export const requestTlsField = requestTlsShape.prefault({});

/** The TLS rules of a scenario, for steps that have none of their own. */
export const sharedTlsShape = z.strictObject(trustFields);

export const sharedTlsField = sharedTlsShape
  .nullable()
  .meta({ description: 'Applies to steps whose own `tls` sets at most `warnDays`' })
  .default(null);

/** The TLS fields that only HTTP requests have, as responses contain them. */
const savedTrustFields = {
  trust: z
    .union([
      z.enum(['system', 'unchecked']),
      z.strictObject({ ca: z.string() }),
      z.strictObject({ pin: z.array(z.string()) }),
    ])
    .meta({ id: 'SavedTlsTrust' })
    .optional(),
  checkHost: z.boolean().optional(),
  certificate: z.string().optional(),
  key: z.string().optional(),
  passphrase: z.string().optional(),
  serverName: z.string().optional(),
} satisfies Record<keyof typeof trustFields, z.ZodType>;

export const savedRequestTls = z
  .strictObject({ ...savedTrustFields, warnDays: z.array(z.int()) })
  .meta({ id: 'SavedRequestTls' });

export const savedSharedTls = z
  .strictObject(savedTrustFields)
  .meta({ id: 'SavedSharedTls' })
  .nullable();
