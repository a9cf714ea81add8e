/**
 * The options of requests that monitors and scenario steps share. A new option needs a line in `RequestOptions`, a line
 * here, its label in the form, and its behaviour.
 */
import { z } from 'zod';
import type { RequestOptions } from '../contracts/definition';

export const TIMEOUT_MS_MAX = 60_000;

/** The options in responses. */
export const requestOptionShapes = {
  timeoutMs: z
    .int()
    .min(500)
    .max(TIMEOUT_MS_MAX)
    .meta({ description: 'Milliseconds for the whole request, redirects and body included' }),
  retries: z
    .int()
    .min(0)
    .max(5)
    .meta({ description: 'Immediate retries before a check counts as failed' }),
  followRedirects: z.boolean().meta({
    description: 'true: redirects are followed; false: the redirect itself is the response',
  }),
  maxRedirects: z
    .int()
    .min(0)
    .max(10)
    .meta({ description: 'Maximum number of redirects. One more is a failure' }),
  sendTraceparent: z.boolean().meta({
    description: 'true: requests carry the id of their trace, if this installation has tracing',
  }),
} satisfies Record<keyof RequestOptions, z.ZodType>;

/** The options in bodies of monitors. A missing field gets its default. */
export const requestOptionFields = {
  timeoutMs: requestOptionShapes.timeoutMs.default(10_000),
  retries: requestOptionShapes.retries.default(1),
  followRedirects: requestOptionShapes.followRedirects.default(true),
  maxRedirects: requestOptionShapes.maxRedirects.default(10),
  sendTraceparent: requestOptionShapes.sendTraceparent.default(false),
} satisfies Record<keyof RequestOptions, z.ZodType>;

/** The options of a step. By default, a step is not retried. */
export const stepOptionFields = {
  ...requestOptionFields,
  retries: requestOptionShapes.retries.default(0),
} satisfies Record<keyof RequestOptions, z.ZodType>;

/** Picks the options from a definition or a part of it, without validating them. */
export function readRequestOptions<Given extends Record<keyof RequestOptions, unknown>>(
  given: Given,
): Pick<Given, keyof RequestOptions> {
  const { timeoutMs, retries, followRedirects, maxRedirects, sendTraceparent } = given;
  return { timeoutMs, retries, followRedirects, maxRedirects, sendTraceparent };
}
