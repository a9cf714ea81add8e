/**
 * Sets up what a test needs. If a set-up request is refused, the test fails there with the whole
 * response, not in a later step.
 */
import type { Response } from 'supertest';

/** The body of a successful response. */
export async function arranged(call: PromiseLike<Response>): Promise<Response['body']> {
  const { status, text, body } = await call;
  if (status >= 300) throw new Error(`what the test needs was answered with ${status}: ${text}`);
  return body;
}
