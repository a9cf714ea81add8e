/**
 * Bodies of PUT and PATCH may hold the read-only fields of a response, so that what was read can be
 * sent back. They are left out before the shape looks; any other unknown field is still refused.
 */
import { z } from 'zod';

/** As the shape, for what a client read from us and sends back. */
export function ignoringReadOnly<Body>(
  shape: z.ZodType<Body>,
  names: readonly string[],
): z.ZodType<Body> {
  return z.preprocess((sent) => withoutFields(sent, names), shape);
}

/** The object without these fields; anything else as it is. */
export function withoutFields(sent: unknown, names: readonly string[]): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)));
}
