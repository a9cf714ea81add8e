/** Asks jest's parent process for data about a server that all suites of a run share. */
import type { z } from 'zod';

/** Requests the path from the parent process. The parent starts the server if no suite has requested it before. */
export async function readShared<Shape extends z.ZodType>(
  path: string,
  shape: Shape,
): Promise<z.infer<Shape>> {
  const host = process.env['KEEPWATCH_TEST_SHARED'];
  if (host === undefined) throw new Error('this suite needs global-setup.ts');
  const answer = await fetch(host + path);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return shape.parse(JSON.parse(text));
}
