/** The body of a secret, and the syntax of its name. */
import { z } from 'zod';
import { SECRET_LENGTH_MIN } from '../domain/secrets/redact';
import { normalizeHostPattern } from '../domain/secrets/secret-hosts';
import { SECRET_NAME } from '../domain/templates/template';

const SECRET_VALUE_MAX = 8192;
const HOSTS_MAX = 20;

const hostPattern = z
  .string()
  .max(253)
  .refine(
    (text) => normalizeHostPattern(text) !== null,
    'must be a host like api.example.com (for https), *.example.com for all names under it, api.example.com:8443, or http://api.example.com',
  )
  .overwrite((text) => normalizeHostPattern(text) ?? text);

export const secretNameShape = z
  .string()
  .regex(
    SECRET_NAME,
    'must have at most 100 letters, digits, _, . and -, and must not begin with a dot',
  );

/**
 * The body of a secret. The value may be any text with a minimum length, because a shorter value could not be masked in
 * responses of targets.
 */
export const secretBody = z.strictObject({
  value: z
    .string()
    .min(SECRET_LENGTH_MIN)
    .max(SECRET_VALUE_MAX)
    .describe('The secret value. It is stored encrypted and never returned'),
  hosts: z
    .array(hostPattern)
    .min(1)
    .max(HOSTS_MAX)
    .nullable()
    .optional()
    .describe(
      'Hosts to which the secret may be sent; null: any host. If absent, an existing secret keeps its hosts',
    ),
});
