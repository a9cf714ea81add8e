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
