/** The body of a secret, and what its name may be. */
import { z } from 'zod';
import { SECRET_LENGTH_MIN } from '../domain/redact';
import { SECRET_NAME } from '../domain/template';

const SECRET_VALUE_MAX = 8192;

export const secretNameShape = z
  .string()
  .regex(SECRET_NAME, 'must be letters, digits, _, . and -, at most 100, beginning with no dot');

/** Any text; too short a one could not be masked in what comes back. */
export const secretBody = z.strictObject({
  value: z.string().min(SECRET_LENGTH_MIN).max(SECRET_VALUE_MAX),
});
