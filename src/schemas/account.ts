/** Bodies of set-up and sessions (CONTRACT §1). */
import { z } from 'zod';

const emailField = z
  .email()
  .max(254)
  .transform((email) => email.toLowerCase());
const PASSWORD_MIN = 12;
const PASSWORD_MAX = 256;

export const setupBody = z.strictObject({
  setupToken: z.string().min(1).max(200),
  accountName: z.string().trim().min(1).max(200),
  email: emailField,
  password: z.string().min(PASSWORD_MIN).max(PASSWORD_MAX),
});

export type SetupBody = z.output<typeof setupBody>;

export const sessionBody = z.strictObject({
  email: emailField,
  password: z.string().min(1).max(PASSWORD_MAX),
});

export type SessionBody = z.output<typeof sessionBody>;

/** Scopes that a key can have; each includes those before it. */
const SCOPE_NAMES = ['read', 'run', 'write', 'admin'] as const;

export const apiKeyBody = z.strictObject({
  name: z.string().trim().min(1).max(200),
  scopes: z
    .array(z.enum(SCOPE_NAMES))
    .min(1)
    .transform((scopes) => [...new Set(scopes)])
    .default(['read']),
  expiresAt: z.iso
    .datetime({ offset: true, message: 'must be an RFC 3339 time like 2026-01-31T12:00:00Z' })
    .transform((text) => Date.parse(text))
    .nullable()
    .default(null),
});

export type ApiKeyBody = z.output<typeof apiKeyBody>;
