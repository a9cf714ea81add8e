/**
 * Removes the read-only fields of a response from the bodies of PUT and PATCH, so that clients can send back a
 * response. Other unknown fields are still refused.
 */
import { z } from 'zod';

/** Extends the schema, so that it also accepts a response that a client sends back. */
export function ignoringReadOnly<Body>(
  shape: z.ZodType<Body>,
  names: readonly string[],
): z.ZodType<Body> {
  return z.preprocess((sent) => withoutFields(sent, names), shape);
}

/** Returns the object without these fields. Any other value is returned unchanged. */
export function withoutFields(sent: unknown, names: readonly string[]): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)));
}
