/**
 * Helpers for setting up tests. If a set-up request is refused, the test fails at that request with the whole response,
 * not in a later step.
 */
import type { Response } from 'supertest';

/** Resolves to the body of a successful response. Fails the test on any other response. */
export async function arranged(call: PromiseLike<Response>): Promise<Response['body']> {
  const { status, text, body } = await call;
  if (status >= 300) throw new Error(`what the test needs was answered with ${status}: ${text}`);
  return body;
}
