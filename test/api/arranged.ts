/** What a test needs before it begins. A refusal fails there, with all that was answered, and not in what comes after. */
import type { Response } from 'supertest';

/** The body of an answer that is no refusal. */
export async function arranged(call: PromiseLike<Response>): Promise<Response['body']> {
  const { status, text, body } = await call;
  if (status >= 300) throw new Error(`what the test needs was answered with ${status}: ${text}`);
  return body;
}
