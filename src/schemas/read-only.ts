/**
 * Bodies of PUT and PATCH may contain the read-only fields of a response, so that clients can send back
 * what they read. These fields are removed before validation; other unknown fields are still refused.
 */
import { z } from 'zod';

/** Extends the shape: also accepts a response that a client sends back. */
export function ignoringReadOnly<Body>(
  shape: z.ZodType<Body>,
  names: readonly string[],
): z.ZodType<Body> {
  return z.preprocess((sent) => withoutFields(sent, names), shape);
}

/** The object without these fields; other values are returned unchanged. */
export function withoutFields(sent: unknown, names: readonly string[]): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)));
}
